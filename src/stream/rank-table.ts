import type { Columns } from '../columns/index.js';
import { type Budget, fieldsRead, ownIdOf } from '../engine/index.js';
import { SAMPLE_SIZE } from '../ranking/index.js';
import { nameAggregates, namedPositions } from './aggregates.js';
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
  for await (const columns of source.batches(fieldsRead(run.plan.profile, false))) {
    await yieldToEventLoop(run.abort);
    for await (const rows of chunksOfColumns<object>(columns, run.abort)) await collector.collect(rows, (row) => row);
  }
  if (unseen.unseen.length > 0) {
    const first = Math.min(SAMPLE_SIZE, collector.aggregates.given);
    unseen.replaceSample(await source.rows(Array.from({ length: first }, (_, i) => i)));
  }
  const retained = topK.retained().map(({ index }) => index);
  const named = namedPositions(collector.aggregates);
  const rows = await rowsByPosition(source, [...retained, ...named]);
  const aggregates = nameAggregates(collector.aggregates, (at) => ownIdOf(run.plan.profile, rows.get(at)));
  const candidates = retained.map((position) => rows.get(position)!);
  return rankCollected(run, { topK, unseen, aggregates }, candidates, budget, notices);
}

async function rowsByPosition(source: ColumnSource, wanted: readonly number[]): Promise<ReadonlyMap<number, object>> {
  const positions = [...new Set(wanted)].toSorted((a, b) => a - b);
  const rows = await source.rows(positions);
  return new Map(positions.map((position, k) => [position, rows[k]!]));
}
