import { type Fault, faultOfAll, isWarning, type ProblemCode } from './codes.js';

/** A position in a file. Lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The line's text, for the code frame. */
  readonly text?: string;
  /** The column within `text`, if that is only a part of a long line. Default: `column`. */
  readonly textColumn?: number;
}

/** One error or warning. */
export interface Problem {
  readonly code: ProblemCode;
  /** One sentence without a full stop: what was found, and what was expected. */
  readonly message: string;
  /** The path in the data, such as `tier2_scorers[0].params.field`. Empty for the whole document. */
  readonly path?: string;
  /** Its position, if the data came from a file. */
  readonly place?: Place | undefined;
  /** How to fix it: a suggestion, or the names to choose from. */
  readonly hint?: string | undefined;
}

/** The same symbol in every copy of the library: a plugin may import its own copy. */
const BRAND = Symbol.for('assize:error');

/**
 * One or more problems that a user can solve. The message of an error that the engine throws is the formatted report.
 * `instanceof` works across copies of the library.
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

  /** The code of the first problem, such as `ASZ201`. Node's errors have a `code`, too. */
  get code(): string {
    return this.problems[0]?.code ?? '';
  }

  /**
   * Who can fix the problems, by their codes: `caller` if the caller can fix all of them, otherwise the fault of the first
   * other one. Any thrown value that is not an AssizeError is the reason of an abort, or a bug.
   */
  get fault(): Fault {
    return faultOfAll(this.problems.map(({ code }) => code));
  }
}

/** A problem as JSON, with its severity and without the text of its line. */
export function problemJson({ code, message, path, place, hint }: Problem): object {
  const { file, line, column } = place ?? {};
  return {
    severity: isWarning(code) ? 'warning' : 'error',
    code,
    message,
    ...(path && { path }),
    ...(place && { place: { file, line, column } }),
    ...(hint !== undefined && { hint }),
  };
}

/** Converts a thrown value to an Error. */
export const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(thrownText(thrown)));

/** Converts a thrown value that is not an Error to text. `String` throws for an object without `toString`. */
export function thrownText(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return describeValue(thrown);
  }
}

/** An error's message with those of its causes. 'fetch failed' alone does not name the cause. */
export function messageWithCauses(error: Error): string {
  return error.cause === undefined ? error.message : `${error.message} (${messageWithCauses(toError(error.cause))})`;
}

/** The code of a Node error, such as ENOENT. The codes of an AssizeError are of another kind. */
export const errorCode = (thrown: unknown): string | undefined =>
  thrown instanceof Error && !(thrown instanceof AssizeError) && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : undefined;

/** Whether `import` or `require` failed because a module was not found. */
export function isModuleNotFound(thrown: unknown): boolean {
  const code = errorCode(thrown);
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}

/**
 * The value that a function returns, or the Error that it throws. One unreadable candidate must not fail the others: its
 * error is thrown again when that candidate is scored.
 */
export function valueOrError<V>(read: () => V): V | Error {
  try {
    return read();
  } catch (error) {
    return toError(error);
  }
}

const MAX_QUOTED_LENGTH = 24;

/** Whether a value can have fields or elements: a map, a list, any other object. */
export const isObject = (value: unknown): value is Readonly<Record<string | number, unknown>> =>
  typeof value === 'object' && value !== null;

/** Describes a value in a message: its type and, if it is short, the value itself. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return 'nothing';
    case 'string':
      return `the string ${JSON.stringify(value.length > MAX_QUOTED_LENGTH ? `${value.slice(0, MAX_QUOTED_LENGTH)}…` : value)}`;
    case 'number':
      return `the number ${value}`;
    case 'boolean':
      return String(value);
    case 'object':
      return value === null ? 'null' : describeObject(value);
    default:
      return `a ${typeof value}`;
  }
}

function describeObject(value: object): string {
  try {
    if (Array.isArray(value)) return 'a list';
    if (value instanceof Promise) return 'a promise';
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : 'a Date';
    return 'a map';
  } catch {
    return 'a proxy that cannot be read'; // it was revoked, or its handler throws
  }
}

/** How many names a hint lists. */
const MAX_LISTED = 20;

/** Lists names in a hint: the first ones and the number of the rest, or `otherwise` if there are no names. */
export function nameList(names: readonly string[], otherwise = 'none'): string {
  if (names.length === 0) return otherwise;
  const more = names.length > MAX_LISTED ? `, and ${names.length - MAX_LISTED} more` : '';
  return `${names.slice(0, MAX_LISTED).join(', ')}${more}`;
}
