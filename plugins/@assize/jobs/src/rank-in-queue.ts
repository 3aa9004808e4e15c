import { type Problem, type ProgressStep, toAssizeError, type TopRanking } from 'assize';
import { untilAborted, toError } from 'assize/internal';
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

/** The progress of a job in a queue: the numbers of finished parts and of all parts. */
export interface QueueProgress extends ProgressStep {
  readonly job: string;
  /** The number of connected workers. */
  readonly workers: number;
  /** The reasons why workers refuse the job, by worker. */
  readonly refusals: Readonly<Record<string, string>>;
  /** The last error of the queue. Lost connections and commands that a full Redis rejects are retried. */
  readonly trouble: string | undefined;
}

export interface RankInQueueOptions extends Omit<OpenJobOptions, 'progress'> {
  /** Called after new parts are done, and every second. */
  readonly progress?: ((step: QueueProgress) => void) | undefined;
  /** Stops waiting. The job stays in the queue: ranking the same job again resumes it. */
  readonly signal?: AbortSignal | undefined;
}

/** A ranking by a queue. */
export interface QueueRanking {
  /** The ranking of all lines that can be read. */
  readonly ranking: TopRanking<object>;
  /** The problems of the other lines. */
  readonly unreadable: readonly Problem[];
}

/** The number of attempts before a part has failed. */
const ATTEMPTS = 3;
const FIRST_RETRY_MS = 500;
const POLL_MS = 100;
const CHECK_EVERY = 10;
/** The number of tasks or parts per command. */
const BATCH = 500;

/**
 * Ranks a job with the workers of a queue, and waits for them. If the process ends early, another process that ranks the
 * same job reuses the parts that are done.
 *
 * @throws AssizeError if the queue cannot be reached (ASZ582), and as `openJob` and `Merge.end` do
 */
export async function rankInQueue(
  address: QueueAddress,
  made: Job,
  options: RankInQueueOptions = {},
): Promise<QueueRanking> {
  const { signal = new AbortController().signal, progress = () => {}, ...here } = options;
  let last: QueueProgress | undefined;
  const report = (step: QueueProgress): void => progress((last = step));
  const connection = await connectQueue(address, (error) => {
    const trouble = troubleOf(error);
    if (last && last.trouble !== trouble) report({ ...last, trouble });
  });
  try {
    const claimed = await claimJob(connection, made);
    const merge = (await openJob(claimed.job, here)).merge();
    await untilAborted(collectParts(connection, claimed, merge, report, signal), signal);
    try {
      const unreadable = await merge.unreadable();
      return { ranking: await merge.end({ skipUnreadable: true }), unreadable };
    } finally {
      await forgetJob(connection, claimed);
    }
  } catch (error) {
    if (!isRefusedCommand(error)) throw error;
    const message = `the queue refuses a command: ${troubleOf(error)}`;
    throw toAssizeError([{ code: 'ASZ582', message, hint: 'check whether the Redis server is full or read-only' }], {
      cause: error,
    });
  } finally {
    await connection.close();
  }
}

/** Adds the tasks of missing parts, and waits until all parts are done. */
async function collectParts(
  connection: QueueConnection,
  { job, request }: ClaimedJob,
  merge: Merge,
  progress: (step: QueueProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const { redis, keys, queue } = connection;
  let around: Pick<QueueProgress, 'workers' | 'refusals'> = { workers: 0, refusals: {} };
  let missing = await takeParts(connection, job, merge, merge.missing, true);
  const report = (trouble?: string): void => {
    const total = partsOf(job);
    const step = { task: 'waiting for workers', unit: 'parts', done: total - missing.length, total } as const;
    progress({ ...step, job: job.id, ...around, trouble });
  };
  const lookAround = async (isFirst: boolean): Promise<void> => {
    if (isFirst || (await isForgotten(queue))) await addTasks(connection, job, missing);
    const refusals = await redis.hgetall(keys.refusals(job.id));
    around = { workers: await queue.getWorkersCount(), refusals };
    for (const key of [request, keys.job(job.id), keys.refusals(job.id)]) await redis.expire(key, ABANDONED_AFTER);
    report();
  };
  // oxlint-disable no-await-in-loop -- polls until all parts are done
  for (let turn = 0, taken = 0; missing.length > 0; turn++) {
    signal.throwIfAborted();
    if (turn % CHECK_EVERY === 0) {
      await lookAround(turn === 0).catch((error: unknown) => {
        if (turn === 0 || !isRefusedForNow(error)) throw error; // a job that has started waits until Redis has room again
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

/** Whether a queue has no tasks. If parts are missing, Redis has then lost its data, and their tasks must be added again. */
async function isForgotten(queue: QueueConnection['queue']): Promise<boolean> {
  const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized');
  return Object.values(counts).every((count) => count === 0);
}

/**
 * Adds the parts that are done to the merge.
 *
 * @param retryFailed whether failed parts are deleted and computed again, instead of added
 * @returns the parts that are still missing
 */
async function takeParts(
  { redis, keys }: QueueConnection,
  job: Job,
  merge: Merge,
  missing: readonly number[],
  retryFailed: boolean,
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
      if (part !== null && retryFailed && part.includes('"failed":"'))
        await redis.hdel(keys.parts(job.id), String(index));
      else if (part !== null) takeOrThrow(merge, index, part);
    }
  }
  return missing.filter((index) => !merge.has(index));
}

function takeOrThrow(merge: Merge, index: number, part: string): void {
  try {
    merge.take(index, part);
  } catch (error) {
    const message = `part ${index} in the queue is invalid: ${toError(error).message}`;
    throw toAssizeError(
      [{ code: 'ASZ582', message, hint: 'check whether another program writes to this Redis server' }],
      { cause: error },
    );
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

/** The seconds for which the parts of a finished job are kept, for another process that ranks the same job. */
const KEPT_SECONDS = 3600;

/** A job, and the key of its id in Redis until it is finished. */
interface ClaimedJob {
  readonly job: Job;
  readonly request: string;
}

/** Returns the unfinished job of the same request if there is one. Otherwise registers this job as the request's job. */
async function claimJob({ redis, keys }: QueueConnection, made: Job): Promise<ClaimedJob> {
  const request = keys.request(requestOf(made));
  await redis.setex(keys.job(made.id), ABANDONED_AFTER, jobText(made)); // first, so that every process that finds the claim also finds the job
  await redis.set(request, made.id, 'NX');
  const id = (await redis.get(request)) ?? made.id;
  const known = id === made.id ? undefined : knownJob(await redis.get(keys.job(id)), id);
  if (known) await redis.del(keys.job(made.id));
  else await redis.set(request, made.id);
  return { job: known ?? made, request };
}

/** Reads a job from Redis; undefined if Redis does not have this id. */
function knownJob(text: string | null, id: string): Job | undefined {
  if (text === null) return undefined;
  try {
    const job = readJob(text);
    return job.id === id ? job : undefined;
  } catch {
    return undefined;
  }
}

/** A digest of a job without its time and signals, which differ between calls. */
function requestOf(job: Job): string {
  const { overrides, context } = job.run;
  return digestOf(encode({ ...job, id: '', run: { overrides, context } }));
}

/** Releases a finished job. Keeps its parts for a while, for other processes that wait for them. */
async function forgetJob({ redis, keys }: QueueConnection, { job: { id }, request }: ClaimedJob): Promise<void> {
  if ((await redis.get(request)) === id) await redis.del(request);
  await Promise.all([keys.job(id), keys.parts(id), keys.refusals(id)].map((key) => redis.expire(key, KEPT_SECONDS)));
}
