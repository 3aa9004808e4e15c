import type { Score } from '../../sdk/index.js';
import type { RunContext } from '../entries.js';
import { CandidateRefused, Failures } from '../failures.js';
import { ABSENT, FAILED, NOT_EVALUATED, type CellState } from './cell-states.js';
import { PartialRows, ColumnBuffer, prefixOf, refuseKept } from '../kernel/run-buffers.js';
import { unsound } from '../kernel/score-loop.js';
import { refuserOf } from '../kernel/veto-loop.js';
import type { Plan } from '../plan.js';
import { type Evaluation, type RunResult, RunState } from '../run-state.js';
import { readMeasure } from '../stages/measure.js';
import { combineInto, resolveScore, verdictOfError, wasEvaluated } from '../stages/score/resolve.js';
import { makeScoring } from '../stages/score/scoring.js';
import { NEVER } from '../tasks.js';
import type { ActiveScorer, Scoring } from '../tier-plans.js';

/** The numbers of one entry, by row of Tier 2. */
export interface ScoreColumn {
  /** The numbers that the unit returned; NaN if it returned none. */
  readonly raw: Float64Array;
  /**
   * The numbers after the entry's rules for absence, failure and range; NaN if the rules skip the score. The same array as
   * `raw` if no rule changed a number.
   */
  readonly resolved: Float64Array;
  /** Each an index of `CELL_STATES`. */
  readonly states: Uint8Array;
}

/** The column of an entry that does not take part in the run. */
export function columnNotEvaluated(rows: number): ScoreColumn {
  const none = new Float64Array(rows).fill(Number.NaN);
  return { raw: none, resolved: none, states: new Uint8Array(rows).fill(NOT_EVALUATED) };
}

/** All scores of a run, by scorer of the run. */
export interface ScoreColumns {
  /** If a scorer refused a row, its cell is NaN, and later scorers were not called on this row. */
  readonly scorers: readonly ScoreColumn[];
  /** By row of Tier 2: the verdict of the first scorer that refuses it, or 0. */
  readonly verdicts: Uint16Array;
}

/**
 * Fills the columns of all scorers in one pass over the candidates. Each scorer is called once per row, and a second time
 * only if a rule of its entry applies. O(rows × scorers).
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

/** The maximum size of the shared buffer, for parts of a stream. Larger parts get their own buffer. */
const partColumns = new ColumnBuffer();
const PART_NUMBERS = 2 ** 17;

/**
 * The numbers that the units return, in the run's context: NaN if a scorer returned none or threw, or if another scorer of the
 * same loop threw. Valid until the next call.
 */
export function rawScoreColumns(plan: Plan, evaluation: EvaluatedRows): readonly Float64Array[] {
  const [count, rows] = [evaluation.scored.scoring.active.length, evaluation.kept.length];
  const columns = (count * rows > PART_NUMBERS ? new ColumnBuffer() : partColumns).take(count, rows);
  fillRaw(plan, evaluation, columns);
  return columns;
}

/** The parts of an evaluation that are needed to read a cell. */
type EvaluatedRows = Pick<Evaluation, 'candidates' | 'kept' | 'context' | 'scored'>;

function fillRaw(plan: Plan, evaluation: EvaluatedRows, columns: readonly Float64Array[]): void {
  const { candidates, kept, context, scored } = evaluation;
  const { active } = scored.scoring;
  const scorers = active.map((scorer) => scoreToCall(scorer, context));
  const byColumn = plan.columnReader.open(candidates);
  const loop = plan.score.loops.columns(active, { ...byColumn });
  loop({ candidates, kept, scorers, columns, unsound, ...byColumn });
}

