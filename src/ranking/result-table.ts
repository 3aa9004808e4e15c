import { toAssizeError } from '../base/index.js';
import { ownValue } from '../expression/index.js';
import type { GroupKey, OutputCell, OutputColumn, TableBatch } from '../data/index.js';
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
 * @throws AssizeError (ASZ502)
 */
function checkId(candidate: unknown): void {
  const id = ownValue(candidate, 'id');
  if (typeof id !== 'number' || !Number.isInteger(id) || Number.isSafeInteger(id)) return;
  const message = `the id ${id} is beyond 2^53, so it may have lost digits`;
  throw toAssizeError([{ code: 'ASZ502', message, hint: 'convert the ids to texts' }]);
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
    checkId(row.candidate);
    this.#push(batch, group, [id, index, rank, score, status, null, reason], termsOf(ranking, row));
  }

  /** @param fixed the cells of `FIXED` */
  #push({ cells }: TableBatch, group: GroupKey, fixed: readonly OutputCell[], terms: ScoreTerms | undefined): void {
    let k = 0;
    if (this.#hasGroup) cells[k++]!.push(group);
    for (const cell of fixed) cells[k++]!.push(cell);
    for (const id of this.#scorers) cells[k++]!.push(terms?.scores[id] ?? null);
    if (this.#contributions) for (const id of this.#scorers) cells[k++]!.push(terms?.contributions?.[id] ?? null);
  }
}
