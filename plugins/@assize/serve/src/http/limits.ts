const MIB = 2 ** 20;

/** The limits of a server: for concurrent work and for each request. */
export interface ServeLimits {
  /** The most bytes of one request's body. A stream of scores has no limit. */
  readonly body: number;
  /** The most bytes of all bodies in memory. */
  readonly bodies: number;
  /** The share of `bodies` for one tenant; more gets 429. By default a quarter of `bodies`, and at least `body`. */
  readonly bodiesPerTenant: number;
  /** A request with at least this many bytes runs in a worker thread, if threads are enabled and its profile allows it. */
  readonly large: number;
  /** The most candidates of one request. A stream of scores has no limit. */
  readonly candidates: number;
  /** The most rows with terms or explanations, and the most candidates with warnings, because those run the scorers again. */
  readonly detailed: number;
  /** The most requests that run at the same time. While a scorer waits, other requests use the thread. */
  readonly concurrent: number;
  /** The most requests that wait for a turn. Further requests get 503. */
  readonly waiting: number;
  /** The most running and waiting requests of one tenant; more get 429. */
  readonly perTenant: number;
  /** The most running requests of one tenant; its others wait. By default half of `concurrent`. */
  readonly turnsPerTenant: number;
  /** The most uploads in progress of one tenant, streams included; more get 429. */
  readonly uploadsPerTenant: number;
  /** The most milliseconds from the end of the body to the response, or between two rows of a stream; then 503. */
  readonly time: number;
  /** The most milliseconds to send a request; then 408. */
  readonly request: number;
  /** The most milliseconds between two parts of a body; then 408. */
  readonly stall: number;
  /** Milliseconds to keep an idle connection. A proxy must use a shorter time: see `drain`. */
  readonly idle: number;
  /**
   * Milliseconds between the signal to stop and the end of accepting requests. Meanwhile `/readyz` returns 503, and every
   * response has `connection: close`, so that a proxy can switch to another server.
   */
  readonly drain: number;
  /** Milliseconds for requests to finish after that. */
  readonly grace: number;
  /** The most connected clients. */
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
export const LIMIT_OPTIONS = Object.fromEntries(
  Object.keys(DEFAULT_LIMITS).map((name) => [name, { integerFrom: MAY_BE_ZERO.has(name) ? 0 : 1 }]),
);

/** Completes limits with defaults. The defaults for a tenant are shares of the limits for all. */
export function completeLimits(limits: Partial<ServeLimits>): ServeLimits {
  const given = Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
  const all: ServeLimits = { ...DEFAULT_LIMITS, ...given };
  const { body, bodies, concurrent } = all;
  const bodiesPerTenant = limits.bodiesPerTenant ?? Math.max(body, Math.floor(bodies / 4));
  const turnsPerTenant = limits.turnsPerTenant ?? Math.max(1, concurrent >> 1);
  return { ...all, bodiesPerTenant, turnsPerTenant };
}
