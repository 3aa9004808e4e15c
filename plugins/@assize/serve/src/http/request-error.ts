import type { Problem } from 'assize';
import { toError } from 'assize/internal';

/** An error with its own problem and status. */
export class RequestError extends Error {
  override readonly name = 'RequestError';

  readonly problems: readonly Problem[];

  constructor(
    readonly status: number,
    given: Problem | readonly Problem[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    const problems = [given].flat();
    super(problems.map(({ message }) => message).join('\n'));
    this.problems = problems;
  }
}

/** A request that is malformed. */
export const malformed = (message: string, hint?: string, status = 400): RequestError =>
  new RequestError(status, { code: 'ASZ590', message, hint });

/** A request that exceeds a size limit. */
export const tooLarge = (message: string, hint?: string): RequestError =>
  new RequestError(413, { code: 'ASZ593', message, hint });

/** A request that the server cannot take now. */
export const tooBusy = (message: string, status: 429 | 503 = 503): RequestError =>
  new RequestError(status, { code: 'ASZ594', message, hint: 'try again later' }, { 'retry-after': '1' });

/** A request whose client disconnected before the response. */
export const clientGone = (): RequestError =>
  new RequestError(499, { code: 'ASZ595', message: 'the client disconnected before the response was ready' });

/** A request whose body stalled. */
export const stalled = (ms: number): RequestError =>
  new RequestError(408, {
    code: 'ASZ595',
    message: `no part of the body arrived within ${ms} ms`,
    hint: 'send the request when its body is complete',
  });

/** A request that takes too long. */
export const tooSlow = (ms: number): RequestError =>
  new RequestError(
    503,
    { code: 'ASZ595', message: `the request took longer than ${ms} ms`, hint: 'send fewer candidates' },
    { 'retry-after': '1' },
  );

/** The message of a thrown value, with those of its causes. */
export function messageWithCauses(thrown: unknown): string {
  const { message, cause } = toError(thrown);
  return cause === undefined ? message : `${message} (${messageWithCauses(cause)})`;
}
