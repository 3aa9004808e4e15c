/**
 * The code of a worker thread. It makes the job's pipeline once, then ranks or scores the shard of each task.
 *
 * @module
 */
import { workerData } from 'node:worker_threads';
import { createCompiledProfile } from '../../pipeline/node.js';
import { type RankPart, RunParts } from '../parts/index.js';
import { openSharedFile } from './rank-file.js';
import { type ScoreShardResult, scoreShard } from './score-file.js';
import { serializeError, type WorkerJob, type WorkerReply, type WorkerTask } from './messages.js';

const job = workerData as WorkerJob;

const file = openSharedFile(job.file, job.format);

const openedParts = createCompiledProfile(job.profile, { folder: job.folder, codegen: job.codegen }).then(({ plan }) =>
  RunParts.join(plan, job),
);
openedParts.catch(() => {}); // reported in the reply to the first task

/** Runs a task; never rejects. */
export async function runWorkerTask(task: WorkerTask): Promise<WorkerReply<RankPart | ScoreShardResult>> {
  try {
    const parts = await openedParts;
    if (task.kind === 'open') return { kind: 'opened' };
    const result = task.kind === 'rank' ? file.rankShard(parts, task) : scoreShard(parts.run, job.file, task);
    return { kind: 'done', result: await result };
  } catch (error) {
    return { kind: 'failed', error: serializeError(error) };
  }
}
