import type { Columns } from '../columns/index.js';
import { type Budget, fieldsRead } from '../engine/index.js';
import { SAMPLE_SIZE } from '../ranking/index.js';
import { chunksOfColumns, yieldToEventLoop } from './chunks.js';
import { Collector } from './collector.js';
import { retainedCount } from './memory-bound.js';
import { rankCollected } from './rank-stream.js';
import type { StreamRun } from './stream-run.js';
import type { RetainedRow } from './top-k-collector.js';
import type { TopRanking } from './top-ranking.js';

/** Candidates that are kept by column, as a file of them is. */
export interface ColumnSource {
  /** Reads all rows in their order, with these fields, or all. */
  batches(fields?: ReadonlySet<string>): AsyncIterable<Columns>;
  /** Reads whole rows by position. */
  rows(positions: readonly number[]): Promise<readonly object[]>;
}

/**
 * Ranks candidates that are kept by column: reads the columns that the profile reads, and of the rows that may be
 * selected, at the end, all others. Memory for one batch of columns and the retained rows.
 */
export async function rankTable(
  run: StreamRun,
  source: ColumnSource,
  budget: Budget | undefined,
  notices: readonly string[] = [],
): Promise<TopRanking<object>> {
  const collector = new Collector<RetainedRow>(run, retainedCount(run.plan));
  const { topK, unseen } = collector;
  for await (const columns of source.batches(fieldsRead(run.plan.profile))) {
    await yieldToEventLoop(run.abort);
    for await (const rows of chunksOfColumns<object>(columns, run.abort)) await collector.collect(rows, (row) => row);
  }
  if (unseen.unseen.length > 0) {
    const first = Math.min(SAMPLE_SIZE, collector.aggregates.given);
    unseen.replaceSample(await source.rows(Array.from({ length: first }, (_, i) => i)));
  }
  const candidates = await source.rows(topK.retained().map(({ index }) => index));
  return rankCollected(run, collector, candidates, budget, notices);
}
