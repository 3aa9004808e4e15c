import { createHash } from 'node:crypto';
import type { TopRanking } from 'assize';

type Promised = Pick<TopRanking<object>, 'selected' | 'counts' | 'refusedCounts' | 'notSelectedCounts' | 'degraded'>;

/**
 * The guaranteed part of an engine's result: selection, ranks, scores, refused and left out rows, failures. Scores by
 * their bits.
 */
export function promised(ranking: Promised): unknown {
  const { selected, counts, refusedCounts, notSelectedCounts, degraded } = ranking;
  return {
    counts,
    refused: refusedCounts,
    notSelected: notSelectedCounts,
    degraded,
    selected: selected.map((row) => ({
      id: row.id,
      index: row.index,
      rank: row.rank,
      score: bitsOf(row.score ?? Number.NaN),
      row: { ...row, candidate: undefined },
    })),
  };
}

const bitsOf = (score: number): string => Buffer.from(Float64Array.of(score).buffer).toString('hex');

/** The same as a short text. */
export const digest = (ranking: TopRanking<object>): string =>
  createHash('sha256')
    .update(JSON.stringify(promised(ranking)))
    .digest('hex')
    .slice(0, 16);

/** Runs a function with an engine, and closes it. */
export async function closing<R>(engine: { close(): Promise<void> }, work: Promise<R>): Promise<R> {
  try {
    return await work;
  } finally {
    await engine.close();
  }
}
