import { AssizeError, type Problem } from '../diagnostics/problem.js';

/** An error as it passes from one thread to another: a copy of an error would lose what is its own. */
export interface SerializedError {
  readonly message: string;
  readonly stack: string | undefined;
  /** Of an `AssizeError`. */
  readonly problems: readonly Problem[] | undefined;
}

export function serializeError(error: unknown): SerializedError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { message, stack, problems: error instanceof AssizeError ? error.problems : undefined };
}

/** The error that it was. */
export function deserializeError({ message, stack, problems }: SerializedError): Error {
  const error = problems ? new AssizeError(problems, message) : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
