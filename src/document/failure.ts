import { AssizeError, type Problem } from '../contract/index.js';
import { formatProblems } from './format.js';

/** The error of some problems, whose message is the whole report. */
export function failure(problems: readonly Problem[], options?: ErrorOptions): AssizeError {
  return new AssizeError(problems, formatProblems(problems), options);
}
