/**
 * What a thread of its own does: it makes the job's pipeline once, and judges the parts of a file that it is given.
 *
 * @module
 */
import { workerData } from 'node:worker_threads';
import { createEdition } from '../container.js';
import { faultOf } from './fault.js';
import { type Job, runOf } from './job.js';
import { judgeShard, type ShardOutcome } from './judge-shard.js';
import { type ScoredShard, scoreShard } from './score-shard.js';
import type { Answer, Task } from './tasks.js';

const job = workerData as Job;

const opened = createEdition(job.profile, job).then(({ plan }) => runOf(plan, job));
opened.catch(() => {}); // told with the first task

export async function work(task: Task): Promise<Answer<ShardOutcome | ScoredShard>> {
  try {
    const run = await opened;
    if (task.kind === 'open') return { kind: 'opened' };
    const outcome = task.kind === 'judge' ? judgeShard(run, job.file, task) : scoreShard(run, job.file, task);
    return { kind: 'done', outcome: await outcome };
  } catch (error) {
    return { kind: 'failed', fault: faultOf(error) };
  }
}
