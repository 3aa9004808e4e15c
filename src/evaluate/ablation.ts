import { AssizeError, checkOptions } from '../diagnostics/index.js';
import type { Pipeline, Ranking } from '../index.js';
import { compareProfiles, type Difference } from './compare-profiles.js';
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

/** What the parts of a profile earn. */
export interface Ablation {
  readonly measures: readonly string[];
  /** The profile as it is. */
  readonly full: ProfileValues;
  /** The part that earns most by the first measure first. */
  readonly parts: readonly AblatedPart[];
  /** What cannot be left out, since other parts read it. */
  readonly fixed: readonly FixedPart[];
}

/**
 * Leaves out each scorer, veto and rule of a profile in turn, and the cases of its weights together, and measures what
 * is lost. Nothing is prepared twice: what a scorer gave is weighed again. p-values are adjusted for all parts and
 * measures together.
 *
 * @throws AssizeError as `evaluateProfiles` does
 */
export async function ablateProfile<T>(
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
    const full = await rankQuery(pipeline, query, { prune: false, ...(options.abort && { abort: options.abort }) });
    for (let v = 0; v <= variants.length; v++) {
      // oxlint-disable-next-line no-await-in-loop -- most do not wait
      measured[v]!.push(judgedRanking(v === 0 ? full : await variants[v - 1]!.without(full), query, options.ties));
    }
    options.progress?.(q + 1, all.length);
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
 * Leaves out each part of a profile in turn, as `ablateProfile` does, and measures scores beside labels, without queries.
 *
 * @throws AssizeError as `evaluateLabelled` does
 */
export async function ablateLabelled<T>(
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
    const full = await rankQuery(pipeline, query, { prune: false, ...(options.abort && { abort: options.abort }) });
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

/** What one part of a profile earns by each measure. */
export interface AblatedPart extends ProfilePart {
  readonly earns: readonly PartEarning[];
}

/** What a part earns by one measure. */
export interface PartEarning extends Pick<Difference, 'measure' | 'interval' | 'adjusted'> {
  /** The mean with the part, less the mean without it. */
  readonly mean: number;
  /** On how many queries it is better with the part, worse, and the same; missing for data without queries. */
  readonly better?: number;
  readonly worse?: number;
  readonly same?: number;
  /**
   * `earns` and `harms` where the difference is shown; `changes nothing` where it is 0 on every query, or in every sample;
   * else `not shown`.
   */
  readonly verdict: 'earns' | 'harms' | 'changes nothing' | 'not shown';
}

/** The name of the profile with all its parts, where it is compared with those without one. */
const WHOLE = 'the profile';

/** The name of a profile without a part. */
const partName = ({ kind, id }: ProfilePart): string => `${kind} ${id}`;

/** What is lost without a part is what it earns; the part that earns most by the first measure comes first. */
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

/** A part of a profile that may be left out. */
export interface ProfilePart {
  readonly kind: 'scorer' | 'veto' | 'rule' | 'cases';
  /** Its id; of the cases of `weights` all of them together. */
  readonly id: string;
}

/** What a profile is without one of its parts. */
interface Variant extends ProfilePart {
  /** The ranking of a query without the part. */
  readonly without: (full: Ranking<unknown>) => Ranking<unknown> | Promise<Ranking<unknown>>;
}

/** A part that cannot be left out, and why. */
export interface FixedPart extends ProfilePart {
  readonly reason: string;
}

/**
 * The parts of a profile that can be left out. A scorer gets the weight 0 where the combine reads weights, which is
 * arithmetic on the numbers that were computed (what it refuses stays refused); anything else is left out by `whatIf`,
 * which computes nothing again that does not depend on it.
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
    ...(full.caseWeights.size > 0 ? [withoutCases()] : []),
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

/** Every row has the weights of a row that is in no case. */
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
