import { type Context, createPipeline, type PipelineOptions, type ProfileInput, type Ranking } from 'assize';

/** Ranks candidates by a profile given as an object. */
export async function rankBy<T extends object>(
  profile: ProfileInput,
  candidates: readonly T[],
  context: Context = {},
  options: PipelineOptions = {},
): Promise<Ranking<T>> {
  return (await createPipeline<T>(profile, { codegen: true, ...options })).rank(candidates, context);
}

/** The scores by id. */
export const scoresOf = (ranking: Ranking<object>): Readonly<Record<string, number>> =>
  Object.fromEntries(ranking.ranked.map(({ id, score }) => [id, score]));

/** The refused candidates: `id: kind by entry`. */
export const refusalsOf = (ranking: Ranking<object>): string[] =>
  ranking.refused.map(({ id, kind, by }) => `${id}: ${kind} by ${by}`);

/** The message of a rejected promise; fails if it is not rejected. */
export async function messageOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  throw new Error('it was not rejected');
}