/**
 * All columns in one buffer. V8 marks its whole heap whenever some tens of megabytes outside of it are allocated, which can
 * take longer than the scoring. Twenty buffers instead of one took four times as long.
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

/** The prepared function itself, without a lookup per row. */
function scoreToCall(scorer: ActiveScorer, context: RunContext): Score<unknown> {
  const { unit, raw, evaluated, failed, cached } = scorer;
  if (evaluated) return (candidate, row) => (evaluated(row) ? raw(candidate, row) : undefined);
  return unit.prepares && !failed && !cached ? unit.scoreIn(context) : raw;
}

/** Resolves each cell of a raw column to which a rule of the entry applies. */
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
      verdicts[row] !== 0 || !wasEvaluated(scorer, row)
        ? CELL_NOT_EVALUATED
        : resolveCell(plan, scorer, candidates[kept[row]!], row);
    states[row] = cell.state;
    raw[row] = cell.raw;
    if (cell.verdict !== 0) verdicts[row] = cell.verdict;
    if (resolved === raw && !Object.is(cell.value, cell.raw)) resolved = raw.slice();
    if (resolved !== raw) resolved[row] = cell.value;
  }
  return { raw, resolved, states };
}

/** One cell: NaN without a number, and the verdict if a rule of the entry refuses the row. */
interface Cell {
  readonly value: number;
  readonly raw: number;
  readonly state: number;
  readonly verdict: number;
}

const CELL_NOT_EVALUATED: Cell = { value: Number.NaN, raw: Number.NaN, state: NOT_EVALUATED, verdict: 0 };

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

type Scored = Pick<Evaluation, 'candidates' | 'kept' | 'measures' | 'scored' | 'context'>;

/** The raw number of an entry in one row, or why it has none. */
export interface CellReading {
  readonly value: number | undefined;
  readonly state: CellState;
}

/** The raw number of one scorer or measure in one row of Tier 2. Scores are pure, so they are computed again, not stored. */
export function readCell(plan: Plan, evaluation: Scored, entry: string, row: number): CellReading {
  if (!plan.profile.scorers.some(({ id }) => id === entry)) return readMeasured(plan, evaluation, entry, row);
  const { candidates, kept, scored, context } = evaluation;
  const scorer = scored.scoring.active.find((one) => one.entry.id === entry);
  if (!scorer || !wasEvaluated(scorer, row)) return { value: undefined, state: 'not_evaluated' };
  const { raw, state } = plan.current.enter(context, () => resolveScore(scorer, candidates[kept[row]!], row));
  return { value: raw === undefined ? undefined : raw + 0, state };
}

/** A measure's number, from its column. If it is NaN, the unit is called again to distinguish absence from failure. */
export function readMeasured(
  plan: Plan,
  { candidates, kept, measures, context }: Scored,
  entry: string,
  row: number,
): CellReading {
  const value = context.measures[entry]?.[row] ?? Number.NaN;
  if (!Number.isNaN(value)) return { value, state: 'scored' };
  const measure = measures.find(({ id }) => id === entry);
  if (!measure) return { value: undefined, state: 'not_evaluated' };
  let failed = measure.score === undefined;
  const { score } = measure;
  if (score) plan.current.enter(context, () => readMeasure(score, candidates[kept[row]!], row, () => (failed = true)));
  return { value: undefined, state: failed ? 'failed' : 'absent' };
}

/** The scorers of a run with the weights of another plan. Their numbers come from the columns. */
export function scoringOfColumns(plan: Plan, result: RunResult, { scorers: columns }: ScoreColumns): Scoring {
  const { firstRefuser, scorers: entries } = plan.score;
  const active = result.scored.scoring.active.map((one) => ({
    ...one,
    entry: entries[one.refuser - firstRefuser]!.entry,
  }));
  const scoring = makeScoring(plan.score, active);
  const scores: (Score<unknown> | undefined)[] = entries.map(() => undefined);
  for (const [k, { refuser }] of active.entries()) {
    const { resolved } = columns[k]!;
    const asked = scoring.scores[refuser - firstRefuser]!;
    // A column that was transferred to another thread is empty. An explanation then calls the scorer.
    scores[refuser - firstRefuser] = (candidate, row, note) =>
      resolved.length === 0 ? asked(candidate, row, note) : scoreAt(resolved, row);
  }
  return { ...scoring, scores, fromColumns: true };
}

