import { evaluateLabelled, evaluateProfiles, type JudgedQuery } from '@assize/evaluate';
import { type Random, seededRandom } from '../../plugins/@assize/evaluate/src/significance/distributions.js';
import { createPipeline, type ProfileInput } from 'assize';
import { tQuantile } from '../../plugins/@assize/evaluate/src/significance/distributions.js';
import { type TunedChange, type TuneOptions, tuneWeights } from '@assize/evaluate/tune';
import { type Counts, none, type Result } from './evaluate-cases.js';
import { normal } from './worlds.js';

/** The input of tuning. */
export interface TuneWorld {
  readonly queries: number;
  readonly groupSize: number;
  /** How strongly the first scorer depends on relevance: 0 is noise. The others are noise. */
  readonly signal: number;
  readonly ties: boolean;
  readonly absent: number;
  readonly more: ProfileInput;
  readonly options: TuneOptions;
  /** For AUC: rows of one list with this number of positives. */
  readonly positives?: number | undefined;
}

export const TUNE_BASE: TuneWorld = {
  queries: 40,
  groupSize: 1,
  signal: 0,
  ties: false,
  absent: 0,
  more: {},
  options: { measure: 'nDCG@10' },
};

interface Item {
  readonly [scorer: string]: number;
}

const SCORERS = ['a', 'b', 'c', 'd'];

function drawQueries(world: TuneWorld, count: number, random: Random): readonly JudgedQuery<Item>[] {
  let shared = SCORERS.map(() => 0);
  return Array.from({ length: count }, (_, q) => {
    if (q % world.groupSize === 0) shared = SCORERS.map(() => (world.groupSize > 1 ? 0.5 * normal(random) : 0));
    const worth = Array.from({ length: 15 }, () => normal(random));
    const candidates = worth.map((x) =>
      Object.fromEntries(
        SCORERS.flatMap((id, k) => {
          const skill = Math.max(-0.95, Math.min(0.95, (k === 0 ? world.signal : 0) + shared[k]!));
          const value = skill * x + Math.sqrt(1 - skill * skill) * normal(random);
          return random() < world.absent ? [] : [[id, world.ties ? Math.sign(Math.round(value)) : value]];
        }),
      ),
    );
    const grades = worth.map((x) => (x > 1.5 ? 3 : x > 1 ? 2 : x > 0.5 ? 1 : 0));
    return {
      id: `q${q}`,
      candidates,
      grades,
      ...(world.groupSize > 1 && { group: `g${Math.floor(q / world.groupSize)}` }),
    };
  });
}

/** Rows of one list, of which a fixed number is positive. */
function drawList(world: TuneWorld, positives: number, negatives: number, random: Random): JudgedQuery<Item> {
  const grades = Array.from({ length: positives + negatives }, (_, k) => (k < positives ? 1 : 0));
  const candidates = grades.map((grade) =>
    Object.fromEntries(SCORERS.map((id, k) => [id, (k === 0 ? 2 * world.signal * grade : 0) + normal(random)])),
  );
  return { id: 'all', candidates, grades };
}

const profileOf = (world: TuneWorld): ProfileInput => ({
  name: 'simulated',
  combine: 'weighted_mean',
  tier2_scorers: SCORERS.map((id) => ({ id, expr: `candidate.${id}`, on_absent: 'skip' })),
  ...world.more,
});

/** Without a signal every order is equally good: the true gain of any result is 0. */
const isNoise = ({ signal, groupSize }: TuneWorld): boolean => signal === 0 && groupSize === 1;

/**
 * The factor of the variance of independent units with which an interval covers exactly 95 % of the true gains in noise
 * of 20 and of 40 queries (900 simulations of each, with other seeds than here); for AUC it is below 1. The power of
 * `tune` is compared with a calibrated test that knows this factor.
 */
const NEEDED = 1.55;

/**
 * Tunes many data sets and measures the written profile on new data, through pipelines: that is the true gain. The old
 * interval treats units as independent; the reference multiplies that variance by `NEEDED`.
 */
export async function simulateTuning(world: TuneWorld, repetitions: number, seed: number): Promise<Result> {
  const random = seededRandom(seed);
  const profile = profileOf(world);
  const reference = none(repetitions);
  const result = { before: none(repetitions), after: none(repetitions), reference };
  const { positives } = world;
  const draw = (queries: number): readonly JudgedQuery<Item>[] =>
    positives === undefined
      ? drawQueries(world, queries, random)
      : [drawList(world, positives * (queries / world.queries), (200 - positives) * (queries / world.queries), random)];
  const fresh = isNoise(world) ? [] : draw(30 * world.queries);
  for (let repetition = 0; repetition < repetitions; repetition++) {
    // oxlint-disable-next-line no-await-in-loop -- one after another: it is arithmetic
    const { heldOut, change } = await tuneWeights(profile, draw(world.queries), {
      ...world.options,
      seed: repetition + 1,
    });
    // oxlint-disable-next-line no-await-in-loop -- as above
    const truth = isNoise(world) ? 0 : await trueGain(profile, change, world, fresh);
    const [{ difference, interval, verdict, variance }] = heldOut;
    add(result.after, interval, verdict, truth);
    const needed = positives === undefined ? NEEDED : 1;
    for (const [counts, factor] of [
      [result.before, 1],
      [reference, needed],
    ] as const) {
      const half = tQuantile(0.95, variance.degrees) * Math.sqrt(factor * variance.independent);
      const other = [difference - half, difference + half] as const;
      add(counts, other, other[0] > 0 ? 'better' : other[1] < 0 ? 'worse' : 'no difference shown', truth);
    }
  }
  return result;
}

function add(counts: Counts, [low, high]: readonly [number, number], verdict: string, truth: number): void {
  if (Number.isNaN(low)) counts.unsaid += 1;
  else if (low <= truth && truth <= high) counts.covered += 1;
  if (verdict === 'better') counts.better += 1;
  if (verdict === 'worse') counts.worse += 1;
}

async function trueGain(
  profile: ProfileInput,
  change: TunedChange,
  { positives, options }: TuneWorld,
  fresh: readonly JudgedQuery<Item>[],
): Promise<number> {
  const pipelines = {
    before: await createPipeline<Item>(profile),
    after: await createPipeline<Item>({ ...profile, ...merged(profile, change) }),
  };
  const measures = [options.measure ?? 'nDCG@10'];
  const values =
    positives === undefined
      ? (await evaluateProfiles(pipelines, fresh, { measures })).profiles.map(({ means }) => means)
      : (await evaluateLabelled(pipelines, fresh, { measures })).profiles.map((one) => one.values);
  return values[1]![measures[0]!]! - values[0]![measures[0]!]!;
}

/** The profile's entries merged with those of the change, as `extends` merges them. */
function merged(profile: ProfileInput, { tier2_scorers: changed = [], weights }: TunedChange): Partial<ProfileInput> {
  const entries = profile.tier2_scorers!.map((entry) => {
    const own = changed.find(({ id }) => id === entry.id) ?? {};
    return 'class' in own ? { ...own, id: entry.id } : { ...entry, ...own };
  });
  return {
    tier2_scorers: entries,
    ...(weights && profile.weights && { weights: { ...profile.weights, cases: weights.cases } }),
  };
}
