import { AssizeError, isObject, toAssizeError, toError } from '../base/index.js';
import {
  addCounts,
  type Columns,
  columnsOf,
  type DateFacts,
  dateFactsOf,
  groupReader,
  GroupKeys,
  type GroupKey,
  groupText,
  keepDateFacts,
  mergeChunks,
  rowsOf,
  sameGroup,
  toGroupKey,
} from '../data/index.js';
import type { RankOptions, Ranking } from '../ranking/index.js';
import type { Context } from '../sdk/index.js';
import type { GroupBatch, GroupBatches } from './group-batch.js';
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

/** How groups are ranked that are a part of a larger input. */
export interface PartitionPart {
  /**
   * The number of groups that are ranked one by one, because their warnings are needed. Later groups are ranked together
   * if possible. Default: all.
   */
  readonly single?: number | undefined;
  /** The groups of the rows before. The groups of the part are added. */
  readonly seen?: GroupKeys | undefined;
  /** The number of rows before, for positions in errors. Default: 0. */
  readonly before?: number | undefined;
  /** The time of all groups. */
  readonly now?: number | undefined;
}

/** Ranks the rows of one group. */
type RankGroup<T> = (rows: readonly T[], context: Context) => Ranking<T> | Promise<Ranking<T>>;

/** How rows are divided into groups, and ranked. */
interface PartitionRun<T> {
  readonly by: Grouping<T>;
  readonly context: PartitionContext<T>;
  readonly rank: RankGroup<T>;
  /** Ranks many groups at once; undefined if the profile or the call does not allow it. */
  readonly batches: Pick<GroupBatches, 'rank' | 'rows'> | undefined;
  readonly abort: AbortSignal;
  readonly part: PartitionPart;
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
    return { name: by, keysOf: groupReader(by) };
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

/** The adjacent rows of one group in a chunk. */
interface Segments {
  readonly groups: readonly GroupKey[];
  /** By segment: the position of its first row; and after the last segment, the position after its last row. */
  readonly starts: readonly number[];
  /** The error of the row after the last segment. */
  readonly failure: unknown;
}

/** Ranks each group of adjacent rows. Keeps one group and one chunk in memory, and a hash of each earlier group. */
export class PartitionRanker<T> {
  readonly #contextOf: (firstRow: T, group: GroupKey) => Context;
  readonly #seen: GroupKeys;
  #group: GroupKey | undefined;
  /** The position of the group's first row. */
  #first = 0;
  #open = new OpenGroup<T>();
  /** The position at which the event loop last had a turn. */
  #turn = 0;

  constructor(private readonly run: PartitionRun<T>) {
    const { context, part } = run;
    this.#seen = part.seen ?? new GroupKeys();
    this.#contextOf = typeof context === 'function' ? context : () => context;
  }

  /** @throws AssizeError if a group appears again (ASZ536), or if a row's value cannot name a group (ASZ502) */
  rank(chunks: AsyncIterable<readonly T[]>): AsyncGenerator<Partition<T>, void> {
    return this.#rank(chunks, undefined, 0);
  }

  /** The same, but ranks groups together after `single` groups, if their rows are in columns. */
  rankTogether(chunks: AsyncIterable<readonly T[]>): AsyncGenerator<Partition<T> | GroupBatch, void> {
    const { batches, part } = this.run;
    if (part.single === undefined) return this.rank(chunks);
    return this.#rank(batches ? mergeChunks(chunks, ROWS_TOGETHER) : chunks, batches, part.single);
  }

