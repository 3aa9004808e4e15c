import { type ServiceToken, serviceToken, type Progress, type TraceMessages, type Tracer } from '../sdk/index.js';

/** Returns the time. It is a service so that a test or a replay can set the time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** The token under which the clock is bound. */
export const CLOCK: ServiceToken<Clock> = serviceToken<Clock>('clock');

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** The token for services that do slow work: `@inject(PROGRESS)`. */
export const PROGRESS: ServiceToken<Progress> = serviceToken<Progress>('progress');

export const noProgress: Progress = () => {};

/** The token for services that call models: `@inject(TRACER)`. */
export const TRACER: ServiceToken<Tracer> = serviceToken<Tracer>('tracer');

/** The tracer of a run that cannot have subscribers, such as in a page. */
export const noTracer: Tracer = {
  isFollowed: () => false,
  begin: (_kind, _message, first) => first({ wait() {}, within: (part) => part(), end() {} }),
};

/**
 * Runs synchronous or asynchronous work, and traces it if there are subscribers.
 *
 * @param note adds the result to the message
 */
export function traced<Kind extends keyof TraceMessages, R>(
  tracer: Tracer,
  kind: Kind,
  message: TraceMessages[Kind],
  work: () => R | Promise<R>,
  note?: (result: R) => void,
): R | Promise<R> {
  if (!tracer.isFollowed(kind)) return work();
  return tracer.begin(kind, message, (piece) => {
    const done = (result: R): R => {
      note?.(result);
      piece.end();
      return result;
    };
    const fail = (error: unknown): never => {
      piece.end({ error });
      throw error;
    };
    try {
      const result = work();
      if (!(result instanceof Promise)) return done(result);
      piece.wait();
      return result.then(done, fail);
    } catch (error) {
      return fail(error);
    }
  });
}
