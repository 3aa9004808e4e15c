import { AssizeError, type Problem } from 'assize';
import { toError } from 'assize/internal';
import { RequestError } from '../http/request-error.js';

/** An error as plain data for another thread: structured cloning would drop its problems, status and headers. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** The problems of an `AssizeError` or a `RequestError`. */
  readonly problems: readonly Problem[] | undefined;
  /** The status and headers of a `RequestError`. */
  readonly answer: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined;
}

export function toSentError(thrown: unknown): SentError {
  const { name, message, stack } = toError(thrown);
  if (thrown instanceof RequestError) {
    const { problems, status, headers } = thrown;
    return { name, message, stack, problems, answer: { status, headers } };
  }
  return {
    name,
    message,
    stack,
    problems: thrown instanceof AssizeError ? thrown.problems : undefined,
    answer: undefined,
  };
}

/** The same error, in another thread. */
export function fromSentError({ name, message, stack, problems, answer }: SentError): Error {
  if (answer) return new RequestError(answer.status, problems ?? [], answer.headers);
  const error = problems ? new AssizeError(problems, message) : Object.assign(new Error(message), { name });
  if (stack !== undefined) error.stack = stack;
  return error;
}