  #rank(chunks: AsyncIterable<readonly T[]>, batches: undefined, first: number): AsyncGenerator<Partition<T>, void>;
  #rank(
    chunks: AsyncIterable<readonly T[]>,
    batches: PartitionRun<T>['batches'],
    first: number,
  ): AsyncGenerator<Partition<T> | GroupBatch, void>;
  async *#rank(
    chunks: AsyncIterable<readonly T[]>,
    batches: PartitionRun<T>['batches'],
    first: number,
  ): AsyncGenerator<Partition<T> | GroupBatch, void> {
    let offset = this.run.part.before ?? 0; // the position of the chunk
    let single = first; // the number of groups to rank one by one
    for await (const chunk of chunks) {
      const { groups, starts, failure } = this.#segments(chunk, offset);
      const last = groups.length - 1; // it may continue in the next chunk
      for (let k = 0; k <= last; k++) {
        const [from, to] = [starts[k]!, starts[k + 1]!];
        if (this.#group === undefined || k > 0 || !sameGroup(groups[0]!, this.#group)) {
          if (this.#group !== undefined) {
            const partition = this.#complete([], 0, 0);
            yield partition instanceof Promise ? await partition : partition;
            if (this.#isTurn(offset + from)) await yieldToEventLoop(this.run.abort);
            single -= 1;
          }
          if (batches && single <= 0 && k < last) {
            const next = groupAfter(starts, k, last, batches.rows);
            const batch = await batches.rank(chunk, groups.slice(k, next), starts.slice(k, next + 1));
            if (batch) {
              yield batch;
              if (this.#isTurn(offset + starts[next]!)) await yieldToEventLoop(this.run.abort);
              k = next - 1;
              continue;
            }
            single = next - k;
          }
          this.#group = groups[k]!;
          this.#first = offset + from;
        }
        if (k === last) this.#open.add(chunk, from, to);
        else {
          const partition = this.#complete(chunk, from, to);
          yield partition instanceof Promise ? await partition : partition;
          if (this.#isTurn(offset + to)) await yieldToEventLoop(this.run.abort);
          single -= 1;
        }
      }
      if (failure !== undefined) throw failure;
      offset += chunk.length;
    }
    if (this.#group !== undefined) yield await this.#complete([], 0, 0);
  }

  /** Divides a chunk into segments, up to the first row whose group is not usable. */
  #segments(chunk: readonly T[], offset: number): Segments {
    const { by } = this.run;
    const keyAt = by.keysOf(chunk);
    const groups: GroupKey[] = [];
    const starts: number[] = [];
    let group = this.#group;
    let value: unknown = NONE;
    try {
      for (let i = 0; i < chunk.length; i++) {
        const next = keyAt(i);
        if (next === value && i > 0) continue;
        value = next;
        const key = keyOf(value, by.name, offset + i);
        const isSame = group !== undefined && sameGroup(key, group);
        if (isSame && i > 0) continue;
        if (!isSame && !this.#seen.add(key)) throw notAdjacent(key, by.name, offset + i);
        groups.push(key);
        starts.push(i);
        group = key;
      }
    } catch (failure) {
      return { groups, starts: [...starts, starts.at(-1) ?? 0], failure };
    }
    return { groups, starts: [...starts, chunk.length], failure: undefined };
  }

  /** Ranks the open group, with some more rows. */
  #complete(chunk: readonly T[], from: number, to: number): Partition<T> | Promise<Partition<T>> {
    const rows = this.#open.close(chunk, from, to);
    const group = this.#group!;
    const first = this.#first;
    this.#open = new OpenGroup<T>();
    this.#group = undefined;
    try {
      const ranking = this.run.rank(rows, this.#contextOf(rows[0]!, group));
      if (!(ranking instanceof Promise)) return { group, from: first, ranking };
      return ranking.then(
        (done) => ({ group, from: first, ranking: done }),
        (error: unknown) => {
          throw inGroup(group, error);
        },
      );
    } catch (error) {
      throw inGroup(group, error);
    }
  }

  /** Whether the event loop must have a turn now. */
  #isTurn(position: number): boolean {
    if (position - this.#turn < ROWS_PER_TURN) return false;
    this.#turn = position;
    return true;
  }
}

/** The segment before which at most `rows` rows are, from segment `first` on: at least one segment, up to `last`. */
function groupAfter(starts: readonly number[], first: number, last: number, rows: number): number {
  let next = first + 1;
  while (next < last && starts[next + 1]! - starts[first]! <= rows) next += 1;
  return next;
}

/** No value of a field. */
const NONE = Symbol('none');

/** The least number of rows to evaluate at once: their groups are complete, except for the first and the last one. */
const ROWS_TOGETHER = 8192;

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
  const hint = `sort the rows by ${name}; on the command line, --sort does this with DuckDB (npm install @duckdb/node-api)`;
  return toAssizeError([{ code: 'ASZ536', message, hint }]);
}

const shown = (key: GroupKey): string => (typeof key === 'string' ? JSON.stringify(key) : groupText(key));

/** Adds the group to the error of its ranking. */
function inGroup(key: GroupKey, error: unknown): unknown {
  if (!(error instanceof AssizeError)) return error;
  const problems = error.problems.map((one) => ({ ...one, message: `in group ${shown(key)}: ${one.message}` }));
  return toAssizeError(problems, { cause: error });
}
