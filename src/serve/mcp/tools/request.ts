import * as z from 'zod';
import type { Pipeline } from '../../../pipeline.js';
import type { RankOptions, Ranking } from '../../../ranking/index.js';
import { checkCount } from '../limits.js';
import { pipelineOf, type ToolContext } from '../tool.js';

/** The profile of a call. */
export const profileInput = z
  .union([z.string().min(1), z.record(z.string(), z.unknown())])
  .describe('The name of a profile (the tool list has them), or a profile itself: an object, or { yaml: text }.');

/** Not checked one by one: the engine does that as it reads them, and says which is wrong. */
const candidates = z
  .array(z.unknown())
  .meta({ items: { type: 'object' } })
  .describe('What is ranked: objects, with the fields that the profile reads.');

/** What every ranking of a call has. */
export const rankingInput = z.strictObject({
  profile: profileInput,
  candidates: candidates.optional(),
  context: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('What is known about this request: query, now, turn_count … as the profile reads it.'),
  weights: z.record(z.string(), z.number()).optional().describe("Weights by scorer, in place of the profile's."),
  min_score: z.number().optional().describe("The least score that is selected, in place of the profile's."),
  budget: z.number().nonnegative().optional().describe('What may be spent, for a profile that packs.'),
});

type RankingInput = z.infer<typeof rankingInput>;

/** Ranks as a call asks. Others have their turn meanwhile, and an abort is heard. */
export async function rankFor(
  { profile, candidates: given, context, weights, min_score, budget }: RankingInput,
  toolContext: ToolContext,
  options: Pick<RankOptions, 'abort' | 'learn' | 'top' | 'offset' | 'prune'>,
): Promise<Ranking<unknown>> {
  checkCount(given, toolContext.limits);
  const pipeline: Pipeline = await pipelineOf(profile, toolContext);
  return pipeline.rank(given, context, {
    ...options,
    turns: true,
    ...(weights && { weights }),
    ...(min_score !== undefined && { min_score }),
    ...(budget !== undefined && { budget }),
  });
}
