import type { Pipeline } from '../../index.js';
import { checkOptions } from '../../diagnostics/index.js';
import { checkQueries } from '../check-queries.js';
import { compareProfiles } from '../compare-profiles.js';
import {
  EVALUATE_OPTIONS,
  type EvaluateOptions,
  judgedRanking,
  type ProfileValues,
  rankQuery,
  toEvaluation,
} from '../evaluate-profiles.js';
import type { JudgedQuery } from '../judged-query.js';
import type { JudgedRanking } from '../judged-ranking.js';
import { parseMeasure } from '../measures/parse-measure.js';
import { type AblatedPart, ablatedParts, partName, WHOLE } from './earnings.js';
import { type FixedPart, variantsOf } from './variants.js';

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
