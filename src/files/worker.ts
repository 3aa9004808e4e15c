/**
 * A thread of its own: it makes the job's pipeline once, and judges the parts of a file that it is given.
 *
 * @module
 */
import { workerData } from 'node:worker_threads';
import { createEdition } from '../container.js';
import type { StreamRun } from '../pipeline/stream/stream-run.js';
import { type Fault, faultOf } from './fault.js';
import { type Job, runOf } from './job.js';
import { judgeShard, type ShardOutcome, type ShardTask } from './judge-shard.js';

const job = workerData as Job;

let opened: Promise<StreamRun> | undefined;

/** Told whatever happens: what a thread throws is not what arrives. */
export default async function work(task: ShardTask): Promise<{ outcome: ShardOutcome } | { fault: Fault }> {
  try {
    opened ??= createEdition(job.profile, job).then(({ plan }) => runOf(plan, job));
    return { outcome: await judgeShard(await opened, job.file, task) };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}
