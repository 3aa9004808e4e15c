import { AssizeError, isObject, toAssizeError, toError } from '../base/index.js';
import {
  addCounts,
  type Columns,
  columnsOf,
  type DateFacts,
  dateFactsOf,
  fieldReader,
  GroupKeys,
  type GroupKey,
  groupText,
  keepDateFacts,
  rowsOf,
  sameGroup,
  toGroupKey,
} from '../data/index.js';
import type { RankOptions, Ranking } from '../ranking/index.js';
import type { Context } from '../sdk/index.js';
import { chunksOf, yieldToEventLoop } from './stream-run.js';

/** The context of every group, or a function that returns it from the group's first row and its key. */
export type PartitionContext<T> = Context | ((firstRow: T, group: GroupKey) => Context);

/** The options of `rankPartitions`. Limits, weights and the budget apply to each group. */
export interface RankPartitionsOptions<T> extends RankOptions {
  /** The field that names a row's group, as a path (`query.id`), or a function of the row. */
  readonly by: string | ((row: T) => unknown);
}

/** One group of rows, ranked on its own. */
export interface Partition<T> {
  /** The value that its rows have in common; null if they have none. */
  readonly group: GroupKey;
  /** The position of its first row in the whole input. Positions in the ranking count from the start of the group. */
  readonly from: number;
  /** The ranking of its rows. */
  readonly ranking: Ranking<T>;
}

/** Ranks the rows of one group. */
type RankGroup<T> = (rows: readonly T[], context: Context) => Ranking<T> | Promise<Ranking<T>>;

/** How rows are divided into groups, and ranked. */
interface PartitionRun<T> {
  readonly by: Grouping<T>;
  readonly context: PartitionContext<T>;
  readonly rank: RankGroup<T>;
  readonly abort: AbortSignal;
}

/** How a row's group is read. */
interface Grouping<T> {
  /** In messages. */
  readonly name: string;
  readonly keysOf: (rows: readonly T[]) => (index: number) => unknown;
}

/** @throws AssizeError (ASZ533) if `by` is missing, or is not a path */
export function groupingBy<T>(by: RankPartitionsOptions<T>['by'] | undefined): Grouping<T> {
  if (typeof by === 'function') return { name: 'group', keysOf: (rows) => (index) => by(rows[index]!) };
  const refuse = (found: string): Error => {
    const message = `the option by of rankPartitions ${found}; expected the path of a field, or a function`;
    return toAssizeError([{ code: 'ASZ533', message, hint: "for example { by: 'query_id' }" }]);
  };
  if (by === undefined) throw refuse('is missing');
  try {
    return { name: by, keysOf: fieldReader(by) };
  } catch (error) {
    throw refuse(`is ${JSON.stringify(by)}: ${toError(error).message}`);
  }
}

/** The rows in chunks. A list is one chunk, so that no group of it is copied in parts. */
export async function* partitionChunks<T>(
  rows: AsyncIterable<T> | Iterable<T>,
  abort: AbortSignal,
): AsyncGenerator<readonly T[], void> {
  if (Array.isArray(rows)) yield rows as readonly T[];
  else yield* chunksOf(rows, abort);
}

/**
 * Ranks each group of adjacent rows. Keeps one group and one chunk in memory, and a hash of each earlier group.
 *
 * @throws AssizeError if a group appears again (ASZ536), or if a row's value cannot name a group (ASZ502)
 */
