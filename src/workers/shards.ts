import type { ReadBytesAt } from './versioned-file.js';

/** A part of a file: the lines that begin in it, whole. */
export interface Shard {
  readonly from: number;
  readonly to: number;
}

const NEWLINE = 10;
const FIRST_READ_AHEAD = 65_536;

/** Cuts a file into parts of so many bytes. */
export function* cutIntoShards(size: number, bytes: number): Generator<Shard> {
  for (let from = 0; from < size; from += bytes) yield { from, to: Math.min(size, from + bytes) };
}

/**
 * The lines that begin in a part of a file. The one that its end cuts is read on; the one that its beginning cuts
 * belongs to who has its start.
 *
 * @returns the lines, with the place in the file where they begin
 */
export function readShardLines(read: ReadBytesAt, { from, to }: Shard, size: number): { bytes: Buffer; at: number } {
  // The byte before says whether a line begins with the part.
  const before = from === 0 ? 0 : 1;
  const part = read(from - before, to - from + before);
  const start = before === 0 ? 0 : part.indexOf(NEWLINE) + 1;
  if ((before === 1 && start === 0) || start >= part.length) return { bytes: Buffer.alloc(0), at: to };
  const parts = [part.subarray(start)];
  const at = from - before + start;
  if (part[part.length - 1] === NEWLINE) return { bytes: parts[0]!, at };
  for (let next = to, step = FIRST_READ_AHEAD; next < size; next += step, step *= 2) {
    const more = read(next, Math.min(step, size - next));
    const end = more.indexOf(NEWLINE) + 1;
    parts.push(end > 0 ? more.subarray(0, end) : more);
    if (end > 0 || more.length === 0) break;
  }
  return { bytes: parts.length === 1 ? parts[0]! : Buffer.concat(parts), at };
}

/** Where a line is in a file, without its end. */
export interface LineSpan {
  readonly at: number;
  readonly length: number;
}

/**
 * Where some lines of a part are.
 *
 * @param lines their numbers, ascending, the first of the part being 0
 * @param at    where in the file the part begins
 */
export function lineSpansOf(bytes: Buffer, lines: readonly number[], at: number): LineSpan[] {
  let line = 0;
  let start = 0;
  return lines.map((wanted) => {
    for (; line < wanted; line++) start = bytes.indexOf(NEWLINE, start) + 1;
    const end = bytes.indexOf(NEWLINE, start);
    return { at: at + start, length: (end < 0 ? bytes.length : end) - start };
  });
}
