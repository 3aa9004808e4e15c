import { readJsonLines, RowProblems, type TextInput } from '../../data/node.js';
import { SAMPLE_SIZE } from '../../ranking/index.js';

/** A byte range of a file. The shard has every line that begins in the range, as a whole. */
export interface Shard {
  readonly from: number;
  readonly to: number;
}

/** Reads up to `length` bytes at an offset. A local file is read synchronously. */
export type ReadBytesAt = (position: number, length: number) => Uint8Array | Promise<Uint8Array>;

const NEWLINE = 10;
const FIRST_READ_AHEAD = 65_536;

/** The lines of a shard of JSON Lines, whole. */
export class ShardLines {
  /** @param offset the offset of the first line in the file */
  private constructor(
    readonly bytes: Uint8Array,
    readonly offset: number,
  ) {}

  /**
   * Reads the lines that begin in a shard. A line that crosses the end of the shard is read to its end. A line that
   * crosses the start belongs to the previous shard.
   *
   * @param size the size of the file
   */
  static async read(read: ReadBytesAt, { from, to }: Shard, size: number): Promise<ShardLines> {
    // The byte before decides whether a line begins at `from`.
    const before = from === 0 ? 0 : 1;
    const part = await read(from - before, to - from + before);
    const start = before === 0 ? 0 : part.indexOf(NEWLINE) + 1;
    if ((before === 1 && start === 0) || start >= part.length) return new ShardLines(Buffer.alloc(0), to);
    const parts = [part.subarray(start)];
    const offset = from - before + start;
    if (part[part.length - 1] === NEWLINE) return new ShardLines(parts[0]!, offset);
    for (let next = to, step = FIRST_READ_AHEAD; next < size; next += step, step *= 2) {
      // oxlint-disable-next-line no-await-in-loop -- each read decides whether another one follows
      const more = await read(next, Math.min(step, size - next));
      const end = more.indexOf(NEWLINE) + 1;
      parts.push(end > 0 ? more.subarray(0, end) : more);
      if (end > 0 || more.length === 0) break;
    }
    return new ShardLines(parts.length === 1 ? parts[0]! : Buffer.concat(parts), offset);
  }

  /** The number of line ends: the number of lines before the line that begins after these lines. */
  get count(): number {
    let count = 0;
    for (let at = this.bytes.indexOf(NEWLINE); at >= 0; at = this.bytes.indexOf(NEWLINE, at + 1)) count += 1;
    return count;
  }

  /**
   * Reads the candidates. Collects the problems of the lines that cannot be read.
   *
   * @param name        the name of the file in problems
   * @param linesBefore the number of lines before the shard, for the places of problems
   */
  candidates(name: string, problems: RowProblems, linesBefore: number): AsyncIterable<readonly object[]> {
    return readJsonLines([this.bytes], name, problems, linesBefore);
  }
}

/** The bytes of a line in a file, without its newline. */
export interface LineSpan {
  readonly offset: number;
  readonly length: number;
}

/**
 * Finds lines of a shard.
 *
 * @param lines  their numbers in ascending order, starting at 0
 * @param offset the offset of `bytes` in the file
 */
export function lineSpansOf(bytes: Uint8Array, lines: readonly number[], offset: number): LineSpan[] {
  let line = 0;
  let start = 0;
  return lines.map((wanted) => {
    for (; line < wanted; line++) start = bytes.indexOf(NEWLINE, start) + 1;
    const end = bytes.indexOf(NEWLINE, start);
    return { offset: offset + start, length: (end < 0 ? bytes.length : end) - start };
  });
}

/** The first `SAMPLE_SIZE` candidates of JSON Lines. Skips lines that cannot be read. */
export async function firstCandidates(input: TextInput): Promise<readonly object[]> {
  const first: object[] = [];
  for await (const rows of readJsonLines(input, '', new RowProblems())) {
    first.push(...rows.slice(0, SAMPLE_SIZE - first.length));
    if (first.length === SAMPLE_SIZE) break;
  }
  return first;
}
