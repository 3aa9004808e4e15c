import {
  type Context,
  createPipeline,
  type PipelineOptions,
  type ProfileInput,
  type Ranking,
} from '../../src/index.js';

/** Ranks candidates by a profile given as an object. */
export async function rankBy<T extends object>(
  profile: ProfileInput,
  candidates: readonly T[],
  context: Context = {},
  options: PipelineOptions = {},
): Promise<Ranking<T>> {
  return (await createPipeline<T>(profile, options)).rank(candidates, context);
}

/** The scores by id. */
export const scoresOf = (ranking: Ranking<object>): Readonly<Record<string, number>> =>
  Object.fromEntries(ranking.ranked.map(({ id, score }) => [id, score]));

/** Who was refused: `id: kind by entry`. */
export const refusalsOf = (ranking: Ranking<object>): string[] =>
  ranking.refused.map(({ id, kind, by }) => `${id}: ${kind} by ${by}`);

/** The message that a promise is rejected with; fails when it is not. */
export async function messageOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  throw new Error('it was not rejected');
}
