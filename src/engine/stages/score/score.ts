import { describeValue } from '../../../diagnostics/describe-value.js';
import { ExpressionEvaluationError } from '../../../expression/evaluation-error.js';
import { combineRow } from '../../combine-methods.js';
import { type Failures, replacementOf } from '../../failures.js';
import { prefixOf, type RunBuffers, refuseKept } from '../../kernel/run-buffers.js';
import type { ScoreInput } from '../../kernel/score-loop.js';
import { verdictOf } from '../../kernel/verdict.js';
import { CandidateRefused, type CurrentRun, type RunContext, RunFailed } from '../../run-context.js';
import { type ActiveScorer, resolveScore, wasAsked } from './resolve-score.js';
import { loopScorersIn, type ScorePlan, type Scoring } from './scoring.js';
import type { PrunedRows } from './second-phase/second-phase.js';

/** What came out of Tier 2, by row: the position in the kept candidates. */
export interface ScoredRows {
  readonly scoring: Scoring;
  readonly totals: Float64Array;
  /** How many scorers a row was scored on, where it was not all of them. */
  readonly partial: ReadonlyMap<number, number>;
  /** Whom some scorers were spared, where they were. */
  readonly pruned?: PrunedRows;
}

/** One row, scorer by scorer: what combines, or undefined where nothing does. Counts what was there. */
function resolveRow(
  plan: ScorePlan,
  scoring: Scoring,
  candidate: unknown,
  row: number,
  onFailure?: (entry: string, error: unknown) => void,
): { readonly total: number | undefined; readonly present: number } {
  const settled = scoring.active.map((run) =>
    wasAsked(run, row) ? resolveScore(run, candidate, row, undefined, onFailure).value : undefined,
  );
  const present = settled.filter((value) => value !== undefined).length;
  return { total: combineResolved(plan, scoring, settled, candidate, row), present };
}

/**
 * Combines the settled scores of one row.
 *
 * @returns undefined where there is nothing to combine
 * @throws RangeError, TypeError or what the formula throws, where no finite number comes of it
 */
export function combineResolved(
  plan: ScorePlan,
  { active, arithmetic, weightsOf }: Scoring,
  settled: readonly (number | undefined)[],
  candidate: unknown,
  row: number,
): number | undefined {
  if (active.length === 0 && plan.scorers.length > 0) return undefined;
  if (arithmetic === 'formula') return evaluateFormula(plan, active, settled, candidate, row);
  const negative = arithmetic === 'geometric' ? settled.findIndex((value) => value !== undefined && value < 0) : -1;
  if (negative >= 0) {
    throw new RangeError(
      `a geometric mean wants scores of at least 0, and ${active[negative]!.entry.id} is ${settled[negative]}`,
    );
  }
  const total = combineRow(arithmetic, settled, weightsOf(candidate, row));
  if (total === undefined || Number.isFinite(total)) return total;
  throw new RangeError(`combining the scores gave ${total}`);
}

function evaluateFormula(
  plan: ScorePlan,
  runs: readonly ActiveScorer[],
  settled: readonly (number | undefined)[],
  candidate: unknown,
  row: number,
): number | undefined {
  const { values } = plan.current.context;
  for (const [k, run] of runs.entries()) values[run.refuser - plan.firstRefuser] = settled[k];
  const total = plan.formula?.(candidate, row);
  if (total === undefined || (typeof total === 'number' && Number.isFinite(total))) return total;
  throw new TypeError(`the formula gave ${describeValue(total)}; expected a finite number`);
}

/** What one run's scoring works on. */
export interface ScoringInput {
  readonly candidates: readonly unknown[];
  readonly context: RunContext;
  readonly current: CurrentRun;
  readonly buffers: RunBuffers;
  readonly failures: Failures;
}

/** What a loop is given to score with. */
export const scoreInput = (
  plan: ScorePlan,
  scoring: Scoring,
  { candidates, buffers, context }: ScoringInput,
  kept: Int32Array,
): ScoreInput => ({
  candidates,
  kept,
  scorers: loopScorersIn(plan, scoring, context),
  weights: scoring.weights,
  weightsOf: scoring.weightsOf,
  totals: buffers.totals,
});

/** Tier 2: scores every kept candidate and combines its scores. Rows that are not finite are settled one by one. */
export function score(plan: ScorePlan, scoring: Scoring, input: ScoringInput, kept: Int32Array): ScoredRows {
  input.current.context = input.context;
  plan.loops.score(scoring.active)(scoreInput(plan, scoring, input, kept), 0, kept.length);
  return resolveUnresolved(plan, scoring, input, kept);
}

/** Settles, scorer by scorer, the rows in which one was absent, failed, or gave no finite number. */
export function resolveUnresolved(
  plan: ScorePlan,
  scoring: Scoring,
  input: ScoringInput,
  kept: Int32Array,
): ScoredRows {
  const totals = prefixOf(input.buffers.totals, kept.length);
  const odd = firstUnresolved(totals);
  if (odd < 0) return { scoring, totals, partial: NO_PARTIAL };
  const partial = new Map<number, number>();
  for (let row = odd; row < totals.length; row++) {
    if (!isUnresolved(totals[row] ?? Number.NaN)) continue;
    const present = resolveInto(plan, scoring, input, totals, kept[row]!, row);
    if (present < scoring.active.length) partial.set(row, present);
  }
  return { scoring, totals, partial };
}

function firstUnresolved(totals: Float64Array): number {
  for (let row = 0; row < totals.length; row++) if (isUnresolved(totals[row]!)) return row;
  return -1;
}

/** NaN and both infinities alike. */
const isUnresolved = (total: number): boolean => total - total !== 0;

const NO_PARTIAL: ReadonlyMap<number, number> = new Map();

/** Settles one row: its total, or its verdict. Gives how many scorers it was scored on. */
export function resolveInto(
  plan: ScorePlan,
  scoring: Scoring,
  { candidates, buffers, failures }: ScoringInput,
  totals: Float64Array,
  position: number,
  row: number,
): number {
  const onFailure = (entry: string, error: unknown): void => {
    const run = scoring.active.find((one) => one.entry.id === entry);
    failures.add(entry, 'score', error, run ? replacementOf(run.entry.onError) : 'refused');
  };
  try {
    const { total, present } = resolveRow(plan, scoring, candidates[position], row, onFailure);
    if (total === undefined) refuseKept(buffers, position, verdictOf(plan.combineRefuser, 'unscored'));
    else totals[row] = total;
    return present;
  } catch (error) {
    if (error instanceof RunFailed) throw new RunFailed(error.entry, error.stage, error.failure, position);
    refuseKept(buffers, position, verdictOfError(plan, error, onFailure));
    return scoring.active.length;
  }
}

/** The verdict of what was thrown while a row was scored. */
export function verdictOfError(
  plan: ScorePlan,
  error: unknown,
  onFailure: (entry: string, error: unknown) => void = () => {},
): number {
  if (error instanceof CandidateRefused) {
    const k = plan.scorers.findIndex((scorer) => scorer.entry.id === error.by);
    return verdictOf(k < 0 ? plan.combineRefuser : plan.firstRefuser + k, error.refusal);
  }
  if (error instanceof RangeError || error instanceof TypeError || error instanceof ExpressionEvaluationError) {
    onFailure('combine', error);
    return verdictOf(plan.combineRefuser, 'error');
  }
  throw error;
}
