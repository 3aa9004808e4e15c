import { type ServiceToken, serviceToken } from '../contract/service.js';

/** Tells the time. Injected, so that a test or a replay can say what time it is. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** The token under which the clock is bound. */
export const CLOCK: ServiceToken<Clock> = serviceToken<Clock>('clock');

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };
