import type { InputFormat } from '../input/codecs.js';
import { cutIntoShards, type Shard } from './shards.js';
import type { VersionedFile } from './versioned-file.js';

/** The least size of a shard. */
export interface ShardSizes {
  readonly bytes: number;
  readonly rows: number;
}

/** Large enough to make the cost of a task negligible, small enough for all threads to end at about the same time. */
export const SHARD_SIZES: ShardSizes = { bytes: 1024 * 1024, rows: 4096 };

/** A file, cut for threads. */
export interface CutFile {
  readonly unit: 'bytes' | 'rows';
  /** How many of the unit there are. */
  readonly total: number;
  readonly shards: readonly Shard[];
}

/** Cuts a file: JSON Lines at bytes, Parquet between row groups. */
export async function cutFile(
  file: VersionedFile,
  format: InputFormat | undefined,
  sizes: ShardSizes,
): Promise<CutFile> {
  if (format !== 'parquet')
    return { unit: 'bytes', total: file.size, shards: [...cutIntoShards(file.size, sizes.bytes)] };
  const { openTable } = await import('../input/table/open-table.js');
  const { groups, close } = await openTable(file.path, format, { name: file.name });
  await close();
  return { unit: 'rows', total: groups.at(-1)?.to ?? 0, shards: joinGroups(groups, sizes.rows) };
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
