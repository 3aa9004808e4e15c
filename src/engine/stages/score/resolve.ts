import { EntryTimedOut, type ScoreRange, type Note } from '../../../sdk/index.js';
import { describeValue } from '../../../base/index.js';
import { ExpressionStepsError } from '../../../expression/index.js';
import { combineFacts, type ScorerEntry } from '../../../profile/index.js';
import { CandidateRefused, replacementOf, RunFailed } from '../../failures.js';
import { combineRow } from '../../kernel/combine-methods.js';
import { type PartialRows, prefixOf, refuseKept } from '../../kernel/run-buffers.js';
import { verdictOf } from '../../kernel/veto-loop.js';
import type { RunState } from '../../run-state.js';
import { chain, describeWrongNumber, inTurns, type MaybeAsync } from '../../tasks.js';
import type { ActiveScorer, BestAfter, ScoredRows, ScorePlan, Scoring } from '../../tier-plans.js';

/**
 * Resolves, scorer by scorer, the rows in which a scorer was absent, failed, or did not return a finite number. The loop has
 * left their totals NaN or infinite. Each scorer of such a row is called again, and its `on_absent` or `on_error` applies.
 *
 * @param partial the rows that the loop combined without some score
 * @param columns the scores of the loop, if they are kept
 * @param withoutRules the rows to which the loop has not applied the rules, if it has applied them to all others. Receives
 *   the resolved rows
 * @param found the best rows after the first `sampled` rows, if the loop has kept them
 */
export function resolveUnresolved(
  run: RunState,
  scoring: Scoring,
  partial: PartialRows,
  columns?: ScoredRows['columns'],
  withoutRules?: number[],
  found?: BestAfter,
): MaybeAsync<ScoredRows> {
  const totals = prefixOf(run.buffers.totals, run.kept.length);
  const isFound = found !== undefined && found.best.unresolved < 0;
  const first = firstUnresolved(isFound ? totals.subarray(0, found.sampled) : totals);
  const best = isFound && found.best.count > 0 ? found : undefined;
  if (first < 0) return { scoring, totals, columns, partial, withoutRules, best };
  const sampled = withoutRules?.length ?? 0;
  const resolved = inTurns(run.abort, totals.length - first, 'score', (from, to) => {
    for (let row = first + from; row < first + to; row++) {
      if (!isUnresolved(totals[row] ?? Number.NaN)) continue;
      const present = resolveInto(run, scoring, totals, row);
      if (withoutRules && row >= sampled) withoutRules.push(row);
      if (present < scoring.active.length) partial.set(row, present);
    }
  });
  return chain(resolved, () => ({ scoring, totals, columns, partial, withoutRules, best }));
}

/**
 * Fails the run if an expression exceeded its step limit. It fails at the first such candidate, because each one would take
 * as long.
 *
 * @throws RunFailed that names the entry
 */
export function failOnExhaustion(
  run: RunState,
  { active }: Scoring,
  error: unknown,
  position: number,
  row: number,
): void {
  if (!(error instanceof ExpressionStepsError)) return;
  for (const one of active) {
    try {
      if (wasEvaluated(one, row)) resolveScore(one, run.candidates[position], row);
    } catch (thrown) {
      if (thrown instanceof RunFailed) throw new RunFailed(thrown.entry, thrown.stage, thrown.failure, position);
    }
  }
  throw new RunFailed('combine', 'combine', error, position);
}

function firstUnresolved(totals: Float64Array): number {
  for (let row = 0; row < totals.length; row++) if (isUnresolved(totals[row]!)) return row;
  return -1;
}

/** Whether the total is NaN or infinite. */
const isUnresolved = (total: number): boolean => total - total !== 0;

/** Resolves one row, scorer by scorer. Returns the number of scores that it combined. */
export function resolveInto(run: RunState, scoring: Scoring, totals: Float64Array, row: number): number {
  const onFailure = failureCounter(run, scoring);
  const valuesOf = (candidate: unknown): readonly (number | undefined)[] =>
    scoring.active.map((one) =>
      wasEvaluated(one, row) ? resolveScore(one, candidate, row, undefined, onFailure).value : undefined,
    );
  return combineInto(run, scoring, totals, row, valuesOf);
}

