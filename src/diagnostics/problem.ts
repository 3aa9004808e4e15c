import type { ProblemCode } from './codes.js';
import { type Fault, faultOfAll } from './faults.js';

/** A position in a file. Lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The text of the line, for the code frame. */
  readonly text?: string;
  /** The column within `text`, where that is a part of a long line; else `column`. */
  readonly textColumn?: number;
}

/** One error or warning: what was found, what was expected, what to do. */
export interface Problem {
  readonly code: ProblemCode;
  /** One sentence without a full stop: what was found, and what was expected. */
  readonly message: string;
  /** The path in the data, as `tier2_scorers[0].params.field`; empty for the whole. */
  readonly path?: string;
  /** Its position, when it came from a file. */
  readonly place?: Place | undefined;
  /** What to do: a suggestion, or the names to choose from. */
  readonly hint?: string | undefined;
}

/** The same symbol in every copy of the library: the error of a plugin that is a file has the class of another copy. */
const BRAND = Symbol.for('assize:error');

/**
 * One or several problems that a user can solve. An error of the engine has a message that is the whole report, ready
 * to print. `instanceof` holds for the errors of every copy of the library.
 */
export class AssizeError extends Error {
  readonly [BRAND] = true;
  override readonly name = 'AssizeError';

  static override [Symbol.hasInstance](value: unknown): value is AssizeError {
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  constructor(
    readonly problems: readonly Problem[],
    message: string = problems.map((problem) => problem.message).join('\n'),
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /**
   * Whose fault it is, by the codes of its problems: `caller` where all of them are the caller's, who can then mend them;
   * else that of the first other one. Anything else that is thrown is the reason of an abort, or a bug.
   */
  get fault(): Fault {
    return faultOfAll(this.problems.map(({ code }) => code));
  }
}
