import type { Context, Signals } from '../contract/index.js';
import type { Plan } from '../pipeline/compile/plan.js';
import { emptyState } from '../pipeline/state.js';
import type { StreamRun } from '../pipeline/stream/stream-run.js';
import type { ProfileInput } from '../profile/schema.js';
import { Failures } from '../stages/failures.js';
import { NEVER } from '../stages/limits.js';
import type { WatchedFile } from './watched-file.js';

/** What every thread of a run is told. Plain data. */
export interface Job {
  readonly profile: string | ProfileInput;
  /** What its relative paths start from. */
  readonly folder: string;
  readonly codegen: boolean;
  readonly file: WatchedFile;
  /** The run's, so that all of them see one time, and ask no signal twice. */
  readonly now: number;
  readonly context: Context;
  readonly signals: Signals;
}

/** The run of a job in one of its threads. */
export function runOf(plan: Plan, { now, context, signals }: Omit<Job, 'profile'>): StreamRun {
  const start = emptyState(now, Object.freeze({ ...context }));
  start.signals = Object.freeze(Object.assign(Object.create(null), signals) as Signals);
  return { plan, start, abort: NEVER, failures: new Failures() };
}
