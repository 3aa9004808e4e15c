import type { Plan } from '../engine/plan.js';
import type { InputFormat } from '../input/codecs.js';
import { rowCount } from '../input/table/table.js';
import { cutIntoShards, type Shard } from './shards.js';
import type { VersionedFile } from './versioned-file.js';

/** How a file is cut. The result of a run does not depend on it. */
export interface ShardSizes {
  /** The size of a shard of JSON Lines. */
  readonly bytes: number;
  /** The least rows of a shard by column. */
  readonly rows: number;
  /** How long this thread ranks rows by column alone, where every entry compiles: in milliseconds. */
  readonly aloneMs: number;
}

/**
 * Large enough to make the cost of a task negligible, small enough for all threads to end at about the same time. Rows by
 * column are ranked alone for as long as other threads take to start: so, whatever an entry costs, the work takes at most
 * twice the time that it would have taken with the better choice.
 */
export const SHARD_SIZES: ShardSizes = { bytes: 1024 * 1024, rows: 4096, aloneMs: 500 };

/** Of rows by column, of which a shard costs some 20 ms besides: about so many shards for each thread. */
const SHARDS_PER_THREAD = 16;

/** A file, cut for threads. */
export interface CutFile {
  readonly unit: 'bytes' | 'rows';
  /** How many of the unit there are. */
  readonly total: number;
  readonly shards: readonly Shard[];
  /** How many threads share it, this one included. */
  readonly workers: number;
  /** After how many milliseconds the others are started, where something is left for them. */
  readonly aloneMs: number;
}

/**
 * Cuts a file: JSON Lines at bytes, Parquet between row groups.
 *
 * @param most how many threads there may be
 */
export async function cutFile(
  file: VersionedFile,
  format: InputFormat | undefined,
  { fusedPass }: Pick<Plan, 'fusedPass'>,
  most: number,
  sizes: ShardSizes,
): Promise<CutFile> {
  if (format !== 'parquet') {
    const shards = [...cutIntoShards(file.size, sizes.bytes)];
    return { unit: 'bytes', total: file.size, shards, workers: Math.min(most, shards.length), aloneMs: 0 };
  }
  const { openTable } = await import('../input/table/open-table.js');
  const table = await openTable(file.path, format, { name: file.name });
  const { groups } = table;
  await table.close();
  const total = rowCount(table);
  const shards = joinGroups(groups, Math.max(sizes.rows, Math.ceil(total / (SHARDS_PER_THREAD * most))));
  const aloneMs = fusedPass ? sizes.aloneMs : 0;
  return { unit: 'rows', total, shards, workers: Math.min(most, shards.length), aloneMs };
}

/** Row groups as shards: small ones are put together. */
export function joinGroups(groups: readonly Shard[], least: number): Shard[] {
  const shards: Shard[] = [];
  for (const { from, to } of groups) {
    const last = shards.at(-1);
    if (last && last.to - last.from < least) shards[shards.length - 1] = { from: last.from, to };
    else if (to > from) shards.push({ from, to });
  }
  return shards;
}
