import { Columns, fieldReader, type GroupKey, mergeColumns, NO_COLUMN, readCell, rowsOf } from '../../data/index.js';
import type { ResultColumn } from '../../data/node.js';
import { parsePath, setOwn } from '../../expression/index.js';
import {
  type GroupBatch,
  GroupBatches,
  type RankStreamOptions,
  ranksTogether,
  type StreamRun,
} from '../../pipeline/index.js';
import type { ColumnKind } from './dialect.js';
import type { SqlEngine } from './engines/engine.js';
import {
  FACT_COLUMNS,
  type FieldColumn,
  type GroupColumnsPrefilter,
  translateGroupColumns,
} from './group-columns-statement.js';
import type { GroupedRelation } from './group-judgement.js';
import { absentWarnings, checkedKey, GroupEvaluator, type GroupRanking } from './group-ranker.js';
import type { GroupFacts } from './group-statement.js';
import { UNCERTAIN } from './kept-rows.js';
import { untranslatedNotices } from './statement.js';

/**
 * The fields that are read, as columns: those that ranking groups together needs, or all.
 *
 * @param isWhole whether candidates have all fields, because each group is ranked on its own
 * @returns undefined if groups are not ranked together, or if a column has no type with the same values in every format
 */
function fieldColumns(
  { plan }: StreamRun,
  { relation, by }: GroupedRelation,
  isWhole: boolean,
): readonly FieldColumn[] | undefined {
  const { fields } = plan.columnReader;
  const [first] = parsePath(by);
  if (first?.kind !== 'key') return undefined;
  const needed = fields && ranksTogether(plan) ? new Set([...fields, first.key]) : undefined;
  const names = isWhole ? relation.names : needed;
  if (!names) return undefined;
  const columns = [...names].flatMap((name) => relation.column(name) ?? []);
  const found = columns.flatMap((column) => {
    const kind = KINDS[column.kind];
    return kind ? [{ column, kind }] : [];
  });
  return found.length === columns.length ? found : undefined;
}

const KINDS: Readonly<Record<ColumnKind, ResultColumn['kind'] | undefined>> = {
  number: 'number',
  integer: 'number',
  bool: 'boolean',
  text: 'text',
  time: 'millis',
  json: undefined,
  other: undefined,
};

/** Groups are ranked together as soon as so many rows were returned. */
const ROWS_TOGETHER = 8192;

/** Ranks groups from the rows of one statement, which returns them by column: the first ones one by one, others together. */
export class GroupColumns {
  readonly #batches: GroupBatches;
  readonly #keysOf: ReturnType<typeof fieldReader>;
  #evaluated = 0;

  private constructor(
    private readonly engine: SqlEngine,
    private readonly run: StreamRun,
    private readonly fields: readonly FieldColumn[],
    private readonly prefilter: GroupColumnsPrefilter,
    by: string,
    private readonly evaluator: GroupEvaluator,
  ) {
    this.#batches = new GroupBatches(run.plan, {}, run.abort, run);
    this.#keysOf = fieldReader(by);
  }

  /**
   * @param isWhole as for `fieldColumns`
   * @returns undefined if the engine, the profile or the columns do not allow it, or if SQL decides nothing
   */
  static async open(
    engine: SqlEngine,
    run: StreamRun,
    grouped: GroupedRelation,
    facts: GroupFacts,
    isWhole: boolean,
    options: RankStreamOptions,
  ): Promise<GroupColumns | undefined> {
    const fields = engine.columns && fieldColumns(run, grouped, isWhole);
    const prefilter = fields && translateGroupColumns(run, grouped, fields, facts);
    if (!prefilter || prefilter.isIdle) return undefined;
    const absent = await absentWarnings(engine, run, grouped);
    const evaluator = new GroupEvaluator(run, grouped, prefilter.asSet, absent, options);
    return new GroupColumns(engine, run, fields, prefilter, grouped.by, evaluator);
  }

  /** The parts of the profile that the process evaluates, with the reasons. */
  get notices(): readonly string[] {
    return untranslatedNotices(this.prefilter);
  }

  /** The number of rows that the process has evaluated. */
  get evaluated(): number {
    return this.#evaluated;
  }

  /**
   * @param single the number of groups to rank one by one
   * @throws Error if groups cannot be ranked together, or if the engine and SQL disagree about a row
   */
  async *rank(single: number): AsyncGenerator<GroupRanking | GroupBatch, void> {
    let alone = single;
    for await (const rows of this.#wholeGroups()) {
      const groups = this.#groupsOf(rows);
      const together = Math.min(alone, groups.keys.length);
      // oxlint-disable-next-line no-await-in-loop -- one after another
      for (let k = 0; k < together; k++) yield await this.#rankAlone(groups, k);
      alone -= together;
      if (together < groups.keys.length) yield await this.#rankTogether(groups, together);
    }
  }

