import { type ServiceToken, serviceToken } from '../contract/index.js';

/** Gives the time. A service, so that a test or a replay can set it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** The token under which the clock is bound. */
export const CLOCK: ServiceToken<Clock> = serviceToken<Clock>('clock');

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };
