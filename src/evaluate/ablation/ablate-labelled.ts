import { checkOptions } from '../../diagnostics/index.js';
import type { Pipeline } from '../../index.js';
import { checkQueries } from '../check-queries.js';
import { rankQuery } from '../evaluate-profiles.js';
import type { JudgedQuery } from '../judged-query.js';
import { compareLabelled } from '../labelled/compare-labelled.js';
import {
  type EvaluateLabelledOptions,
  judgedScores,
  LABELLED_OPTIONS,
  toLabelledEvaluation,
} from '../labelled/evaluate-labelled.js';
import type { Ablation } from './ablate-profile.js';
import { ablatedParts, partName, WHOLE } from './earnings.js';
import { variantsOf } from './variants.js';

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
