import type { Note } from '../../../contract/index.js';
import { ExpressionStepsError } from '../../../expression/index.js';
import type { Refusal } from '../../kernel/verdict.js';
import { failRun } from '../../failures/run-errors.js';
import { describeWrongValue } from '../../tasks/stray-promise.js';
import type { ActiveVeto } from './types.js';

/** The result of one veto on one candidate, after its entry's rules. */
export interface VetoDecision {
  readonly state: 'passed' | 'refused' | 'absent' | 'failed';
  /** Undefined lets the candidate go on. */
  readonly refusal: Refusal | undefined;
  /** What was thrown, where it failed. */
  readonly error?: unknown;
}

const PASSED: VetoDecision = { state: 'passed', refusal: undefined };
const REFUSED: VetoDecision = { state: 'refused', refusal: 'veto' };

/**
 * Runs one veto on one candidate with the entry's rules for absence and failure: for candidates on which the loop
 * found something else than true or false, and for explanations.
 *
 * @param index the candidate's place among those that this veto was given
 * @throws RunFailed where it fails and its `on_error` is `fail`
 */
export function decideVeto(veto: ActiveVeto, candidate: unknown, index: number, note?: Note): VetoDecision {
  const { entry } = veto;
  let error: unknown;
  try {
    const refuses: unknown = veto.refuses(candidate, index, note);
    if (refuses === true) return REFUSED;
    if (refuses === false) return PASSED;
    if (refuses === undefined) return { state: 'absent', refusal: entry.onAbsent === 'refuse' ? 'absent' : undefined };
    error = new TypeError(`a veto gives true or false, and it gave ${describeWrongValue(refuses)}`);
  } catch (thrown) {
    error = thrown;
  }
  if (entry.onError === 'fail' || error instanceof ExpressionStepsError)
    failRun(entry.id, 'veto', error, veto.given?.[index] ?? index);
  return { state: 'failed', refusal: entry.onError === 'refuse' ? 'error' : undefined, error };
}
