import { type Problem, toAssizeError, toError } from '../diagnostics/index.js';
import { NEVER, untilAborted } from '../engine/tasks.js';
import type { TopRanking } from '../index.js';
import { encode } from './codec.js';
import { digestOf, type Job, jobText, partsOf, readJob } from './job.js';
import type { Merge } from './merge.js';
import { openJob, type OpenJobOptions } from './open-job.js';
import {
  ABANDONED_AFTER,
  connectQueue,
  isRefusedCommand,
  isRefusedForNow,
  type QueueAddress,
  type QueueConnection,
  troubleOf,
} from './queue-connection.js';

/** How far a job in a queue is. */
export interface QueueProgress {
  readonly job: string;
  readonly parts: number;
  /** How many of them are there. */
  readonly done: number;
  /** How many workers listen. */
  readonly workers: number;
  /** Why workers do not do the job, by worker. */
  readonly refusals: ReadonlyMap<string, string>;
  /** What went wrong with the queue last: a connection that is lost is made anew, a Redis that is full asked again. */
  readonly trouble: string | undefined;
}

export interface RankInQueueOptions extends Omit<OpenJobOptions, 'progress'> {
  /** Called with each part that has come, and each second. */
  readonly onProgress?: ((progress: QueueProgress) => void) | undefined;
  /** Stops waiting. The job stays in the queue: the same job, ranked again, goes on where this one stopped. */
  readonly abort?: AbortSignal | undefined;
}

/** A ranking by a queue. */
export interface QueueRanking {
  /** Of all lines that can be read. */
  readonly ranking: TopRanking<object>;
  /** What is wrong with the others. */
  readonly unreadable: readonly Problem[];
}

/** How often a part is tried before it counts as failed. */
const ATTEMPTS = 3;
const FIRST_RETRY_MS = 500;
const POLL_MS = 100;
const CHECK_EVERY = 10;
/** How many tasks are added, or parts read, at a time. */
const BATCH = 500;

/**
 * Ranks a job by the workers of a queue, and waits for them. Where the process ends before that, another one that makes
 * the same job goes on with the parts that are there.
 *
 * @throws AssizeError where the queue cannot be reached (ASZ582), and as `openJob` and `Merge.end` do
 */
export async function rankInQueue(
  address: QueueAddress,
  made: Job,
  options: RankInQueueOptions = {},
): Promise<QueueRanking> {
  const { abort = NEVER, onProgress = () => {}, ...here } = options;
  let last: QueueProgress | undefined;
  const report = (progress: QueueProgress): void => onProgress((last = progress));
  const connection = await connectQueue(address, (error) => {
    const trouble = troubleOf(error);
    if (last && last.trouble !== trouble) report({ ...last, trouble });
  });
  try {
    const claimed = await claimJob(connection, made);
    const merge = (await openJob(claimed.job, here)).merge();
    await untilAborted(collectParts(connection, claimed, merge, report, abort), abort);
    try {
      const unreadable = await merge.unreadable();
      return { ranking: await merge.end({ skipUnreadable: true }), unreadable };
    } finally {
      await forgetJob(connection, claimed);
    }
  } catch (error) {
    if (!isRefusedCommand(error)) throw error;
    const message = `the queue refuses a command: ${troubleOf(error)}`;
    throw toAssizeError([{ code: 'ASZ582', message, hint: 'is it full, or read-only?' }], { cause: error });
  } finally {
    await connection.close();
  }
}

