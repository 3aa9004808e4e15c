import { integerFrom, type OptionTypes } from '../../diagnostics/index.js';

const MIB = 2 ** 20;

/** How much a server does at once, and for one request. */
export interface ServeLimits {
  /** The bytes of one request's body; a stream of scores has any number. */
  readonly body: number;
  /** The bytes of all bodies that are held at one time. */
  readonly bodies: number;
  /** From so many bytes on a request is answered in a thread of its own, where there are threads and its profile allows it. */
  readonly large: number;
  /** The candidates of one request; a stream of scores has any number. */
  readonly candidates: number;
  /** Of how many rows a request may have the terms and explanations, and of how many candidates the warnings: scorers are asked again for them. */
  readonly detailed: number;
  /** How many requests run at one time. What a scorer waits for, others use. */
  readonly concurrent: number;
  /** How many more wait for their turn. The next is told to come again: 503. */
  readonly waiting: number;
  /** How many of these one tenant may have: 429. */
  readonly perTenant: number;
  /** Milliseconds that a request may take from its body on, or a stream between two rows: 503. */
  readonly time: number;
  /** Milliseconds that a client may take to send a request: 408. */
  readonly request: number;
  /** Milliseconds that requests may take to end when the server stops. */
  readonly grace: number;
  /** How many clients may be connected. */
  readonly connections: number;
}

export const DEFAULT_LIMITS: ServeLimits = {
  body: 16 * MIB,
  bodies: 256 * MIB,
  large: MIB / 2,
  candidates: 100_000,
  detailed: 1000,
  concurrent: 32,
  waiting: 256,
  perTenant: 144,
  time: 30_000,
  request: 60_000,
  grace: 10_000,
  connections: 4096,
};

/** The types of the limits. */
export const LIMIT_OPTIONS: OptionTypes = Object.fromEntries(
  Object.keys(DEFAULT_LIMITS).map((name) => [name, integerFrom(name === 'waiting' ? 0 : 1)]),
);
