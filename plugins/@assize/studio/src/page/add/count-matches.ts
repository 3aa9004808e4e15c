import { createPipeline } from 'assize/browser';
import type { StudioData } from '../../data/studio-data.js';

/** The number of candidates for which an expression is true, by the engine, so that absent fields mean the same as in a veto. */
export async function countMatches(
  candidates: readonly object[],
  context: StudioData['context'],
  expr: string,
): Promise<number> {
  const pipeline = await createPipeline<object>({
    tier1_scorers: [{ id: 'matches', expr, on_error: 'pass' }],
    tier2_scorers: [{ id: 'one', expr: '1.0' }],
  });
  return pipeline.rankSync(candidates, context).refused.length;
}
