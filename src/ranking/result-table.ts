import { toAssizeError } from '../base/index.js';
import { ownValue } from '../expression/index.js';
import type { GroupKey, OutputColumn, TableBatch } from '../data/index.js';
import type { RankingResult, Selected, NotSelected } from './rows.js';
import type { ScoreTerms } from './score-terms.js';
import { termsOf } from './ranking-json.js';

/** The columns of a ranking as a table, in their order. */
export interface ResultTableOptions {
  /** The name of the column of groups; undefined for a ranking without groups. */
  readonly group?: string | undefined;
  /** The ids of the profile's scorers. */
  readonly scorers: readonly string[];
  /** Whether the combine method has contributions. */
  readonly contributions: boolean;
}

/** The names of the columns that every table has. */
const FIXED: readonly OutputColumn[] = [
  { name: 'id', type: 'text' },
  { name: 'index', type: 'integer' },
  { name: 'rank', type: 'integer' },
  { name: 'score', type: 'number' },
  { name: 'status', type: 'text' },
  { name: 'refused_by', type: 'text' },
  { name: 'reason', type: 'text' },
];

/**
 * The columns of a table of results:
 *
 * - the group, with the name of its field
 * - `id`, `index`: the candidate's id, and its position in the input, or in its group
 * - `rank`, `score`: null if the candidate was not scored
 * - `status`: `selected`, `not_selected` or `refused`
 * - `refused_by`, `reason`: the entry that refused it, and why it was not selected
 * - `score_ID`, `contribution_ID`: for each scorer, as `ScoreTerms` has them
 */
export function resultColumns({ group, scorers, contributions }: ResultTableOptions): readonly OutputColumn[] {
  return [
    ...(group === undefined ? [] : [{ name: group, type: 'key' as const }]),
    ...FIXED,
    ...scorers.map((id) => ({ name: `score_${id}`, type: 'number' as const })),
    ...(contributions ? scorers.map((id) => ({ name: `contribution_${id}`, type: 'number' as const })) : []),
  ];
}

/**
 * Checks that a table does not get an id that is no id of the input: larger whole numbers than 2^53 have lost digits when
 * they were read.
 *
 * @param id the field `id` of a candidate
 * @throws AssizeError (ASZ502)
 */
export function checkId(id: unknown): void {
  if (typeof id !== 'number' || !Number.isInteger(id) || Number.isSafeInteger(id)) return;
  const message = `the id ${id} is beyond 2^53, so it may have lost digits`;
  throw toAssizeError([{ code: 'ASZ502', message, hint: 'convert the ids to texts' }]);
}

/** The rows of a batch: a row group of Parquet. */
export const BATCH_ROWS = 32_768;

/** Adds the rows of rankings to a batch of a table. */
export class ResultRows {
  readonly #scorers: readonly string[];
  readonly #hasGroup: boolean;
  readonly #contributions: boolean;

  constructor({ group, scorers, contributions }: ResultTableOptions) {
    this.#scorers = scorers;
    this.#hasGroup = group !== undefined;
    this.#contributions = contributions;
  }

  /**
   * Adds the selected rows in their order; with `all`, then those not selected by rank, then the refused. Yields
   * whenever the batch is full, so that the caller writes and clears it.
   *
   * @param group ignored if the table has no column of groups
   */
  *add(batch: TableBatch, ranking: RankingResult<unknown>, group: GroupKey, all: boolean): Generator<void, void> {
    for (const row of ranking.selected) {
      this.#addScored(batch, ranking, group, row, 'selected', row.because ?? null);
      if (batch.length >= BATCH_ROWS) yield;
    }
    if (!all) return;
    for (const row of ranking.each?.('notSelected') ?? []) {
      this.#addScored(batch, ranking, group, row, 'not_selected', row.text);
      if (batch.length >= BATCH_ROWS) yield;
    }
    for (const { id, index, by, reason } of ranking.each?.('refused') ?? []) {
      this.#push(batch, group, [id, index, null, null, 'refused', by, reason], undefined);
      if (batch.length >= BATCH_ROWS) yield;
    }
  }

  #addScored(
    batch: TableBatch,
    ranking: RankingResult<unknown>,
    group: GroupKey,
    row: Selected<unknown> | NotSelected<unknown>,
    status: string,
    reason: string | null,
  ): void {
    const { id, index, rank = null, score = null } = row;
    checkId(ownValue(row.candidate, 'id'));
    this.#push(batch, group, [id, index, rank, score, status, null, reason], termsOf(ranking, row));
  }

  /** @param fixed the cells of `FIXED` */
  #push(batch: TableBatch, group: GroupKey, fixed: FixedCells, terms: ScoreTerms | undefined): void {
    const first = Number(this.#hasGroup);
    if (this.#hasGroup) batch.list(0).push(group);
    const [id, index, rank, score, ...texts] = fixed;
    batch.list(first).push(id);
    for (const [k, number] of [index, rank, score].entries()) batch.numbers(first + 1 + k).push(number);
    for (const [k, text] of texts.entries()) batch.list(first + 4 + k).push(text);
    let k = first + FIXED.length;
    for (const one of this.#scorers) batch.numbers(k++).push(terms?.scores[one] ?? null);
    if (!this.#contributions) return;
    for (const one of this.#scorers) batch.numbers(k++).push(terms?.contributions?.[one] ?? null);
  }

  /** Adds the rows of groups that were ranked together, column by column. */
  addAll(batch: TableBatch, rows: GroupRows): void {
    const { groups, ends, ids, index, ranks, scores, values, contributions } = rows;
    const count = ids.length;
    let k = 0;
    if (this.#hasGroup) {
      const keys = batch.list(k++);
      let row = 0;
      for (const [n, group] of groups.entries()) for (; row < ends[n]!; row++) keys.push(group);
    }
    const idCells = batch.list(k++);
    for (const id of ids) idCells.push(id);
    for (const column of [index, ranks, scores]) {
      const cells = batch.numbers(k++);
      for (let row = 0; row < count; row++) cells.push(column[row]!);
    }
    for (const text of ['selected', null, null]) {
      const cells = batch.list(k++);
      for (let row = 0; row < count; row++) cells.push(text);
    }
    const addNumbers = (columns: readonly Float64Array[]): void => {
      for (const [n, column] of columns.entries()) {
        const cells = batch.numbers(k++);
        const value = values[n]!;
        for (let row = 0; row < count; row++) cells.push(Number.isNaN(value[row]) ? null : column[row]!);
      }
    };
    addNumbers(values);
    if (this.#contributions) addNumbers(contributions);
  }
}

/** The cells of `FIXED`. */
type FixedCells = readonly [
  id: string,
  index: number,
  rank: number | null,
  score: number | null,
  status: string,
  refusedBy: string | null,
  reason: string | null,
];

/** The selected rows of several groups, by column. */
export interface GroupRows {
  readonly groups: readonly GroupKey[];
  /** By group: the number of selected rows of it and of the groups before it. */
  readonly ends: Int32Array;
  // By selected row, best first in each group:
  readonly ids: readonly string[];
  /** The position in the group. */
  readonly index: Int32Array;
  readonly ranks: Int32Array;
  readonly scores: Float64Array;
  /** By scorer of the profile: the number of each row; NaN if the scorer is not part of the score. */
  readonly values: readonly Float64Array[];
  /** By scorer: its contributions; arbitrary if its number is NaN. Empty if the combine method has none. */
  readonly contributions: readonly Float64Array[];
}