  /** The rows that the statement returns. No group continues in the next part. */
  async *#wholeGroups(): AsyncGenerator<Columns, void> {
    const facts = [...FACT_COLUMNS, ...this.prefilter.verdicts.map(refusedColumn)];
    const columns = [
      ...facts.map((name): ResultColumn => ({ name, kind: 'number' })),
      ...this.fields.map(({ kind }, k): ResultColumn => ({ name: `field${k}`, kind })),
    ];
    let open: Columns[] = [];
    let length = 0;
    for await (const part of this.engine.columns!(this.prefilter.sql, columns, this.run.abort)) {
      open.push(part);
      length += part.length;
      if (length < ROWS_TOGETHER) continue;
      const merged = mergeColumns(open);
      const last = startsOf(merged).at(-1)!; // its group may continue
      if (last > 0) yield merged.slice(0, last);
      open = [merged.slice(last, merged.length)];
      length = merged.length - last;
    }
    if (length > 0) yield mergeColumns(open);
  }

  #groupsOf(result: Columns): ResultGroups {
    const own = this.fields.map(
      ({ column }, k) => [column.name, result.columns.get(`field${k}`) ?? NO_COLUMN] as const,
    );
    const table = new Columns(new Map(own), result.length, result.from);
    const rows = rowsOf(table);
    const starts = startsOf(result);
    const keyAt = this.#keysOf(rows);
    this.#evaluated += result.length;
    const factOf = (name: FactColumn): ((row: number) => number) => {
      const { values } = result.columns.get(name)!;
      return (row) => Number(values[result.from + row]);
    };
    return {
      keys: starts.map((start) => checkedKey(keyAt(start))),
      starts: [...starts, result.length],
      table,
      rows,
      factOf,
    };
  }

  #rankAlone({ keys, starts, table, factOf }: ResultGroups, k: number): Promise<GroupRanking> {
    const [start, end] = [starts[k]!, starts[k + 1]!];
    const positions = Array.from({ length: end - start }, (_, row) => start + row);
    const [pos, verdict] = [factOf('pos'), factOf('verdict')];
    const chosen = positions.map((row) => ({ pos: pos(row), verdict: verdict(row), cells: '' }));
    const counts = new Map<number, number>();
    const add = (one: number, many: number): void => void (many > 0 && counts.set(one, many));
    add(0, factOf('scored')(start));
    for (const one of this.prefilter.verdicts) add(one, factOf(refusedColumn(one))(start));
    const sure = [...counts.values()].reduce((sum, many) => sum + many, 0);
    add(UNCERTAIN, factOf('given')(start) - sure);
    const candidates = positions.map((row) => rowOf(table, row));
    return this.evaluator.rank({ chosen, counts, below: factOf('below')(start) }, keys[k]!, candidates);
  }

  /** @param from the first group to rank */
  async #rankTogether({ keys, starts, rows, factOf }: ResultGroups, from: number): Promise<GroupBatch> {
    const firsts = starts.slice(from, -1);
    const sum = (fact: (row: number) => number): number => firsts.reduce((total, row) => total + fact(row), 0);
    const batch = await this.#batches.rank(rows, keys.slice(from), starts.slice(from), {
      given: sum(factOf('given')),
      ranked: sum(factOf('scored')),
      position: factOf('pos'),
      verdict: factOf('verdict'),
    });
    if (!batch) throw new Error('groups cannot be ranked together');
    return batch;
  }
}

type FactColumn = (typeof FACT_COLUMNS)[number] | ReturnType<typeof refusedColumn>;

const refusedColumn = (verdict: number) => `refused${verdict}` as const;

/** Whole groups of a result. */
interface ResultGroups {
  readonly keys: readonly GroupKey[];
  /** By group: the position of its first row; and the number of rows. */
  readonly starts: readonly number[];
  readonly table: Columns;
  /** The rows of the table, as candidates. */
  readonly rows: readonly object[];
  /** Reads a fact of a row by its position. */
  readonly factOf: (name: FactColumn) => (row: number) => number;
}

/** A row as an object. Absent values are null, as in rows that are returned as texts. */
function rowOf({ columns, from }: Columns, index: number): object {
  const row: Record<string, unknown> = {};
  for (const [name, column] of columns) setOwn(row, name, readCell(column, from + index) ?? null);
  return row;
}

/** By group: the position of its first row. */
function startsOf({ columns, from, length }: Columns): number[] {
  const firsts = columns.get('first')!.values;
  const starts: number[] = [];
  for (let row = 0; row < length; row++)
    if (row === 0 || firsts[from + row] !== firsts[from + row - 1]) starts.push(row);
  return starts;
}
