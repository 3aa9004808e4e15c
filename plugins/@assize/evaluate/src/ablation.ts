import { AssizeError, type Pipeline, type Ranking } from 'assize';
import { checkOptions } from 'assize/internal';
import { compareProfiles } from './compare-profiles.js';
import type { Difference } from './differences.js';
import {
  compareLabelled,
  type EvaluateLabelledOptions,
  judgedScores,
  LABELLED_OPTIONS,
  type LabelledDifference,
  toLabelledEvaluation,
} from './evaluate-labelled.js';
import {
  EVALUATE_OPTIONS,
  type EvaluateOptions,
  judgedRanking,
  type ProfileValues,
  rankQuery,
  toEvaluation,
} from './evaluate-profiles.js';
import { checkQueries, type JudgedQuery } from './judged-query.js';
import { parseMeasure } from './measures/measures.js';
import type { JudgedRanking } from './measures/ranking-measures.js';

/** The contributions of the parts of a profile. */
export interface Ablation {
  readonly measures: readonly string[];
  /** The unchanged profile. */
  readonly full: ProfileValues;
  /** Sorted by contribution to the first measure, the largest first. */
  readonly parts: readonly AblatedPart[];
  /** Parts that cannot be removed because other parts read them. */
  readonly fixed: readonly FixedPart[];
}

/**
 * Removes each scorer, veto and rule of a profile in turn, and all cases of its weights together, and measures the loss.
 * Scores are computed once and reweighted. p-values are adjusted for all parts and measures together.
 *
 * @throws AssizeError for the same reasons as `evaluateProfiles`
 */
export async function ablatePipeline<T>(
  pipeline: Pipeline<T>,
  queries: Iterable<JudgedQuery<T>>,
  options: Omit<EvaluateOptions, 'onRanking'> & { readonly samples?: number | undefined },
): Promise<Ablation> {
  const { samples, ...asked } = options;
  checkOptions('ablateProfile', asked, EVALUATE_OPTIONS);
  const measures = options.measures.map((name) => parseMeasure(name, options.relevantFrom));
  const all = checkQueries(queries);
  const [first] = all;
  const { variants, fixed } = first ? await variantsOf(pipeline, first) : { variants: [], fixed: [] };
  const measured = [undefined, ...variants].map((): JudgedRanking[] => []);
  for (const [q, query] of all.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- a query at a time
    const full = await rankQuery(pipeline, query, { prune: false, ...(options.signal && { signal: options.signal }) });
    for (let v = 0; v <= variants.length; v++) {
      // oxlint-disable-next-line no-await-in-loop -- most do not wait
      measured[v]!.push(judgedRanking(v === 0 ? full : await variants[v - 1]!.without(full), query, options.ties));
    }
    options.progress?.({ task: 'leaving out parts', unit: 'queries', done: q + 1, total: all.length });
  }
  const evaluation = toEvaluation([WHOLE, ...variants.map(partName)], all, measures, measured);
  const differences = compareProfiles(evaluation, { baseline: WHOLE, ...(samples !== undefined && { samples }) });
  return {
    measures: evaluation.measures,
    full: evaluation.profiles[0]!,
    parts: ablatedParts(variants, differences),
    fixed,
  };
}

/**
 * Removes each part of a profile in turn, as `ablateProfile` does, for data without queries.
 *
 * @throws AssizeError for the same reasons as `evaluateLabelled`
 */
export async function ablateLabelledPipeline<T>(
  pipeline: Pipeline<T>,
  queries: Iterable<JudgedQuery<T>>,
  options: EvaluateLabelledOptions & { readonly samples?: number | undefined },
): Promise<Pick<Ablation, 'parts' | 'fixed'>> {
  const { samples, ...asked } = options;
  checkOptions('ablateLabelled', asked, LABELLED_OPTIONS);
  const all = checkQueries(queries);
  const [first] = all;
  const { variants, fixed } = first ? await variantsOf(pipeline, first) : { variants: [], fixed: [] };
  const scores = [undefined, ...variants].map((): number[] => []);
  for (const query of all) {
    // oxlint-disable-next-line no-await-in-loop -- a query at a time
    const full = await rankQuery(pipeline, query, { prune: false, ...(options.signal && { signal: options.signal }) });
    scores[0]!.push(...judgedScores(full, query));
    // oxlint-disable-next-line no-await-in-loop -- most do not wait
    for (const [v, { without }] of variants.entries()) scores[v + 1]!.push(...judgedScores(await without(full), query));
  }
  const names = [WHOLE, ...variants.map(partName)];
  const scored = names.map((profile, v) => ({ profile, scores: scores[v]! }));
  const evaluation = toLabelledEvaluation(scored, all, asked);
  const differences = compareLabelled(evaluation, { baseline: WHOLE, ...(samples !== undefined && { samples }) });
  return { parts: ablatedParts(variants, differences), fixed };
}

