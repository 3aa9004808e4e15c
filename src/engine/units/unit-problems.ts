import { AssizeError, type Place, type Problem, type ProblemCode, toAssizeError } from '../../diagnostics/index.js';
import { causeOf } from '../failures/failures.js';

/** A unit's own check rejects its params. */
export class ParamsRejected extends Error {
  constructor(override readonly cause: unknown) {
    super('the params are refused', { cause });
  }
}

/** Makes a unit of an entry: whatever goes wrong is the entry's problem, with its place. */
export function reportUnitProblem<R>(
  entry: { readonly id: string; readonly path?: string; readonly place?: Place | undefined },
  make: () => R,
): R {
  try {
    return make();
  } catch (error) {
    const { id, path = id, place } = entry;
    const cause = error instanceof ParamsRejected ? error.cause : error;
    const [first, ...rest] = causeOf(cause).split('\n');
    const hint = rest.length === 0 ? undefined : rest.join('\n');
    const problem: Problem =
      error instanceof ParamsRejected
        ? { code: codeOf(cause) ?? 'ASZ202', message: `the params of ${id} are refused: ${first}`, path, place, hint }
        : { code: codeOf(cause) ?? 'ASZ305', message: `the unit of ${id} cannot be made: ${first}`, path, place, hint };
    throw toAssizeError([problem], { cause: error });
  }
}

/** The problem of a unit's service has a code of its own: a missing package is no wrong value. */
const codeOf = (cause: unknown): ProblemCode | undefined =>
  cause instanceof AssizeError ? cause.problems[0]?.code : undefined;
