import type { Columns } from '../columns/index.js';
import { type Budget, fieldsRead, ownIdOf } from '../engine/index.js';
import { SAMPLE_SIZE, type UnseenPaths } from '../ranking/index.js';
import { nameAggregates, namedPositions } from './aggregates.js';
import { chunksOfColumns, yieldToEventLoop } from './chunks.js';
import { Collector } from './collector.js';
import { retainedCount } from './memory-bound.js';
import { type CollectedStream, rankCollected } from './rank-stream.js';
import type { StreamRun } from './stream-run.js';
import type { RetainedRow } from './top-k-collector.js';
import type { TopRanking } from './top-ranking.js';

/** Candidates that are kept by column, as a file of them is. */
export interface ColumnSource {
  /** Reads rows in their order, all or those of a range, with these fields, or all. */
  batches(fields?: ReadonlySet<string>, range?: { readonly from: number; readonly to: number }): AsyncIterable<Columns>;
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
  for await (const rows of chunksOfTable(run, source)) await collector.collect(rows, (row) => row);
  return rankCollectedRows(run, collector, source, budget, notices);
}

/** The rows of a table, or those of a range of it, with the columns that the profile reads: a chunk at a time. */
export async function* chunksOfTable(
  { plan, abort }: Pick<StreamRun, 'plan' | 'abort'>,
  source: ColumnSource,
  range?: { readonly from: number; readonly to: number },
): AsyncGenerator<readonly object[], void> {
  for await (const columns of source.batches(fieldsRead(plan.profile, false), range)) {
    await yieldToEventLoop(abort);
    yield* chunksOfColumns<object>(columns, abort);
  }
}

/** Ranks what was collected of a table: reads whole the rows that may be selected, and those that are named. */
export async function rankCollectedRows(
  run: StreamRun,
  { topK, unseen, aggregates: collected }: CollectedStream<RetainedRow> & { readonly unseen: UnseenPaths },
  source: ColumnSource,
  budget: Budget | undefined,
  notices: readonly string[] = [],
): Promise<TopRanking<object>> {
  if (unseen.unseen.length > 0) {
    const first = Math.min(SAMPLE_SIZE, collected.given);
    unseen.replaceSample(await source.rows(Array.from({ length: first }, (_, i) => i)));
  }
  const retained = topK.retained().map(({ index }) => index);
  const named = namedPositions(collected);
  const rows = await rowsByPosition(source, [...retained, ...named]);
  const aggregates = nameAggregates(collected, (at) => ownIdOf(run.plan.profile, rows.get(at)));
  const candidates = retained.map((position) => rows.get(position)!);
  return rankCollected(run, { topK, unseen, aggregates }, candidates, budget, notices);
}

async function rowsByPosition(source: ColumnSource, wanted: readonly number[]): Promise<ReadonlyMap<number, object>> {
  const positions = [...new Set(wanted)].toSorted((a, b) => a - b);
  const rows = await source.rows(positions);
  return new Map(positions.map((position, k) => [position, rows[k]!]));
}
