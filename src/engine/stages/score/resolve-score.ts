import { EntryTimedOut, type Note, type Score, type ScoreRange } from '../../../contract/index.js';
import { ExpressionStepsError } from '../../../expression/index.js';
import type { ScorerEntry } from '../../../profile/index.js';
import { CandidateRefused, RunFailed } from '../../failures/run-errors.js';
import { describeWrongValue } from '../../tasks/stray-promise.js';
import type { ActiveScorer } from './types.js';

/** Whether a scorer has seen a row. */
export const wasAsked = ({ asked }: ActiveScorer, row: number): boolean => asked === undefined || asked(row);

/** A scorer's number for one candidate, after its entry's rules. */
export interface ResolvedScore {
  /** The number that counts; undefined where the scorer is left out of the row. */
  readonly value: number | undefined;
  /** What the unit gave, where it gave a number. */
  readonly raw: number | undefined;
  readonly state: 'scored' | 'absent' | 'failed';
}

/** A score left its range, and its entry's rule fails the run. */
export class OutOfRange extends RangeError {}

/** Rounding may leave a range by very little: 1 − cosine of a repeated text is −2.2e−16. */
const SLACK = 1e-9;

/** A range with room for rounding. */
export const withSlack = ([least, most]: ScoreRange): ScoreRange => {
  const slack = SLACK * (most - least);
  return [least - slack, most + slack];
};

const clampToRange = (range: ScoreRange, value: number): number => {
  const [least, most] = withSlack(range);
  return value < least ? range[0] : value > most ? range[1] : value;
};

/** Whether a value leaves the range that its class declares, by more than rounding. */
export const leavesRange = (range: ScoreRange, value: number): boolean => clampToRange(range, value) !== value;

function applyOutOfRange(entry: ScorerEntry, value: number): number {
  if (entry.range === undefined || entry.outOfRange === 'warn') return value;
  const clamped = clampToRange(entry.range, value);
  if (clamped === value || entry.outOfRange === 'clamp') return clamped;
  const error = new OutOfRange(`it gave ${value}, outside its range of ${entry.range[0]} to ${entry.range[1]}`);
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
 * Computes the score of one candidate and applies the entry's rules for absence, failure and range: the slow way, for
 * rows that the loop could not finish, rules that read a score, and explanations.
 *
 * @throws CandidateRefused or RunFailed where the rules say so
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
      throw new TypeError(`a score is a finite number, and it gave ${numberOr(raw)}`);
  } catch (error) {
    if (error instanceof RunFailed) throw error;
    if (error instanceof ExpressionStepsError) throw new RunFailed(entry.id, 'score', error);
    if (error instanceof CandidateRefused) throw new CandidateRefused(entry.id, error.refusal, error.failure); // by an entry inside it
    onFailure?.(entry.id, error);
    return resolveFailed(entry, error instanceof EntryTimedOut ? entry.onPrepareError : entry.onError, error);
  }
  return raw === undefined ? resolveAbsent(scorer) : { value: applyOutOfRange(entry, raw), raw, state: 'scored' };
}

const numberOr = (value: unknown): string => (typeof value === 'number' ? String(value) : describeWrongValue(value));

/** The function that the loop calls: the unit's own, unless a rule can be applied without resolving the row. */
export function loopScore({ entry, failed: unprepared }: ActiveScorer, raw: Score<unknown>): Score<unknown> {
  if (unprepared) {
    const { rule } = unprepared;
    return typeof rule === 'number' ? () => rule : () => undefined; // the row is resolved, and skips or refuses there
  }
  const { onAbsent, outOfRange, range } = entry;
  const number = typeof onAbsent === 'number' ? onAbsent : undefined;
  const bounds = outOfRange === 'warn' ? undefined : range;
  if (bounds === undefined) {
    if (number === undefined) return raw;
    return (candidate, row) => {
      const value = raw(candidate, row);
      return value === undefined ? number : value; // null does not abstain
    };
  }
  const [least, most] = withSlack(bounds);
  return (candidate, row) => {
    const value = raw(candidate, row);
    if (value === undefined) return number;
    if (value >= least && value <= most) return value;
    return typeof value === 'number' ? undefined : value; // out of range, or no score: resolved with the row
  };
}
