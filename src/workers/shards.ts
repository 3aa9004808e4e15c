import type { ReadBytesAt } from './versioned-file.js';

/** A part of a file by bytes: it has the lines that begin in it, whole. */
export interface Shard {
  readonly from: number;
  readonly to: number;
}

/** The lines of a shard, whole. */
export interface ShardLines {
  readonly bytes: Buffer;
  /** The offset of the first of them in the file. */
  readonly offset: number;
}

const NEWLINE = 10;
const FIRST_READ_AHEAD = 65_536;

/** Cuts a file into shards. */
export function* cutIntoShards(size: number, shardBytes: number): Generator<Shard> {
  for (let from = 0; from < size; from += shardBytes) yield { from, to: Math.min(size, from + shardBytes) };
}

/**
 * Reads the lines that begin in a shard. A line that its end cuts is read to the end; a line that its beginning cuts
 * belongs to the shard before.
 */
export async function readShardLines(read: ReadBytesAt, { from, to }: Shard, size: number): Promise<ShardLines> {
  // The byte before decides whether a line begins at `from`.
  const before = from === 0 ? 0 : 1;
  const part = await read(from - before, to - from + before);
  const start = before === 0 ? 0 : part.indexOf(NEWLINE) + 1;
  if ((before === 1 && start === 0) || start >= part.length) return { bytes: Buffer.alloc(0), offset: to };
  const parts = [part.subarray(start)];
  const offset = from - before + start;
  if (part[part.length - 1] === NEWLINE) return { bytes: parts[0]!, offset };
  for (let next = to, step = FIRST_READ_AHEAD; next < size; next += step, step *= 2) {
    // oxlint-disable-next-line no-await-in-loop -- whether there is more to read is known when this is read
    const more = await read(next, Math.min(step, size - next));
    const end = more.indexOf(NEWLINE) + 1;
    parts.push(end > 0 ? more.subarray(0, end) : more);
    if (end > 0 || more.length === 0) break;
  }
  return { bytes: parts.length === 1 ? parts[0]! : Buffer.concat(parts), offset };
}

/** How many lines end in some bytes: as many as come before the line that begins behind them. */
export function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

/** The bytes of a line in a file, without its newline. */
export interface LineSpan {
  readonly offset: number;
  readonly length: number;
}

/**
 * Finds lines of a shard.
 *
 * @param lines  their numbers, ascending, from 0 on
 * @param offset the offset of `bytes` in the file
 */
export function lineSpansOf(bytes: Buffer, lines: readonly number[], offset: number): LineSpan[] {
  let line = 0;
  let start = 0;
  return lines.map((wanted) => {
    for (; line < wanted; line++) start = bytes.indexOf(NEWLINE, start) + 1;
    const end = bytes.indexOf(NEWLINE, start);
    return { offset: offset + start, length: (end < 0 ? bytes.length : end) - start };
  });
}