/** Combines one row and writes its total or its verdict. Returns the number of combined scores. */
export function combineInto(
  run: RunState,
  scoring: Scoring,
  totals: Float64Array,
  row: number,
  valuesOf: (candidate: unknown) => readonly (number | undefined)[],
): number {
  const { candidates, buffers, kept } = run;
  const { score: plan } = run.plan;
  const position = kept[row]!;
  const candidate = candidates[position];
  try {
    const values = valuesOf(candidate);
    const total = combineResolved(plan, scoring, values, candidate, row);
    if (total === undefined) refuseKept(buffers, position, verdictOf(plan.combineRefuser, 'unscored'));
    else totals[row] = total;
    return values.filter((value) => value !== undefined).length;
  } catch (error) {
    if (error instanceof RunFailed) throw new RunFailed(error.entry, error.stage, error.failure, position);
    failOnExhaustion(run, scoring, error, position, row);
    refuseKept(buffers, position, verdictOfError(plan, error, failureCounter(run, scoring)));
    return scoring.active.length;
  }
}

const failureCounter =
  ({ failures }: RunState, { active }: Scoring) =>
  (entry: string, error: unknown): void => {
    const scorer = active.find((one) => one.entry.id === entry);
    failures.add(entry, 'score', error, scorer ? replacementOf(scorer.entry.onError) : 'refused');
  };

/**
 * Combines the resolved scores of one row. Without a score to combine, the total is the profile's `on_unscored`.
 *
 * @returns undefined if the row is refused as unscored
 * @throws RangeError, TypeError or an error of the formula, if the result is not a finite number
 */
export const combineResolved = (
  plan: ScorePlan,
  scoring: Scoring,
  values: readonly (number | undefined)[],
  candidate: unknown,
  row: number,
): number | undefined => combinePresent(plan, scoring, values, candidate, row) ?? plan.onUnscored;

function combinePresent(
  plan: ScorePlan,
  { active, arithmetic, weightsOf }: Scoring,
  values: readonly (number | undefined)[],
  candidate: unknown,
  row: number,
): number | undefined {
  if (active.length === 0 && plan.scorers.length > 0) return undefined;
  if (!arithmetic) return evaluateFormula(plan, active, values, candidate, row);
  if (active.length === 0) return 0; // a filter: no scorers, and no weights
  const tooLow = values.findIndex((value) => value !== undefined && value < arithmetic.minScore);
  if (tooLow >= 0) {
    const method = combineFacts(plan.combine).label;
    throw new RangeError(
      `${method} needs scores of at least ${arithmetic.minScore}, but ${active[tooLow]!.entry.id} is ${values[tooLow]}`,
    );
  }
  const total = combineRow(arithmetic, values, weightsOf(candidate, row));
  if (total === undefined || Number.isFinite(total)) return total;
  throw new RangeError(`combining the scores resulted in ${total}`);
}

function evaluateFormula(
  plan: ScorePlan,
  active: readonly ActiveScorer[],
  resolved: readonly (number | undefined)[],
  candidate: unknown,
  row: number,
): number | undefined {
  const { values } = plan.current.context;
  for (const [k, one] of active.entries()) values[one.refuser - plan.firstRefuser] = resolved[k];
  const total = plan.formula?.(candidate, row);
  if (total === undefined || (typeof total === 'number' && Number.isFinite(total))) return total;
  throw new TypeError(`the formula returned ${describeValue(total)}; expected a finite number`);
}

/** The verdict for an error that was thrown while a row was scored. */
export function verdictOfError(
  plan: ScorePlan,
  error: unknown,
  onFailure: (entry: string, error: unknown) => void = () => {},
): number {
  if (error instanceof CandidateRefused) {
    const refuser = plan.scorers.find((scorer) => scorer.entry.id === error.by)?.refuser ?? plan.combineRefuser;
    return verdictOf(refuser, error.refusal);
  }
  if (error instanceof ExpressionStepsError) throw new RunFailed('combine', 'combine', error);
  if (error instanceof RunFailed) throw error;
  onFailure('combine', error); // includes errors of a candidate's own getters
  return verdictOf(plan.combineRefuser, 'error');
}

/** Whether a scorer was evaluated on a row. Only deferred scorers skip rows. */
export const wasEvaluated = ({ evaluated }: ActiveScorer, row: number): boolean =>
  evaluated === undefined || evaluated(row);

