import { AssizeError, type Place, type Problem, type ProblemCode } from '../../contract/index.js';
import { failure } from '../../document/failure.js';
import { causeOf } from '../../stages/failures.js';

/** A unit has looked at its params, and refuses them. */
export class ParamsRefused extends Error {
  constructor(override readonly cause: unknown) {
    super('the params are refused', { cause });
  }
}

/** Makes a unit of an entry: whatever goes wrong is the entry's problem, with its place. */
export function made<R>(
  entry: { readonly id: string; readonly path?: string; readonly place?: Place | undefined },
  make: () => R,
): R {
  try {
    return make();
  } catch (error) {
    const { id, path = id, place } = entry;
    const cause = error instanceof ParamsRefused ? error.cause : error;
    const [first, ...rest] = causeOf(cause).split('\n');
    const hint = rest.length === 0 ? undefined : rest.join('\n');
    const problem: Problem =
      error instanceof ParamsRefused
        ? { code: codeOf(cause) ?? 'ASZ202', message: `the params of ${id} are refused: ${first}`, path, place, hint }
        : { code: 'ASZ305', message: `the unit of ${id} cannot be made: ${first}`, path, place, hint };
    throw failure([problem], { cause: error });
  }
}

/** What a unit's service had to say has a code of its own: a package that is missing is no wrong value. */
const codeOf = (cause: unknown): ProblemCode | undefined =>
  cause instanceof AssizeError ? cause.problems[0]?.code : undefined;
