/**
 * The code of a worker thread. It makes the job's pipeline once, then ranks or scores the shard of each task.
 *
 * @module
 */
import { workerData } from 'node:worker_threads';
import type { CompiledProfile } from '../../engine/index.js';
import { Pipeline } from '../../pipeline/index.js';
import { createCompiledProfile } from '../../pipeline/node.js';
import {
  type GroupPart,
  GroupPartRanker,
  type GroupsRun,
  type RankPart,
  RunParts,
  type Shard,
  type SharedRun,
} from '../parts/index.js';
import { openSharedFile } from './rank-file.js';
import { GroupRowsFile } from './rank-groups.js';
import { type ScoreShardResult, scoreShard } from './score-file.js';
import { serializeError, type WorkerJob, type WorkerReply, type WorkerTask } from './messages.js';

type Result = RankPart | ScoreShardResult | { readonly shard: Shard; readonly part: GroupPart };

/** Does the job's work on the shard of a task. */
type RunTask = (task: Exclude<WorkerTask, { readonly kind: 'open' }>) => Promise<Result>;

const job = workerData as WorkerJob;

const opened = createCompiledProfile(job.profile, { folder: job.folder, codegen: job.codegen }).then((compiled) =>
  'by' in job.run ? openGroups(compiled, job.run) : openParts(compiled, job.run),
);
opened.catch(() => {}); // reported in the reply to the first task

function openParts({ plan }: CompiledProfile, run: SharedRun): RunTask {
  const file = openSharedFile(job.file, job.format);
  const parts = RunParts.join(plan, run);
  return async (task) => {
    if (task.kind === 'score') return scoreShard(parts.run, job.file, task);
    if (task.kind === 'rank') return file.rankShard(parts, task);
    throw new TypeError('the job has no groups');
  };
}

async function openGroups(compiled: CompiledProfile, run: GroupsRun): Promise<RunTask> {
  const file = new GroupRowsFile(job);
  const ranker = await GroupPartRanker.open(new Pipeline<object>(compiled), run);
  return async ({ from, to }) => {
    const shard = { from, to };
    return { shard, part: await file.rankShard(ranker, run.by, shard) };
  };
}

/** Runs a task; never rejects. */
export async function runWorkerTask(task: WorkerTask): Promise<WorkerReply<Result>> {
  try {
    const run = await opened;
    if (task.kind === 'open') return { kind: 'opened' };
    return { kind: 'done', result: await run(task) };
  } catch (error) {
    return { kind: 'failed', error: serializeError(error) };
  }
}