/** Adds the tasks of parts that are missing, and waits until all are there. */
async function collectParts(
  connection: QueueConnection,
  { job, request }: ClaimedJob,
  merge: Merge,
  onProgress: (progress: QueueProgress) => void,
  abort: AbortSignal,
): Promise<void> {
  const { redis, keys, queue } = connection;
  let around: Pick<QueueProgress, 'workers' | 'refusals'> = { workers: 0, refusals: new Map() };
  let missing = await takeParts(connection, job, merge, merge.missing, true);
  const report = (trouble?: string): void => {
    const parts = partsOf(job);
    onProgress({ job: job.id, parts, done: parts - missing.length, ...around, trouble });
  };
  const lookAround = async (isFirst: boolean): Promise<void> => {
    if (isFirst || (await isForgotten(queue))) await addTasks(connection, job, missing);
    const refusals = new Map(Object.entries(await redis.hgetall(keys.refusals(job.id))));
    around = { workers: await queue.getWorkersCount(), refusals };
    for (const key of [request, keys.job(job.id), keys.refusals(job.id)]) await redis.expire(key, ABANDONED_AFTER);
    report();
  };
  // oxlint-disable no-await-in-loop -- until all is there
  for (let turn = 0, taken = 0; missing.length > 0; turn++) {
    abort.throwIfAborted();
    if (turn % CHECK_EVERY === 0) {
      await lookAround(turn === 0).catch((error: unknown) => {
        if (turn === 0 || !isRefusedForNow(error)) throw error; // once it has begun, there may be room again
        report(troubleOf(error));
      });
    }
    await new Promise((resolve) => void setTimeout(resolve, POLL_MS));
    const there = await redis.hlen(keys.parts(job.id));
    if (there === taken) continue;
    taken = there;
    missing = await takeParts(connection, job, merge, missing, false);
    report();
  }
  // oxlint-enable no-await-in-loop
}

/** Whether a queue has no task at all: a Redis that lost its data has lost those of the parts that are missing. */
async function isForgotten(queue: QueueConnection['queue']): Promise<boolean> {
  const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized', 'paused');
  return Object.values(counts).every((count) => count === 0);
}

/**
 * Takes the parts that have come.
 *
 * @param anew whether parts that failed are tried again, and not taken
 * @returns those that have not come
 */
async function takeParts(
  { redis, keys }: QueueConnection,
  job: Job,
  merge: Merge,
  missing: readonly number[],
  anew: boolean,
): Promise<readonly number[]> {
  const here = new Set((await redis.hkeys(keys.parts(job.id))).map(Number));
  const found = missing.filter((index) => here.has(index));
  for (let from = 0; from < found.length; from += BATCH) {
    const batch = found.slice(from, from + BATCH);
    // oxlint-disable-next-line no-await-in-loop -- some at a time
    const parts = await redis.hmget(keys.parts(job.id), ...batch.map(String));
    for (const [k, part] of parts.entries()) {
      const index = batch[k]!;
      // oxlint-disable-next-line no-await-in-loop -- seldom
      if (part !== null && anew && isFailed(part)) await redis.hdel(keys.parts(job.id), String(index));
      else if (part !== null) takeOrThrow(merge, index, part);
    }
  }
  return missing.filter((index) => !merge.has(index));
}

const isFailed = (part: string): boolean => part.includes('"failed":"');

function takeOrThrow(merge: Merge, index: number, part: string): void {
  try {
    merge.take(index, part);
  } catch (error) {
    const message = `part ${index} in the queue cannot be used: ${toError(error).message}`;
    throw toAssizeError([{ code: 'ASZ582', message, hint: 'who else writes to this Redis?' }], { cause: error });
  }
}

async function addTasks({ redis, keys, queue }: QueueConnection, job: Job, missing: readonly number[]): Promise<void> {
  await redis.set(keys.job(job.id), jobText(job));
  const how = {
    attempts: ATTEMPTS,
    backoff: { type: 'exponential', delay: FIRST_RETRY_MS },
    removeOnComplete: true,
    removeOnFail: true,
  };
  for (let from = 0; from < missing.length; from += BATCH) {
    const tasks = missing.slice(from, from + BATCH).map((index) => {
      return { name: 'part', data: { job: job.id, index }, opts: { ...how, jobId: `${job.id}-${index}` } };
    });
    // oxlint-disable-next-line no-await-in-loop -- some at a time
    await queue.addBulk(tasks);
  }
}

/** How long the parts of a finished job are kept: for another process that ranks the same job. */
const KEPT_SECONDS = 3600;

/** A job, and the key under which Redis has its id until it is finished. */
interface ClaimedJob {
  readonly job: Job;
  readonly request: string;
}

/** The unfinished job of the same request, if there is one; else this job, which is now. */
async function claimJob({ redis, keys }: QueueConnection, made: Job): Promise<ClaimedJob> {
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
async function forgetJob({ redis, keys }: QueueConnection, { job: { id }, request }: ClaimedJob): Promise<void> {
  if ((await redis.get(request)) === id) await redis.del(request);
  await Promise.all([keys.job(id), keys.parts(id), keys.refusals(id)].map((key) => redis.expire(key, KEPT_SECONDS)));
}
