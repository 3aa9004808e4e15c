import { columnsOf, type GroupKey, groupReader, rowsOf, sameGroup, toGroupKey } from '../../data/index.js';
import { parseJsonLines } from '../../data/node.js';
import { type ReadBytesAt, type Shard, ShardLines } from './shard-lines.js';

/** The rows of a file around a shard. */
export interface ShardRows {
  /** The rows that begin in the shard. */
  readonly own: AsyncIterable<readonly object[]> | Iterable<readonly object[]>;
  /** The rows after the shard, read only as far as they are needed. */
  readonly after: AsyncIterable<readonly object[]> | Iterable<readonly object[]>;
  /** Whether the shard begins the file. */
  readonly isFirst: boolean;
}

/**
 * Returns the rows of the whole groups of a shard, so that the groups of all shards are those of the file.
 *
 * At a boundary, the file is cut after the group that has the first row behind the boundary. Both shards find this place
 * without a look at the rows before it. A shard in the middle of a large group has no rows.
 *
 * @param by the path of the group
 */
export async function* rowsOfWholeGroups(
  { own, after, isFirst }: ShardRows,
  by: string,
): AsyncGenerator<readonly object[], void> {
  const keysOf = keyReader(by);
  let isOpen = isFirst;
  let lead: KeyOrInvalid | undefined; // the group of the first row, which an earlier shard ranks
  for await (const chunk of own) {
    if (isOpen || chunk.length === 0) {
      if (isOpen) yield chunk;
      continue;
    }
    const keyAt = keysOf(chunk);
    lead ??= { key: keyAt(0) };
    const start = firstOther(chunk, keyAt, lead.key);
    if (start === chunk.length) continue;
    isOpen = true;
    yield part(chunk, start, chunk.length);
  }
  let last: KeyOrInvalid | undefined;
  for await (const chunk of after) {
    if (chunk.length === 0) continue;
    const keyAt = keysOf(chunk);
    if (!last) {
      last = { key: keyAt(0) };
      if (!isOpen && (!lead || isSame(lead.key, last.key))) return;
    }
    const end = firstOther(chunk, keyAt, last.key);
    if (end > 0) yield part(chunk, 0, end);
    if (end < chunk.length) return;
  }
}

interface KeyOrInvalid {
  /** Undefined if the value cannot name a group. The shard that ranks this row reports it. */
  readonly key: GroupKey | undefined;
}

function keyReader(by: string): (rows: readonly object[]) => (index: number) => GroupKey | undefined {
  const reader = groupReader(by);
  return (rows) => {
    const valueAt = reader(rows);
    return (index) => {
      const key = toGroupKey(valueAt(index));
      return typeof key === 'object' && key !== null && 'invalid' in key ? undefined : key;
    };
  };
}

const isSame = (a: GroupKey | undefined, b: GroupKey | undefined): boolean =>
  a === undefined || b === undefined ? a === b : sameGroup(a, b);

/** The position of the first row of another group; the length of the chunk if all rows are of this group. */
function firstOther(
  chunk: readonly object[],
  keyAt: (index: number) => GroupKey | undefined,
  key: GroupKey | undefined,
): number {
  for (let row = 0; row < chunk.length; row++) if (!isSame(keyAt(row), key)) return row;
  return chunk.length;
}

function part(chunk: readonly object[], from: number, to: number): readonly object[] {
  if (from === 0 && to === chunk.length) return chunk;
  const columns = columnsOf(chunk);
  return columns ? rowsOf(columns.slice(from, to)) : chunk.slice(from, to);
}

/** Rows per chunk of lines. */
const CHUNK_ROWS = 1024;
const FIRST_BYTES_AFTER = 65_536;
const MOST_BYTES_AFTER = 1024 * 1024;

/**
 * The rows of a shard of JSON Lines, and those after it.
 *
 * @param size         of the file
 * @param onUnreadable called for each line of the shard that cannot be read. Such lines are skipped.
 */
export function shardOfLines(read: ReadBytesAt, shard: Shard, size: number, onUnreadable: () => void): ShardRows {
  const after = async function* (): AsyncGenerator<ShardLines, void> {
    for (let from = shard.to, step = FIRST_BYTES_AFTER; from < size; ) {
      const to = Math.min(size, from + step);
      yield await ShardLines.read(read, { from, to }, size);
      from = to;
      step = Math.min(MOST_BYTES_AFTER, 2 * step);
    }
  };
  return rowsOfLines(() => ShardLines.read(read, shard, size), after(), shard.from === 0, onUnreadable);
}

/**
 * The rows of the lines of a shard, and of those after it, which are read as far as they are needed.
 *
 * @param onUnreadable called for each line of the shard that cannot be read. Such lines are skipped.
 */
export function rowsOfLines(
  own: () => Promise<ShardLines>,
  after: AsyncIterable<ShardLines>,
  isFirst: boolean,
  onUnreadable: () => void,
): ShardRows {
  const afterRows = async function* (): AsyncGenerator<readonly object[], void> {
    for await (const lines of after) yield* rowsIn(lines, () => {});
  };
  const ownRows = async function* (): AsyncGenerator<readonly object[], void> {
    yield* rowsIn(await own(), onUnreadable);
  };
  return { own: ownRows(), after: afterRows(), isFirst };
}

function* rowsIn({ bytes, offset }: ShardLines, onUnreadable: () => void): Generator<readonly object[], void> {
  const skip = (): boolean => {
    onUnreadable();
    return true;
  };
  for (const { values } of parseJsonLines(bytes, offset === 0, CHUNK_ROWS, skip)) yield values;
}
