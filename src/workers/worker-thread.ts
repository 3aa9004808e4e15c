/**
 * What a thread of its own does: it makes the job's pipeline once, and judges the parts of a file that it is given.
 *
 * @module
 */
import { workerData } from 'node:worker_threads';
import { createCompiledProfile } from '../container.js';
import { type RankShardResult, rankShard } from './rank-shard.js';
import { type ScoreShardResult, scoreShard } from './score-shard.js';
import { serializeError } from './serialized-error.js';
import { streamRunOfJob, type WorkerJob } from './worker-job.js';
import type { WorkerReply, WorkerTask } from './worker-messages.js';

const job = workerData as WorkerJob;

const openedRun = createCompiledProfile(job.profile, job).then(({ plan }) => streamRunOfJob(plan, job));
openedRun.catch(() => {}); // told with the first task

export async function runWorkerTask(task: WorkerTask): Promise<WorkerReply<RankShardResult | ScoreShardResult>> {
  try {
    const run = await openedRun;
    if (task.kind === 'open') return { kind: 'opened' };
    const outcome = task.kind === 'judge' ? rankShard(run, job.file, task) : scoreShard(run, job.file, task);
    return { kind: 'done', outcome: await outcome };
  } catch (error) {
    return { kind: 'failed', fault: serializeError(error) };
  }
}
