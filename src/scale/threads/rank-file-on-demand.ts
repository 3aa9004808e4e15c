import type { TopRanking } from '../../pipeline/index.js';
import type { ProfileOrPipeline } from '../../pipeline/node.js';
import type { Context } from '../../sdk/index.js';
import type { RankFileOptions } from './rank-file.js';

/**
 * Ranks the candidates of a file. Several threads read and score parts of it, each with its own pipeline, and retain only
 * the candidates that may be selected. The result does not depend on the number of threads.
 *
 * ```ts
 * const { selected, counts } = await rankFile('knowledgepulse', 'traces.jsonl', {}, { top: 10, workers: 4 });
 * ```
 *
 * One thread does all the work if the file is neither JSON Lines nor Parquet, or if units, services or a context cannot be
 * sent to a thread; `notices` then has the reason. If the number of retained rows is not bounded, for example because an
 * entry needs all candidates, the candidates are ranked as one set in memory.
 *
 * The first call loads the engine.
 *
 * @param given a profile, as for `createPipeline`, or a pipeline
 * @param file the candidates, in any supported format; a relative path starts from `folder`
 * @param context the context of this request, as for `rank`
 * @throws AssizeError with every problem of the profile or of the file, as `rank` does, or if a thread ends early
 */
export async function rankFileOnDemand(
  given: ProfileOrPipeline<object>,
  file: string,
  context: Context = {},
  options: RankFileOptions = {},
): Promise<TopRanking<object>> {
  const { rankFile } = await import('./rank-file.js');
  return rankFile(given, file, context, options);
}
