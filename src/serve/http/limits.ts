import { integerFrom, type OptionTypes } from '../../base/index.js';

const MIB = 2 ** 20;

/** How much a server does at once, and for one request. */
export interface ServeLimits {
  /** The bytes of one request's body; a stream of scores has any number. */
  readonly body: number;
  /** The bytes of all bodies that are in memory at one time. */
  readonly bodies: number;
  /** How many of them are one tenant's: 429. A quarter of `bodies` if it is not given, and at least `body`. */
  readonly bodiesPerTenant: number;
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
  /** How many of one tenant's run at one time; its others wait. Half of `concurrent` if it is not given. */
  readonly turnsPerTenant: number;
  /** How many bodies of one tenant may be on their way at one time, streams included: 429. */
  readonly uploadsPerTenant: number;
  /** Milliseconds that a request may take from its body on, or a stream between two rows: 503. */
  readonly time: number;
  /** Milliseconds that a client may take to send a request: 408. */
  readonly request: number;
  /** Milliseconds between two parts of a body: 408. */
  readonly stall: number;
  /** Milliseconds that a connection is kept without a request. A proxy has to close its own before: see `drain`. */
  readonly idle: number;
  /**
   * Milliseconds for which a server that stops goes on: `/readyz` says 503, and everything is answered, with
   * `connection: close`. A proxy learns in this time that it has to ask another.
   */
  readonly drain: number;
  /** Milliseconds that requests may take to end after that. */
  readonly grace: number;
  /** How many clients may be connected. */
  readonly connections: number;
}

export const DEFAULT_LIMITS: ServeLimits = {
  body: 16 * MIB,
  bodies: 256 * MIB,
  bodiesPerTenant: 64 * MIB,
  large: MIB / 2,
  candidates: 100_000,
  detailed: 1000,
  concurrent: 32,
  waiting: 256,
  perTenant: 144,
  turnsPerTenant: 16,
  uploadsPerTenant: 256,
  time: 30_000,
  request: 60_000,
  stall: 30_000,
  idle: 65_000,
  drain: 0,
  grace: 10_000,
  connections: 4096,
};

/** The limits that may be 0. */
const MAY_BE_ZERO = new Set(['waiting', 'drain']);

/** The types of the limits. */
export const LIMIT_OPTIONS: OptionTypes = Object.fromEntries(
  Object.keys(DEFAULT_LIMITS).map((name) => [name, integerFrom(MAY_BE_ZERO.has(name) ? 0 : 1)]),
);

/** The limits of a server: those that are given, and defaults. What a tenant may have follows from what all may have. */
export function completeLimits(limits: Partial<ServeLimits>): ServeLimits {
  const given = Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
  const all: ServeLimits = { ...DEFAULT_LIMITS, ...given };
  const { body, bodies, concurrent } = all;
  const bodiesPerTenant = limits.bodiesPerTenant ?? Math.max(body, Math.floor(bodies / 4));
  const turnsPerTenant = limits.turnsPerTenant ?? Math.max(1, concurrent >> 1);
  return { ...all, bodiesPerTenant, turnsPerTenant };
}
