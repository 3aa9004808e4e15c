import { describeValue } from '../expression/describe.js';
import { EvaluationFailure } from '../expression/failure.js';
import type { ScoreInput } from '../matrix/score-loop.js';
import { drop, firstOf, type Slab } from '../matrix/slab.js';
import { verdictOf } from '../matrix/verdict.js';
import { combineRow } from './combine.js';
import { type Failures, insteadOf } from './failures.js';
import { type Cell, Refused, RunFailed, type RunState } from './plan.js';
import type { SparedRows } from './score-late.js';
import { fastIn, type ScorePlan, type Scoring } from './scoring.js';
import { isAsked, type ScorerRun, settle } from './settle.js';

/** What came out of Tier 2, by row: the position in the kept candidates. */
export interface Scored {
  readonly scoring: Scoring;
  readonly totals: Float64Array;
  /** How many scorers a row was scored on, where it was not all of them. */
  readonly partial: ReadonlyMap<number, number>;
  /** Whom some scorers were spared, where they were. */
  readonly spared?: SparedRows;
}

/** One row, scorer by scorer: what combines, or undefined where nothing does. Counts what was there. */
function settleRow(
  plan: ScorePlan,
  scoring: Scoring,
  candidate: unknown,
  row: number,
  onFailure?: (entry: string, error: unknown) => void,
): { readonly total: number | undefined; readonly present: number } {
  const settled = scoring.runs.map((run) =>
    isAsked(run, row) ? settle(run, candidate, row, undefined, onFailure).value : undefined,
  );
  const present = settled.filter((value) => value !== undefined).length;
  return { total: combineSettled(plan, scoring, settled, candidate, row), present };
}

/**
 * Combines the settled scores of one row.
 *
 * @returns undefined where there is nothing to combine
 * @throws RangeError, TypeError or what the formula throws, where no finite number comes of it
 */
export function combineSettled(
  plan: ScorePlan,
  { runs, arithmetic, weightsOf }: Scoring,
  settled: readonly (number | undefined)[],
  candidate: unknown,
  row: number,
): number | undefined {
  if (runs.length === 0 && plan.scorers.length > 0) return undefined;
  if (arithmetic === 'formula') return formulaOf(plan, runs, settled, candidate, row);
  const negative = arithmetic === 'geometric' ? settled.findIndex((value) => value !== undefined && value < 0) : -1;
  if (negative >= 0) {
    throw new RangeError(
      `a geometric mean wants scores of at least 0, and ${runs[negative]!.entry.id} is ${settled[negative]}`,
    );
  }
  const total = combineRow(arithmetic, settled, weightsOf(candidate, row));
  if (total === undefined || Number.isFinite(total)) return total;
  throw new RangeError(`combining the scores gave ${total}`);
}

function formulaOf(
  plan: ScorePlan,
  runs: readonly ScorerRun[],
  settled: readonly (number | undefined)[],
  candidate: unknown,
  row: number,
): number | undefined {
  const { values } = plan.cell.state;
  for (const [k, run] of runs.entries()) values[run.judge - plan.firstJudge] = settled[k];
  const total = plan.formula?.(candidate, row);
  if (total === undefined || (typeof total === 'number' && Number.isFinite(total))) return total;
  throw new TypeError(`the formula gave ${describeValue(total)}; expected a finite number`);
}

/** What one run's scoring works on. */
export interface ScoringInput {
  readonly candidates: readonly unknown[];
  readonly state: RunState;
  readonly cell: Cell;
  readonly slab: Slab;
  readonly failures: Failures;
}

/** What a loop is given to score with. */
export const scoreInput = (
  plan: ScorePlan,
  scoring: Scoring,
  { candidates, slab, state }: ScoringInput,
  kept: Int32Array,
): ScoreInput => ({
  candidates,
  kept,
  scorers: fastIn(plan, scoring, state),
  weights: scoring.weights,
  weightsOf: scoring.weightsOf,
  totals: slab.totals,
});

/** Tier 2: scores every kept candidate and combines its scores. Rows that are not finite are settled one by one. */
export function score(plan: ScorePlan, scoring: Scoring, input: ScoringInput, kept: Int32Array): Scored {
  input.cell.state = input.state;
  plan.loops.score(scoring.runs)(scoreInput(plan, scoring, input, kept), 0, kept.length);
  return settleOdd(plan, scoring, input, kept);
}

/** Settles, scorer by scorer, the rows in which one was absent, failed, or gave no finite number. */
export function settleOdd(plan: ScorePlan, scoring: Scoring, input: ScoringInput, kept: Int32Array): Scored {
  const totals = firstOf(input.slab.totals, kept.length);
  const odd = firstOdd(totals);
  if (odd < 0) return { scoring, totals, partial: wholly };
  const partial = new Map<number, number>();
  for (let row = odd; row < totals.length; row++) {
    if (!isOdd(totals[row] ?? Number.NaN)) continue;
    const present = settleInto(plan, scoring, input, totals, kept[row]!, row);
    if (present < scoring.runs.length) partial.set(row, present);
  }
  return { scoring, totals, partial };
}

function firstOdd(totals: Float64Array): number {
  for (let row = 0; row < totals.length; row++) if (isOdd(totals[row]!)) return row;
  return -1;
}

/** NaN and both infinities alike. */
const isOdd = (total: number): boolean => total - total !== 0;

const wholly: ReadonlyMap<number, number> = new Map();

/** Settles one row: its total, or its verdict. Gives how many scorers it was scored on. */
export function settleInto(
  plan: ScorePlan,
  scoring: Scoring,
  { candidates, slab, failures }: ScoringInput,
  totals: Float64Array,
  position: number,
  row: number,
): number {
  const onFailure = (entry: string, error: unknown): void => {
    const run = scoring.runs.find((one) => one.entry.id === entry);
    failures.add(entry, 'score', error, run ? insteadOf(run.entry.onError) : 'refused');
  };
  try {
    const { total, present } = settleRow(plan, scoring, candidates[position], row, onFailure);
    if (total === undefined) drop(slab, position, verdictOf(plan.combineJudge, 'unscored'));
    else totals[row] = total;
    return present;
  } catch (error) {
    if (error instanceof RunFailed) throw new RunFailed(error.entry, error.stage, error.failure, position);
    drop(slab, position, refusedBy(plan, error, onFailure));
    return scoring.runs.length;
  }
}

/** The verdict of what was thrown while a row was scored. */
export function refusedBy(
  plan: ScorePlan,
  error: unknown,
  onFailure: (entry: string, error: unknown) => void = () => {},
): number {
  if (error instanceof Refused) {
    const k = plan.scorers.findIndex((scorer) => scorer.entry.id === error.by);
    return verdictOf(k < 0 ? plan.combineJudge : plan.firstJudge + k, error.refusal);
  }
  if (error instanceof RangeError || error instanceof TypeError || error instanceof EvaluationFailure) {
    onFailure('combine', error);
    return verdictOf(plan.combineJudge, 'error');
  }
  throw error;
}
