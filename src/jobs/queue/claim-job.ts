import { encode } from '../codec.js';
import { digestOf } from '../fingerprint.js';
import { type Job, jobText, readJob } from '../job.js';
import { ABANDONED_AFTER, type QueueConnection } from './connection.js';

/** How long the parts of a finished job are kept: for another process that ranks the same job. */
const KEPT_SECONDS = 3600;

/** A job, and the key under which Redis has its id until it is finished. */
export interface ClaimedJob {
  readonly job: Job;
  readonly request: string;
}

/** The unfinished job of the same request, if there is one; else this job, which is now. */
export async function claimJob({ redis, keys }: QueueConnection, made: Job): Promise<ClaimedJob> {
  const request = keys.request(requestOf(made));
  await redis.setex(keys.job(made.id), ABANDONED_AFTER, jobText(made)); // first: whoever finds the claim finds the job
  await redis.set(request, made.id, 'NX');
  const id = (await redis.get(request)) ?? made.id;
  const known = id === made.id ? undefined : knownJob(await redis.get(keys.job(id)), id);
  if (known) await redis.del(keys.job(made.id));
  else await redis.set(request, made.id);
  return { job: known ?? made, request };
}

/** A job as Redis has it; undefined where it has none of that id: then nobody goes on with it. */
function knownJob(text: string | null, id: string): Job | undefined {
  if (text === null) return undefined;
  try {
    const job = readJob(text);
    return job.id === id ? job : undefined;
  } catch {
    return undefined;
  }
}

/** What was asked for: all of a job but what differs from one call to the next, its time and its signals. */
function requestOf(job: Job): string {
  const { overrides, context } = job.run;
  return digestOf(encode({ ...job, id: '', run: { overrides, context } }));
}

/** Gives a finished job up; its parts are kept for a while, for another process that waits for them. */
export async function forgetJob({ redis, keys }: QueueConnection, { job: { id }, request }: ClaimedJob): Promise<void> {
  if ((await redis.get(request)) === id) await redis.del(request);
  await Promise.all([keys.job(id), keys.parts(id), keys.refusals(id)].map((key) => redis.expire(key, KEPT_SECONDS)));
}
