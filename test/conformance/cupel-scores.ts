import { createPipeline, type ProfileInput } from 'assize';

/** A scorer as named in a profile. */
export interface ScorerUse {
  readonly class: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A scorer as a child among others. */
export interface WeightedUse extends ScorerUse {
  readonly weight: number;
}

const ENTRY = 'scorer';

/**
 * The scores of one scorer, by position; undefined if an item was not scored.
 *
 * @param around the rest of the profile
 * @throws AssizeError if the profile is invalid
 */
export async function scoresBy(
  use: ScorerUse,
  items: readonly object[],
  now: number | undefined,
  around: ProfileInput = {},
): Promise<(number | undefined)[]> {
  const profile: ProfileInput = { ...around, plugins: ['cupel'], tier2_scorers: [{ id: ENTRY, ...use }] };
  const pipeline = await createPipeline<object>(profile, { codegen: true });
  const { ranked } = await pipeline.rank(items, now === undefined ? {} : { now });
  const scores: (number | undefined)[] = items.map(() => undefined);
  for (const { index, score } of ranked) scores[index] = score;
  return scores;
}
