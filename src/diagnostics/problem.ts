import type { ProblemCode } from './codes.js';

/** Where something was written. Lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The text of that line, for the frame under the message. */
  readonly text?: string;
  /** The column within `text`, where a long line was cut to what surrounds it; `column` when not said. */
  readonly textColumn?: number;
}

/** One thing that is wrong: what was found, what was expected, what to do. */
export interface Problem {
  readonly code: ProblemCode;
  /** What was found and what was expected, in one sentence without a full stop. */
  readonly message: string;
  /** Where in the data, as a path: `tier2_scorers[0].params.field`; empty for the whole. */
  readonly path?: string;
  /** Where it was written, when it came from a file. */
  readonly place?: Place | undefined;
  /** What to do: a suggestion, the names there are. */
  readonly hint?: string | undefined;
}

/** The same symbol in every copy of the library: a plugin that is a file throws the error of a copy of its own. */
const BRAND = Symbol.for('assize:error');

/** One or several mistakes of a user. Its message is the whole report, ready to be printed; a stack adds nothing. */
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
}
