import { createPipeline, type Context, type Trust } from '../../index.js';
import type { OtherRanking } from '../data/other-ranking.js';

/** What is ranked by each. */
interface Ranked {
  readonly candidates: readonly object[];
  readonly context: Context;
  readonly trust?: Trust;
}

/**
 * Ranks by other profiles, one after the other.
 *
 * @throws AssizeError with every problem of the first profile that has one
 */
export async function rankOthers(
  profiles: readonly string[],
  { candidates, context, trust = 'full' }: Ranked,
): Promise<readonly OtherRanking[]> {
  const others: OtherRanking[] = [];
  for (const title of profiles) {
    // oxlint-disable-next-line no-await-in-loop -- at once they would only take each other's time and memory
    others.push(await rankOther(title, candidates, context, trust));
  }
  return others;
}

/**
 * Says what is wrong with other profiles before anything is served.
 *
 * @throws AssizeError with every problem of the first profile that has one
 */
export async function checkOthers(profiles: readonly string[] = [], trust: Trust = 'full'): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- the first that is wrong is said
  for (const profile of profiles) await createPipeline(profile, { trust });
}

async function rankOther(
  title: string,
  candidates: readonly object[],
  context: Context,
  trust: Trust,
): Promise<OtherRanking> {
  const pipeline = await createPipeline<object>(title, { trust });
  const ranking = await pipeline.rank(candidates, context, { prune: false, learn: false });
  const { order, matrix, counts } = ranking;
  return {
    title,
    order: Array.from(order, (row) => matrix.index[row]!),
    ...(counts.leftOut > 0 && { selected: ranking.selected.map(({ index }) => index).filter((index) => index >= 0) }),
  };
}
