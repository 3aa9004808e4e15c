import type { Score } from '../../contract/index.js';
import { ColumnBuffer } from '../kernel/column-buffer.js';
import { unsound } from '../kernel/score-loop.js';
import type { Plan } from '../plan.js';
import type { RunContext } from '../entries/run-context.js';
import { CandidateRefused } from '../failures/run-errors.js';
import type { Evaluation } from '../run-state.js';
import { verdictOfError } from '../stages/score/resolve-rows.js';
import { resolveScore, wasAsked } from '../stages/score/resolve-score.js';
import type { ActiveScorer } from '../stages/score/types.js';
import { ABSENT, FAILED, NOT_ASKED, type ScoreColumn } from './score-column.js';

/** All scores of a run in bulk, by scorer of the run: what its totals are made of, apart from the weights. */
export interface ScoreColumns {
  /** Those of a scorer that refused a row are NaN, and later ones were not called for it. */
  readonly scorers: readonly ScoreColumn[];
  /** By row of Tier 2: the verdict of the first scorer that refuses it, or 0. */
  readonly verdicts: Uint16Array;
}

/**
 * Fills the columns of all scorers in one pass over the candidates: each is called once a row, and again only where a
 * rule of its entry applies. O(rows × scorers).
 */
export function fillScoreColumns(plan: Plan, evaluation: Evaluation): ScoreColumns {
  const { kept, context, scored } = evaluation;
  const { active } = scored.scoring;
  return plan.current.enter(context, () => {
    const { columns, states, verdicts } = allocate(active.length, kept.length);
    fillRaw(plan, evaluation, columns);
    const resolve = (scorer: ActiveScorer, k: number) =>
      resolveColumn(plan, evaluation, scorer, columns[k]!, states[k]!, verdicts);
    return { scorers: active.map(resolve), verdicts };
  });
}

/** For parts of a stream; those of more numbers are a buffer of their own. */
const partColumns = new ColumnBuffer();
const PART_NUMBERS = 2 ** 17;

/**
 * The numbers of all scorers as the units give them, in the run's context: NaN where one gave none, or threw, or where
 * another that is called beside it threw. To be used before the next call.
 */
export function rawScoreColumns(plan: Plan, evaluation: EvaluatedRows): readonly Float64Array[] {
  const [count, rows] = [evaluation.scored.scoring.active.length, evaluation.kept.length];
  const columns = (count * rows > PART_NUMBERS ? new ColumnBuffer() : partColumns).take(count, rows);
  fillRaw(plan, evaluation, columns);
  return columns;
}

/** What is known of rows that were scored. */
type EvaluatedRows = Pick<Evaluation, 'candidates' | 'kept' | 'context' | 'scored'>;

function fillRaw(plan: Plan, evaluation: EvaluatedRows, columns: readonly Float64Array[]): void {
  const { candidates, kept, context, scored } = evaluation;
  const { active } = scored.scoring;
  const scorers = active.map((scorer) => scoreToCall(scorer, context));
  const at = plan.columnReader.reader(candidates);
  plan.score.loops.columns(active, at !== undefined)({ candidates, at, kept, scorers, columns, unsound });
}

/**
 * All in one buffer: V8 marks its whole heap whenever some tens of megabytes outside it are asked for, which with many
 * candidates takes longer than to score them. Twenty buffers in place of one took four times as long.
 */
function allocate(count: number, rows: number) {
  const statesAt = count * rows * 8;
  const verdictsAt = 2 * Math.ceil((statesAt + count * rows) / 2);
  const buffer = new ArrayBuffer(verdictsAt + rows * 2);
  return {
    columns: Array.from({ length: count }, (_, k) => new Float64Array(buffer, k * rows * 8, rows)),
    states: Array.from({ length: count }, (_, k) => new Uint8Array(buffer, statesAt + k * rows, rows)),
    verdicts: new Uint16Array(buffer, verdictsAt, rows),
  };
}

/** The prepared function itself, without the look-up for each row. */
function scoreToCall(scorer: ActiveScorer, context: RunContext): Score<unknown> {
  const { unit, raw, asked, failed, kept } = scorer;
  if (asked) return (candidate, row) => (asked(row) ? raw(candidate, row) : undefined);
  return unit.prepares && !failed && !kept ? unit.scoreIn(context) : raw;
}

/** Resolves, in a column as the unit gave it, each cell to which a rule of the entry applies. */
function resolveColumn(
  plan: Plan,
  { candidates, kept }: Evaluation,
  scorer: ActiveScorer,
  raw: Float64Array,
  states: Uint8Array,
  verdicts: Uint16Array,
): ScoreColumn {
  const { range, outOfRange } = scorer.entry;
  const [least, most] = outOfRange === 'warn' || !range ? [-Infinity, Infinity] : range;
  let resolved = raw;
  for (let row = 0; row < raw.length; row++) {
    const value = raw[row]!;
    if (value - value === 0 && value >= least && value <= most && verdicts[row] === 0) continue;
    const cell =
      verdicts[row] !== 0 || !wasAsked(scorer, row) ? UNASKED : resolveCell(plan, scorer, candidates[kept[row]!], row);
    states[row] = cell.state;
    raw[row] = cell.raw;
    if (cell.verdict !== 0) verdicts[row] = cell.verdict;
    if (resolved === raw && !Object.is(cell.value, cell.raw)) resolved = raw.slice();
    if (resolved !== raw) resolved[row] = cell.value;
  }
  return { raw, resolved, states };
}

/** One cell: NaN where there is no number, and the verdict where a rule of the entry refuses the row. */
interface Cell {
  readonly value: number;
  readonly raw: number;
  readonly state: number;
  readonly verdict: number;
}

const UNASKED: Cell = { value: Number.NaN, raw: Number.NaN, state: NOT_ASKED, verdict: 0 };

function resolveCell(plan: Plan, scorer: ActiveScorer, candidate: unknown, row: number): Cell {
  try {
    const { value = Number.NaN, raw = Number.NaN, state } = resolveScore(scorer, candidate, row);
    return { value, raw, state: state === 'scored' ? 0 : state === 'absent' ? ABSENT : FAILED, verdict: 0 };
  } catch (error) {
    if (!(error instanceof CandidateRefused)) throw error;
    const state = error.refusal === 'absent' ? ABSENT : FAILED;
    return { value: Number.NaN, raw: Number.NaN, state, verdict: verdictOfError(plan.score, error) };
  }
}
