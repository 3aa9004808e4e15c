import { formatProblems } from './format.js';
import { AssizeError, type Problem } from './problem.js';

/** The error of some problems, with their formatted report as its message. */
export function toAssizeError(problems: readonly Problem[], options?: ErrorOptions): AssizeError {
  return new AssizeError(problems, formatProblems(problems), options);
}
