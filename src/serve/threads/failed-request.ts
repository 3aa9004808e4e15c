import { deserializeError, serializeError } from '../../workers/shared-run.js';
import { RequestError } from '../http/request-error.js';
import type { FailedRequest } from './messages.js';

/** An error as plain data. */
export function toFailedRequest(error: unknown): FailedRequest {
  if (!(error instanceof RequestError)) return { error: serializeError(error), answer: undefined };
  const { name, message, stack, problems, status, headers } = error;
  return { error: { name, message, stack, problems }, answer: { status, headers } };
}

/** The same error, in another thread. */
export const fromFailedRequest = ({ error, answer }: FailedRequest): Error =>
  answer ? new RequestError(answer.status, error.problems ?? [], answer.headers) : deserializeError(error);
