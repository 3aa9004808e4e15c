import { AssizeError } from '../../diagnostics/problem.js';

/** What kind of error it is, in few values: the code of its first problem, or the name of its class. */
export function errorType(error: unknown): string {
  if (error instanceof AssizeError) return error.problems[0]?.code ?? error.name;
  return error instanceof Error ? error.name : '_OTHER';
}
