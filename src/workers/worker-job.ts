import type { Context, Signals } from '../contract/index.js';
import { Failures } from '../engine/failures.js';
import { NEVER } from '../engine/limits.js';
import type { Plan } from '../engine/plan.js';
import { emptyContext } from '../engine/run-context.js';
import type { ProfileInput } from '../profile/schema/profile-schema.js';
import type { StreamRun } from '../stream/stream-run.js';
import type { VersionedFile } from './versioned-file.js';

/** What every thread of a run is told. Plain data. */
export interface WorkerJob {
  readonly profile: string | ProfileInput;
  /** What its relative paths start from. */
  readonly folder: string;
  readonly codegen: boolean;
  readonly file: VersionedFile;
  /** The run's, so that all of them see one time, and ask no signal twice. */
  readonly now: number;
  readonly context: Context;
  readonly signals: Signals;
}

/** The run of a job in one of its threads. */
export function streamRunOfJob(plan: Plan, { now, context, signals }: Omit<WorkerJob, 'profile'>): StreamRun {
  const start = emptyContext(now, Object.freeze({ ...context }));
  start.signals = Object.freeze(Object.assign(Object.create(null), signals) as Signals);
  return { plan, start, abort: NEVER, failures: new Failures() };
}
