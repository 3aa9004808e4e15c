import type { ReadBytesAt } from './versioned-file.js';

/** A part of a file by bytes: it has the lines that begin in it, whole. */
export interface Shard {
  readonly from: number;
  readonly to: number;
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
 *
 * @returns the lines, and the offset of the first in the file
 */
export function readShardLines(
  read: ReadBytesAt,
  { from, to }: Shard,
  size: number,
): { bytes: Buffer; offset: number } {
  // The byte before decides whether a line begins at `from`.
  const before = from === 0 ? 0 : 1;
  const part = read(from - before, to - from + before);
  const start = before === 0 ? 0 : part.indexOf(NEWLINE) + 1;
  if ((before === 1 && start === 0) || start >= part.length) return { bytes: Buffer.alloc(0), offset: to };
  const parts = [part.subarray(start)];
  const offset = from - before + start;
  if (part[part.length - 1] === NEWLINE) return { bytes: parts[0]!, offset };
  for (let next = to, step = FIRST_READ_AHEAD; next < size; next += step, step *= 2) {
    const more = read(next, Math.min(step, size - next));
    const end = more.indexOf(NEWLINE) + 1;
    parts.push(end > 0 ? more.subarray(0, end) : more);
    if (end > 0 || more.length === 0) break;
  }
  return { bytes: parts.length === 1 ? parts[0]! : Buffer.concat(parts), offset };
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
