/**
 * The code of a worker thread: it makes the job's pipeline once, and ranks or scores the shards of its tasks.
 *
 * @module
 */
import { workerData } from 'node:worker_threads';
import { createCompiledProfile } from '../container.js';
import type { Signals } from '../contract/index.js';
import { Failures } from '../engine/failures.js';
import { NEVER } from '../engine/limits.js';
import { overridePlan } from '../engine/override-plan.js';
import { emptyContext } from '../engine/run-context.js';
import type { StreamRun } from '../stream/stream-run.js';
import { type RankShardResult, rankShard } from './rank-shard.js';
import { type ScoreShardResult, scoreShard } from './score-shard.js';
import { serializeError, type WorkerJob, type WorkerReply, type WorkerTask } from './worker-messages.js';

const job = workerData as WorkerJob;

const openedRun = openRun(job);
openedRun.catch(() => {}); // the reply to the first task

/** Opens the job's run: with the weights, limits, time, context and signals that it brings. */
async function openRun({ now, context, signals, profile, overrides, ...options }: WorkerJob): Promise<StreamRun> {
  const compiled = await createCompiledProfile(profile, options);
  const plan = overridePlan(compiled.plan, overrides);
  const start = emptyContext(now, Object.freeze({ ...context }));
  start.signals = Object.freeze(Object.assign(Object.create(null), signals) as Signals);
  return { plan, start, abort: NEVER, failures: new Failures() };
}

/** Runs a task; never rejects. */
export async function runWorkerTask(task: WorkerTask): Promise<WorkerReply<RankShardResult | ScoreShardResult>> {
  try {
    const run = await openedRun;
    if (task.kind === 'open') return { kind: 'opened' };
    const result = task.kind === 'rank' ? rankShard(run, job.file, task) : scoreShard(run, job.file, task);
    return { kind: 'done', result: await result };
  } catch (error) {
    return { kind: 'failed', error: serializeError(error) };
  }
}
