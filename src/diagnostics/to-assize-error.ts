import { AssizeError, type Problem } from '../diagnostics/problem.js';
import { formatProblems } from './format.js';

/** The error of some problems, whose message is the whole report. */
export function toAssizeError(problems: readonly Problem[], options?: ErrorOptions): AssizeError {
  return new AssizeError(problems, formatProblems(problems), options);
}
