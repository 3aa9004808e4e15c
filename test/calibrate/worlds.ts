import { type Evaluation, type JudgedQuery, type LabelledEvaluation, parseMeasure } from '@assize/evaluate';
import { type Random, seededRandom } from '../../plugins/@assize/evaluate/src/significance/distributions.js';
import { toLabelledEvaluation } from '../../plugins/@assize/evaluate/src/evaluate-labelled.js';

/** A standard normal variable (Box and Muller 1958). */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** The properties of a simulated data set. Every factor has a default, so that each can be varied alone. */
export interface World {
  readonly queries: number;
  /** The number of profiles that are compared with the baseline. */
  readonly comparisons: number;
  /** The number of queries, or rows, per group; 1: no groups. */
  readonly groupSize: number;
  /** Whether scores have three values only. */
  readonly ties: boolean;
  /** The share of candidates without a judgement, and of queries without a relevant candidate. */
  readonly absent: number;
  readonly measure: string;
  /**
   * How strongly the scores of the baseline depend on relevance, from 0 to 1; and how much more those of the others do.
   */
  readonly skill: number;
  readonly gain: number;
}

export const BASE: World = {
  queries: 40,
  comparisons: 1,
  groupSize: 1,
  ties: false,
  absent: 0,
  measure: 'nDCG@10',
  skill: 0.5,
  gain: 0,
};

const CANDIDATES = 15;

/** The measure of each profile on many queries: their means are the true values, and data sets are drawn from them. */
export interface Population {
  /** By profile, by query. Queries of one group are adjacent. */
  readonly values: readonly Float64Array[];
  readonly means: readonly number[];
  readonly groupSize: number;
}

/**
 * Queries of 15 candidates with grades from 0 to 3, ranked by the baseline and the others. Without a gain, each query
 * occurs twice, once with the profiles exchanged: the true differences are exactly 0.
 */
export function populationOf(world: World, size: number, seed: number): Population {
  const random = seededRandom(seed);
  const measure = parseMeasure(world.measure, 1);
  const profiles = world.comparisons + 1;
  const values = Array.from({ length: profiles }, () => new Float64Array(size));
  for (let q = 0; q < size; q += 1) {
    // Queries of one group are similar: the same profile is better on all of them.
    if (q % world.groupSize === 0) lean = Array.from({ length: profiles }, () => 0.5 * normal(random));
    const worth = Array.from({ length: CANDIDATES }, () => normal(random));
    const nothing = random() < world.absent;
    const grades = worth.map((x) =>
      random() < world.absent ? undefined : nothing ? 0 : x > 1.5 ? 3 : x > 1 ? 2 : x > 0.5 ? 1 : 0,
    );
    const judgements = grades.filter((grade) => grade !== undefined);
    for (let p = 0; p < profiles; p++) {
      const own = world.skill + (p > 0 ? world.gain : 0) + (world.groupSize > 1 ? 0.5 * lean[p]! : 0);
      const skill = Math.max(-0.99, Math.min(0.99, own));
      const scores = worth.map((x) => {
        const score = skill * x + Math.sqrt(1 - skill * skill) * normal(random);
        return world.ties ? Math.sign(Math.round(score)) : score;
      });
      const order = Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]! || a - b);
      values[p]![q] = measure.of({ grades: order.map((k) => grades[k]), judgements });
    }
  }
  if (world.gain === 0) exchange(values, world.groupSize);
  return { values, groupSize: world.groupSize, means: values.map((own) => own.reduce((a, b) => a + b, 0) / size) };
}

let lean: readonly number[] = [];

/** Makes the second half the first with the profiles in reverse order, so that all have the same mean. */
function exchange(values: readonly Float64Array[], groupSize: number): void {
  const size = values[0]!.length;
  const count = values.length;
  const part = Math.floor(size / count / groupSize) * groupSize;
  for (let turn = 1; turn < count; turn++)
    for (let q = 0; q < part; q++)
      for (let p = 0; p < count; p++) values[p]![turn * part + q] = values[(p + turn) % count]![q]!;
  for (let q = part * count; q < size; q++) for (const own of values) own[q] = values[0]![q]!;
}

/** A data set of whole groups that are drawn from a population. */
export function drawEvaluation(population: Population, queries: number, random: Random): Evaluation {
  const { values, groupSize } = population;
  const groups = Math.ceil(queries / groupSize);
  const size = values[0]!.length;
  const drawn: number[] = [];
  const names: string[] = [];
  for (let g = 0; g < groups; g++) {
    const from = Math.floor(random() * Math.floor(size / groupSize)) * groupSize;
    for (let k = 0; k < groupSize && drawn.length < queries; k++) {
      drawn.push(from + k);
      names.push(`g${g}`);
    }
  }
  return {
    measures: ['m'],
    queries: drawn.map((_, q) => `q${q}`),
    groups: groupSize > 1 ? names : undefined,
    profiles: values.map((own, p) => {
      const byQuery = Float64Array.from(drawn, (q) => own[q]!);
      return { profile: `p${p}`, values: { m: byQuery }, means: {} };
    }),
  };
}

/** Rows with two labels, for AUC and AP. */
export interface RowWorld {
  readonly positives: number;
  readonly negatives: number;
  readonly groupSize: number;
  readonly ties: boolean;
  readonly comparisons: number;
  readonly measures: readonly string[];
  /** The difference between positives and negatives in the scores of the baseline, in standard deviations. */
  readonly shift: number;
  readonly gain: number;
}

export const ROW_BASE: RowWorld = {
  positives: 20,
  negatives: 80,
  groupSize: 1,
  ties: false,
  comparisons: 1,
  measures: ['AUC'],
  shift: 1,
  gain: 0,
};

/** Rows with a fixed number of positives. Rows of a group share a part of every profile's score. */
export function drawRows(world: RowWorld, random: Random): LabelledEvaluation {
  const { positives, negatives, groupSize, shift, gain } = world;
  const rows = positives + negatives;
  const grades = Array.from({ length: rows }, (_, k) => (k < positives ? 1 : 0));
  // Groups mix both classes: row k of the positives and of the negatives are dealt to groups in turn.
  const count = Math.max(1, Math.floor(rows / groupSize));
  const groups = groupSize > 1 ? grades.map((_, k) => `g${(k * 7919) % count}`) : undefined;
  const common = Array.from({ length: rows }, () => 0.6 * normal(random));
  const profiles = Array.from({ length: world.comparisons + 1 }, (_, p) => {
    const shared = new Map<string, number>();
    const scores = grades.map((grade, k) => {
      const group = groups?.[k];
      if (group !== undefined && !shared.has(group)) shared.set(group, 0.5 * normal(random));
      const own = group === undefined ? normal(random) : shared.get(group)! + Math.sqrt(0.75) * normal(random);
      const score = grade * (shift + (p > 0 ? gain : 0)) + common[k]! + 0.8 * own;
      return world.ties ? Math.round(score) : score;
    });
    return { profile: `p${p}`, scores };
  });
  return evaluated(profiles, grades, groups, world.measures);
}

function evaluated(
  profiles: readonly { readonly profile: string; readonly scores: readonly number[] }[],
  grades: readonly number[],
  groups: readonly string[] | undefined,
  measures: readonly string[],
): LabelledEvaluation {
  return toLabelledEvaluation(
    profiles,
    [{ id: 'all', candidates: grades, grades, ...(groups && { candidateGroups: groups }) } satisfies JudgedQuery],
    { measures },
  );
}
