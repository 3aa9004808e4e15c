import type { Note, Score, ScoreRange } from '../../../contract/index.js';
import { describeValue } from '../../../diagnostics/describe-value.js';
import type { ScorerEntry } from '../../../profile/profile.js';
import { CandidateRefused, type CompiledUnit, RunFailed } from '../../run-context.js';

/** A scorer as one run has it. */
export interface ActiveScorer {
  readonly entry: ScorerEntry;
  readonly unit: CompiledUnit<number>;
  /** Its place among all that can refuse, for verdicts. */
  readonly refuser: number;
  /** As the unit gives it in the cell's run: absent, failed and out of range included. */
  readonly raw: Score<unknown>;
  /** What its failing in prepare made of it, for every candidate. */
  readonly failed: { readonly rule: number | 'refuse' | 'skip'; readonly cause: unknown } | undefined;
  /** Of a scorer that is asked late: whether it was asked about a row. */
  readonly asked?: (row: number) => boolean;
}

/** Whether a scorer was asked about a row. */
export const wasAsked = ({ asked }: ActiveScorer, row: number): boolean => asked === undefined || asked(row);

/** What a scorer's answer is worth under its entry's rules. */
export interface ResolvedScore {
  /** The number that counts; undefined where the entry leaves the row. */
  readonly value: number | undefined;
  /** What the unit gave, where it gave a number. */
  readonly raw: number | undefined;
  readonly state: 'scored' | 'absent' | 'failed';
}

/** A score left its range, and its entry says that this fails the run. */
export class OutOfRange extends RangeError {}

/** Rounding may leave a range by a hair: 1 − cosine of a repeated text is −2.2e−16. */
const SLACK = 1e-9;

/** A range with what rounding may leave it by. */
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
 * Asks one scorer about one candidate, and settles absence, failure and range by the entry's rules: the slow way,
 * for odd rows, rules that read a score, and explanations.
 *
 * @throws Refused or RunFailed where the rules say so
 */
export function resolveScore(
  run: ActiveScorer,
  candidate: unknown,
  row: number,
  note?: Note,
  onFailure?: (entry: string, error: unknown) => void,
): ResolvedScore {
  const { entry } = run;
  if (run.failed) return resolveFailed(entry, run.failed.rule, run.failed.cause);
  let raw: number | undefined;
  try {
    raw = run.raw(candidate, row, note);
    if (raw !== undefined && !Number.isFinite(raw))
      throw new TypeError(`a score is a finite number, and it gave ${valueText(raw)}`);
  } catch (error) {
    if (error instanceof RunFailed) throw error;
    if (error instanceof CandidateRefused) throw new CandidateRefused(entry.id, error.refusal, error.failure); // by an entry inside it
    onFailure?.(entry.id, error);
    return resolveFailed(entry, entry.onError, error);
  }
  return raw === undefined ? resolveAbsent(run) : { value: applyOutOfRange(entry, raw), raw, state: 'scored' };
}

const valueText = (value: unknown): string => (typeof value === 'number' ? String(value) : describeValue(value));

/** The function that the loop calls: the unit's own, unless a rule can be followed without settling the row. */
export function loopScore({ entry, failed: unprepared }: ActiveScorer, raw: Score<unknown>): Score<unknown> {
  if (unprepared) {
    const { rule } = unprepared;
    return typeof rule === 'number' ? () => rule : () => undefined; // the row is settled, and skips or refuses there
  }
  const { onAbsent, outOfRange, range } = entry;
  const number = typeof onAbsent === 'number' ? onAbsent : undefined;
  const bounds = outOfRange === 'warn' ? undefined : range;
  if (bounds === undefined) {
    if (number === undefined) return raw;
    return (candidate, row) => {
      const value = raw(candidate, row);
      return value === undefined ? number : value; // null is no abstaining
    };
  }
  const [least, most] = withSlack(bounds);
  return (candidate, row) => {
    const value = raw(candidate, row);
    if (value === undefined) return number;
    if (value >= least && value <= most) return value;
    return undefined; // out of range: settled with the row
  };
}