function scoreAt(column: Float64Array, row: number): number | undefined {
  const value = column[row];
  return Number.isNaN(value) ? undefined : value;
}

/** Combines the columns: in a loop if all scores are present, and row by row otherwise. */
export function combineColumns(run: RunState, scoring: Scoring, { scorers, verdicts }: ScoreColumns): void {
  const { kept, buffers, candidates, plan } = run;
  const { weights, weightsOf } = scoring;
  const totals = prefixOf(buffers.totals, kept.length);
  const columns = scorers.map(({ resolved }) => resolved);
  if (columns.length === 0) totals.fill(plan.score.scorers.length > 0 ? Number.NaN : 0);
  else {
    // A row whose weights fail has no total in the loop. It is refused below, with the reason.
    const none = new Float64Array(columns.length).fill(Number.NaN);
    const orNone: Scoring['weightsOf'] = (candidate, row) => {
      try {
        return weightsOf(candidate, row);
      } catch {
        return none;
      }
    };
    plan.score.loops.combine(scoring.active)({ candidates, kept, columns, weights, weightsOf: orNone, totals });
  }
  const partial = new PartialRows(kept.length);
  for (let row = 0; row < totals.length; row++) {
    const total = totals[row]!;
    if (total - total === 0 && verdicts[row] === 0) continue;
    const present = settleRow(run, scoring, totals, columns, verdicts, row);
    if (present < columns.length) partial.set(row, present);
  }
  run.scored = { scoring, totals, partial };
}

/** Combines a row that a scorer refuses, or in which a score is missing. Returns the number of combined scores. */
function settleRow(
  run: RunState,
  scoring: Scoring,
  totals: Float64Array,
  columns: readonly Float64Array[],
  verdicts: Uint16Array,
  row: number,
): number {
  if (verdicts[row] === 0) return combineInto(run, scoring, totals, row, () => columns.map((one) => scoreAt(one, row)));
  refuseKept(run.buffers, run.kept[row]!, verdicts[row]!);
  return columns.length;
}

/** The combined scores before the rules, by row of the ranking. Without rules, these are the totals. */
export function combinedTotals(plan: Plan, result: RunResult, columns: ScoreColumns): Float64Array {
  if (plan.rules.length === 0) return result.totals;
  const state = stateBeforeCombine(plan, result);
  plan.current.enter(state.context, () => combineColumns(state, scoringOfColumns(plan, result, columns), columns));
  const { totals } = state.scored;
  return result.rows ? Float64Array.from(result.rows, (row) => totals[row]!) : totals;
}

/** The stages whose failures are kept, because they do not run again. */
const KEPT_STAGES = ['signals', 'generate', 'veto', 'measure', 'score'];

/** A new run with the state of another one after its scorers were prepared: the same refusals and measures. */
export function stateBeforeCombine(plan: Plan, result: RunResult): RunState {
  const failures = new Failures();
  failures.addAll(
    result.failures.entries.filter(
      ({ failure: { entry, stage } }) => KEPT_STAGES.includes(stage) && entry !== 'combine',
    ),
  );
  const state = new RunState(plan, {
    context: { ...result.context, values: [], score: 0, places: [], trace: undefined },
    given: result.candidates,
    abort: NEVER,
    failures,
  });
  state.setCandidates(result.candidates, result.kept);
  const { verdicts } = state.buffers;
  for (let position = 0; position < verdicts.length; position++) {
    const verdict = result.verdicts[position]!;
    if (verdict !== 0 && refuserOf(verdict) < plan.score.firstRefuser) verdicts[position] = verdict;
  }
  state.budget = result.budget;
  state.vetoes = result.vetoes;
  state.pinned = result.pinned;
  state.kept = result.kept;
  state.measures = result.measures;
  return state;
}
