import { AssizeError, type Problem } from '../contract/index.js';

/** An error as it passes from one thread to another: a copy of an error would lose what is its own. */
export interface Fault {
  readonly message: string;
  readonly stack: string | undefined;
  /** Of an `AssizeError`. */
  readonly problems: readonly Problem[] | undefined;
}

export function faultOf(error: unknown): Fault {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { message, stack, problems: error instanceof AssizeError ? error.problems : undefined };
}

/** The error that it was. */
export function errorOf({ message, stack, problems }: Fault): Error {
  const error = problems ? new AssizeError(problems, message) : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
