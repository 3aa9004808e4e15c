/**
 * The code of a worker thread. It makes the job's pipeline once, then ranks or scores the shard of each task.
 *
 * @module
 */
import { workerData } from 'node:worker_threads';
import { createCompiledProfile } from '../../pipeline/node.js';
import { openSharedFile } from './rank-file.js';
import type { RankPart } from './rank-part.js';
import { type ScoreShardResult, scoreShard } from './score-file.js';
import { openSharedRun, serializeError, type WorkerJob, type WorkerReply, type WorkerTask } from './shared-run.js';

const job = workerData as WorkerJob;

const file = openSharedFile(job.file, job.format);

const openedRun = createCompiledProfile(job.profile, { folder: job.folder, codegen: job.codegen }).then(({ plan }) =>
  openSharedRun(plan, job),
);
openedRun.catch(() => {}); // reported in the reply to the first task

/** Runs a task; never rejects. */
export async function runWorkerTask(task: WorkerTask): Promise<WorkerReply<RankPart | ScoreShardResult>> {
  try {
    const run = await openedRun;
    if (task.kind === 'open') return { kind: 'opened' };
    const result = task.kind === 'rank' ? file.rankShard(run, task) : scoreShard(run, job.file, task);
    return { kind: 'done', result: await result };
  } catch (error) {
    return { kind: 'failed', error: serializeError(error) };
  }
}
