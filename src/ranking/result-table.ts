import type { GroupKey, OutputCell, OutputColumn, TableBatch } from '../data/index.js';
import type { RankingResult, Refused, Selected, NotSelected } from './rows.js';
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

/** The rows of a batch: a row group of Parquet. */
const BATCH_ROWS = 32_768;

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
      const reason = row.because ?? null;
      this.#add(batch, group, { ...placeOf(row), status: 'selected', reason }, termsOf(ranking, row));
      if (batch.length >= BATCH_ROWS) yield;
    }
    if (!all) return;
    for (const row of ranking.each?.('notSelected') ?? []) {
      this.#add(batch, group, { ...placeOf(row), status: 'not_selected', reason: row.text }, termsOf(ranking, row));
      if (batch.length >= BATCH_ROWS) yield;
    }
    for (const row of ranking.each?.('refused') ?? []) {
      this.#add(batch, group, refusedCells(row), undefined);
      if (batch.length >= BATCH_ROWS) yield;
    }
  }

  #add(batch: TableBatch, group: GroupKey, row: FixedCells, terms: ScoreTerms | undefined): void {
    const { cells } = batch;
    let k = 0;
    if (this.#hasGroup) cells[k++]!.push(group);
    for (const { name } of FIXED) cells[k++]!.push(row[name as keyof FixedCells] ?? null);
    for (const id of this.#scorers) cells[k++]!.push(terms?.scores[id] ?? null);
    if (this.#contributions) for (const id of this.#scorers) cells[k++]!.push(terms?.contributions?.[id] ?? null);
  }
}

interface FixedCells {
  readonly id: string;
  readonly index: number;
  readonly rank?: number | undefined;
  readonly score?: number | undefined;
  readonly status: string;
  readonly refused_by?: OutputCell;
  readonly reason?: OutputCell;
}

const placeOf = ({ id, index, rank, score }: Selected<unknown> | NotSelected<unknown>) => {
  return { id, index, rank, score };
};

const refusedCells = ({ id, index, by, reason }: Refused<unknown>): FixedCells => {
  return { id, index, status: 'refused', refused_by: by, reason };
};
