import type { Problem } from '../../base/index.js';

/** A request that is answered with a problem and a status of its own. */
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

/** A request that is larger than it may be. */
export const tooLarge = (message: string, hint?: string): RequestError =>
  new RequestError(413, { code: 'ASZ593', message, hint });

/** A request for which there is no room now. */
export const tooBusy = (message: string, status: 429 | 503 = 503): RequestError =>
  new RequestError(status, { code: 'ASZ594', message, hint: 'try again' }, { 'retry-after': '1' });

/** A request whose client has gone: nobody reads the answer. */
export const clientGone = (): RequestError =>
  new RequestError(499, { code: 'ASZ595', message: 'the client has gone before its answer was there' });

/** A request whose body does not go on. */
export const stalled = (ms: number): RequestError =>
  new RequestError(408, {
    code: 'ASZ595',
    message: `no more of the body came within ${ms} ms`,
    hint: 'begin to send when all of it is there',
  });

/** A request that takes too long. */
export const tooSlow = (ms: number): RequestError =>
  new RequestError(
    503,
    { code: 'ASZ595', message: `the request took longer than ${ms} ms`, hint: 'send fewer candidates' },
    { 'retry-after': '1' },
  );
