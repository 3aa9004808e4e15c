import type { Histogram, Registry } from 'prom-client';
import { importOptional, isMap, type OptionalPackage } from 'assize/sdk';
import type { ServedProfiles } from '../profiles/served-profiles.js';
import type { Slots } from './slots.js';

type PromClient = typeof import('prom-client');

const PROM_CLIENT: OptionalPackage<PromClient> = {
  name: 'prom-client',
  neededBy: '/metrics',
  part: 'Registry',
  isLibrary: (module): module is PromClient => isMap(module) && 'Registry' in module,
};

/** The metrics of requests and runs. Labels never contain ids of candidates or values of a request. */
export interface ServeMetrics {
  request(route: string, status: number, seconds: number): void;
  run(
    profile: string,
    counts: { readonly candidates: number; readonly refused: number; readonly degraded: number },
  ): void;
  reload(profile: string, result: 'loaded' | 'broken' | 'removed'): void;
  /** The share of the selected that a shadow also selects; undefined if the shadow failed or got no turn. */
  shadow(profile: string, overlap: number | undefined): void;
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>;
}

/** The histogram buckets, from a millisecond to the time limit of a request. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The metrics of a server and its process. Without prom-client nothing is counted, and `text` rejects with the install command. */
export async function serveMetrics(
  profiles: () => ServedProfiles | undefined,
  slots: readonly Slots[],
): Promise<ServeMetrics> {
  try {
    return await countingMetrics(profiles, slots);
  } catch (error) {
    const nothing = (): void => {};
    return { request: nothing, run: nothing, reload: nothing, shadow: nothing, text: () => Promise.reject(error) };
  }
}

async function countingMetrics(
  profiles: () => ServedProfiles | undefined,
  slots: readonly Slots[],
): Promise<ServeMetrics> {
  const client = await importOptional(PROM_CLIENT, () => import('prom-client'));
  const register = new client.Registry();
  client.collectDefaultMetrics({ register });
  const counter = (name: string, help: string, labelNames: string[]) =>
    new client.Counter({ name, help, labelNames, registers: [register] });
  const histogram = (name: string, help: string, labelNames: string[], buckets: number[]): Histogram =>
    new client.Histogram({ name, help, labelNames, buckets, registers: [register] });
  const requests = counter('assize_http_requests_total', 'Requests by route and status.', ['route', 'status']);
  const seconds = histogram('assize_http_request_duration_seconds', 'Duration of requests.', ['route'], SECONDS);
  const candidates = counter('assize_candidates_total', 'Candidates of requests.', ['profile']);
  const refused = counter('assize_refused_total', 'Refused candidates.', ['profile']);
  const degraded = counter('assize_degraded_total', 'Failures that did not fail a run.', ['profile']);
  const reloads = counter('assize_profile_changes_total', 'New versions of profiles by result.', ['profile', 'result']);
  const overlap = histogram(
    'assize_shadow_overlap',
    'The share of the selected that a shadow also selects.',
    ['profile'],
    TENTHS,
  );
  const missed = counter('assize_shadow_missed_total', 'Requests that a shadow did not rank.', ['profile']);
  addGauges(client, register, profiles, slots);
  return {
    request(route, status, took) {
      requests.inc({ route, status });
      seconds.observe({ route }, took);
    },
    run(profile, counts) {
      candidates.inc({ profile }, counts.candidates);
      refused.inc({ profile }, counts.refused);
      degraded.inc({ profile }, counts.degraded);
    },
    reload: (profile, result) => reloads.inc({ profile, result }),
    shadow: (profile, share) => (share === undefined ? missed.inc({ profile }) : overlap.observe({ profile }, share)),
    text: () => register.metrics(),
  };
}

const TENTHS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** Adds the gauges, which are read only when metrics are collected. */
function addGauges(
  { Gauge }: PromClient,
  register: Registry,
  profiles: () => ServedProfiles | undefined,
  slots: readonly Slots[],
): void {
  const sum = (of: (one: Slots) => number): number => slots.reduce((all, one) => all + of(one), 0);
  const running = new Gauge({
    name: 'assize_requests_running',
    help: 'Running requests.',
    registers: [],
    collect() {
      this.set(sum((one) => one.running));
    },
  });
  const waiting = new Gauge({
    name: 'assize_requests_waiting',
    help: 'Waiting requests.',
    registers: [],
    collect() {
      this.set(sum((one) => one.waiting));
    },
  });
  const current = new Gauge({
    name: 'assize_profile_current',
    help: '1 if the newest version of a profile is active, 0 if it is broken.',
    labelNames: ['profile'],
    registers: [],
    collect() {
      this.reset();
      for (const { name, error } of profiles()?.list() ?? []) this.set({ profile: name }, error ? 0 : 1);
    },
  });
  for (const gauge of [running, waiting, current]) register.registerMetric(gauge);
}