export async function* rankPartitions<T>(
  chunks: AsyncIterable<readonly T[]>,
  { by, context, rank, abort }: PartitionRun<T>,
): AsyncGenerator<Partition<T>, void> {
  const contextOf = typeof context === 'function' ? context : (): Context => context;
  const seen = new GroupKeys();
  let group: GroupKey | undefined;
  let first = 0; // the position of the group's first row
  let open = new OpenGroup<T>();
  let offset = 0; // the position of the chunk
  let turn = 0; // the position at which the event loop last had a turn

  const complete = (rows: readonly T[]): Partition<T> | Promise<Partition<T>> => {
    const key = group!;
    const from = first;
    try {
      const ranking = rank(rows, contextOf(rows[0]!, key));
      if (!(ranking instanceof Promise)) return { group: key, from, ranking };
      return ranking.then(
        (done) => ({ group: key, from, ranking: done }),
        (error: unknown) => {
          throw inGroup(key, error);
        },
      );
    } catch (error) {
      throw inGroup(key, error);
    }
  };

  for await (const chunk of chunks) {
    const keyAt = by.keysOf(chunk);
    let start = 0;
    for (let i = 0; i < chunk.length; i++) {
      const key = keyOf(keyAt(i), by.name, offset + i);
      if (group !== undefined && sameGroup(key, group)) continue;
      if (!seen.add(key)) throw notAdjacent(key, by.name, offset + i);
      if (group !== undefined) {
        const partition = complete(open.close(chunk, start, i));
        yield partition instanceof Promise ? await partition : partition;
        if (offset + i - turn >= ROWS_PER_TURN) {
          await yieldToEventLoop(abort);
          turn = offset + i;
        }
        open = new OpenGroup<T>();
        start = i;
      }
      group = key;
      first = offset + i;
    }
    if (start < chunk.length) open.add(chunk, start, chunk.length);
    offset += chunk.length;
  }
  if (group !== undefined) yield await complete(open.close([], 0, 0));
}

/** After so many rows, timers, other requests and an abort can run. */
const ROWS_PER_TURN = 1024;

/** Groups with fewer rows are ranked as objects, because opening columns costs more than making these objects. */
const ROWS_FOR_COLUMNS = 64;

/** The rows of a group that is not complete, from several chunks. */
class OpenGroup<T> {
  #rows: T[] | undefined;
  /** The date columns of its chunks, which the objects of their rows do not have. */
  #dates: DateFacts[] | undefined;

  add(chunk: readonly T[], from: number, to: number): void {
    const rows = (this.#rows ??= []);
    const columns = columnsOf(chunk);
    if (!columns) {
      for (let k = from; k < to; k++) rows.push(chunk[k]!);
      return;
    }
    // Not through the list, which would keep the objects.
    for (let k = from; k < to; k++) rows.push(columns.row(k) as T);
    const dates = dateFactsOf(chunk);
    if (!dates || to === from) return;
    (this.#dates ??= []).push({ fields: dates.fields, infinite: () => columns.slice(from, to).infiniteDates() });
  }

  /** The rows of the group, including the last ones. */
  close(chunk: readonly T[], from: number, to: number): readonly T[] {
    const columns = columnsOf(chunk);
    if (!this.#rows && !columns) return chunk.slice(from, to);
    if (!this.#rows && columns && to - from >= ROWS_FOR_COLUMNS) return partOf(columns, from, to);
    this.add(chunk, from, to);
    const rows = this.#rows ?? [];
    if (this.#dates) keepDateFacts(rows, mergedFacts(this.#dates));
    return rows;
  }
}

/** A part of a list of columns, as columns. */
const partOf = <T>(columns: Columns, from: number, to: number): readonly T[] =>
  rowsOf(columns.slice(from, to)) as readonly unknown[] as readonly T[];

function mergedFacts(parts: readonly DateFacts[]): DateFacts {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  return {
    fields: new Set(parts.flatMap(({ fields }) => [...fields])),
    infinite: () => parts.map(({ infinite }) => infinite()).reduce(addCounts),
  };
}

function keyOf(value: unknown, name: string, row: number): GroupKey {
  const key = toGroupKey(value);
  if (!isObject(key) || !('invalid' in key)) return key;
  const message = `row ${row}, counted from 0, has no usable group: ${name} is ${key.invalid}`;
  throw toAssizeError([{ code: 'ASZ502', message, hint: 'convert the value to a text' }]);
}

function notAdjacent(key: GroupKey, name: string, row: number): Error {
  const message = `row ${row}, counted from 0, belongs to an earlier group, ${name} ${shown(key)}: the rows of a group must be adjacent`;
  const hint = `sort the rows by ${name}; on the command line, --sort does this`;
  return toAssizeError([{ code: 'ASZ536', message, hint }]);
}

const shown = (key: GroupKey): string => (typeof key === 'string' ? JSON.stringify(key) : groupText(key));

/** Adds the group to the error of its ranking. */
function inGroup(key: GroupKey, error: unknown): unknown {
  if (!(error instanceof AssizeError)) return error;
  const problems = error.problems.map((one) => ({ ...one, message: `in group ${shown(key)}: ${one.message}` }));
  return toAssizeError(problems, { cause: error });
}