/** The contribution of one part of a profile to each measure. */
export interface AblatedPart extends ProfilePart {
  readonly earns: readonly PartEarning[];
}

/** The contribution of a part to one measure. */
export interface PartEarning extends Pick<Difference, 'measure' | 'interval' | 'adjusted'> {
  /** The mean with the part minus the mean without it. */
  readonly mean: number;
  /** The number of queries that are better with the part, worse and the same; absent for data without queries. */
  readonly better?: number;
  readonly worse?: number;
  readonly same?: number;
  /**
   * `earns` or `harms` if the difference is significant; `changes nothing` if it is 0 on every query or in every sample;
   * else `not shown`.
   */
  readonly verdict: 'earns' | 'harms' | 'changes nothing' | 'not shown';
}

/** The name of the unchanged profile in the comparison. */
const WHOLE = 'the profile';

/** The name of a profile without a part. */
const partName = ({ kind, id }: ProfilePart): string => `${kind} ${id}`;

/** The contribution of a part is the loss without it. Sorted by the first measure, the largest first. */
const ablatedParts = (
  parts: readonly ProfilePart[],
  differences: readonly (Difference | LabelledDifference)[],
): readonly AblatedPart[] =>
  parts
    .map((part) => ({
      kind: part.kind,
      id: part.id,
      earns: differences.filter(({ profile }) => profile === partName(part)).map(earning),
    }))
    .toSorted((a, b) => (b.earns[0]?.mean ?? 0) - (a.earns[0]?.mean ?? 0));

function earning(difference: Difference | LabelledDifference): PartEarning {
  const { measure, mean, interval, adjusted, verdict } = difference;
  const [low, high] = interval;
  const queries = 'better' in difference ? difference : undefined;
  const nothing = queries ? queries.better + queries.worse === 0 : low === 0 && high === 0;
  const shown = verdict === 'worse' ? 'earns' : verdict === 'better' ? 'harms' : 'not shown';
  return {
    measure,
    mean: 0 - mean,
    interval: [0 - high, 0 - low],
    adjusted,
    ...(queries && { better: queries.worse, worse: queries.better, same: queries.same }),
    verdict: nothing ? 'changes nothing' : shown,
  };
}

/** A part of a profile that can be removed. */
export interface ProfilePart {
  readonly kind: 'scorer' | 'veto' | 'rule' | 'cases';
  /** Its id. The cases of `weights` are one part. */
  readonly id: string;
}

/** A profile without one of its parts. */
interface Variant extends ProfilePart {
  /** The ranking of a query without the part. */
  readonly without: (full: Ranking<unknown>) => Ranking<unknown> | Promise<Ranking<unknown>>;
}

/** A part that cannot be removed, with the reason. */
export interface FixedPart extends ProfilePart {
  readonly reason: string;
}

/**
 * The parts of a profile that can be removed. If the combine reads weights, a scorer is removed with the weight 0, which
 * needs no new scores (and keeps what the scorer refuses). Other parts are removed by `whatIf`, which recomputes only what
 * depends on them.
 */
async function variantsOf<T>(
  pipeline: Pipeline<T>,
  query: JudgedQuery<T>,
): Promise<{ readonly variants: readonly Variant[]; readonly fixed: readonly FixedPart[] }> {
  const full: Ranking<unknown> = await rankQuery(pipeline, query, { prune: false });
  const { scorers, vetoes, rules } = pipeline.describe();
  const weighed = full.weights !== undefined && scorers.length > 1;
  const candidates: readonly Variant[] = [
    ...scorers.map((id) => (weighed ? weightless(id) : removed('scorer', id))),
    ...(Object.keys(full.caseWeights).length > 0 ? [withoutCases()] : []),
    ...vetoes.map((id) => removed('veto', id)),
    ...rules.map((id) => removed('rule', id)),
  ];
  const variants: Variant[] = [];
  const fixed: FixedPart[] = [];
  for (const variant of candidates) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- each is tried once
      await variant.without(full);
      variants.push(variant);
    } catch (error) {
      if (!(error instanceof AssizeError)) throw error;
      fixed.push({ kind: variant.kind, id: variant.id, reason: error.problems[0]?.message ?? error.message });
    }
  }
  return { variants, fixed };
}

const weightless = (id: string): Variant => ({
  kind: 'scorer',
  id,
  without: (full) => full.reweigh({ weights: { [id]: 0 } }),
});

const removed = (kind: ProfilePart['kind'], id: string): Variant => ({
  kind,
  id,
  without: (full) => full.whatIf({ without: id }),
});

/** Every row gets the weights of a row without a case. */
const withoutCases = (): Variant => ({
  kind: 'cases',
  id: 'weights',
  without: (full) => {
    const weights = Object.entries(full.weights ?? {}).flatMap(([id, weight]) =>
      weight === null ? [] : [[id, weight]],
    );
    return full.reweigh({ weights: Object.fromEntries(weights) });
  },
});