/** A scorer's number for one candidate, after its entry's rules. */
export interface ResolvedScore {
  /** The number to combine; undefined if the scorer is skipped in the row. */
  readonly value: number | undefined;
  /** The number that the unit returned, if any. */
  readonly raw: number | undefined;
  /**
   * `absent`: the unit returned undefined, as an expression does if a field that it reads is missing or null (`on_absent`).
   * `failed`: it threw, returned something other than a finite number, or could not be prepared (`on_error`).
   */
  readonly state: 'scored' | 'absent' | 'failed';
}

/** The error if a score leaves its range and the entry's rule is to fail the run. */
export class OutOfRange extends RangeError {}

/** Tolerance for rounding: 1 − cosine of a repeated text is −2.2e−16. */
const SLACK = 1e-9;

/**
 * A range with tolerance for rounding. The tolerance of a bound is relative to that bound, because a range can be very wide:
 * −5 is outside of 0 to 1e12.
 */
export const withSlack = ([least, most]: ScoreRange): ScoreRange => {
  const slackOf = (bound: number): number => SLACK * Math.min(most - least, Math.max(1, Math.abs(bound)));
  return [least - slackOf(least), most + slackOf(most)];
};

const clampToRange = (range: ScoreRange, value: number): number => {
  const [least, most] = withSlack(range);
  return value < least ? range[0] : value > most ? range[1] : value;
};

/** Whether a value is outside of the range that its class declares, by more than rounding. */
export const leavesRange = (range: ScoreRange, value: number): boolean => clampToRange(range, value) !== value;

function applyOutOfRange(entry: ScorerEntry, value: number): number {
  if (entry.range === undefined || entry.outOfRange === 'warn') return value;
  const clamped = clampToRange(entry.range, value);
  if (clamped === value || entry.outOfRange === 'clamp') return clamped;
  const error = new OutOfRange(`it returned ${value}, outside its range of ${entry.range[0]} to ${entry.range[1]}`);
  throw new RunFailed(entry.id, 'score', error);
}

function resolveAbsent({ entry }: ActiveScorer): ResolvedScore {
  if (entry.onAbsent === 'refuse') throw new CandidateRefused(entry.id, 'absent');
  return { value: entry.onAbsent === 'skip' ? undefined : entry.onAbsent, raw: undefined, state: 'absent' };
}

function resolveFailed(entry: ScorerEntry, rule: ScorerEntry['onError'], error: unknown): ResolvedScore {
  if (rule === 'fail') throw new RunFailed(entry.id, 'score', error);
  if (rule === 'refuse') throw new CandidateRefused(entry.id, 'error', error);
  return { value: rule === 'skip' ? undefined : rule, raw: undefined, state: 'failed' };
}

/**
 * Computes the score of one candidate and applies the entry's rules for absence, failure and range. This is the slow path, for
 * rows that the loop could not finish, for rules that read a score, and for explanations.
 *
 * @throws CandidateRefused or RunFailed, as the rules define
 */
export function resolveScore(
  scorer: ActiveScorer,
  candidate: unknown,
  row: number,
  note?: Note,
  onFailure?: (entry: string, error: unknown) => void,
): ResolvedScore {
  const { entry } = scorer;
  if (scorer.failed) return resolveFailed(entry, scorer.failed.rule, scorer.failed.cause);
  let raw: number | undefined;
  try {
    raw = scorer.raw(candidate, row, note);
    if (raw !== undefined && !Number.isFinite(raw))
      throw new TypeError(`expected a finite number as the score, found ${describeWrongNumber(raw)}`);
  } catch (error) {
    if (error instanceof RunFailed) throw error;
    if (error instanceof ExpressionStepsError) throw new RunFailed(entry.id, 'score', error);
    if (error instanceof CandidateRefused) throw new CandidateRefused(entry.id, error.refusal, error.failure); // by an entry inside it
    onFailure?.(entry.id, error);
    return resolveFailed(entry, error instanceof EntryTimedOut ? entry.onPrepareError : entry.onError, error);
  }
  return raw === undefined ? resolveAbsent(scorer) : { value: applyOutOfRange(entry, raw), raw, state: 'scored' };
}
