import { type Problem, type ProgressStep, toAssizeError, type TopRanking } from 'assize';
import { untilAborted, toError } from 'assize/internal';
import { encode } from './codec.js';
import { type GroupJob, isGroupJob } from './group-job.js';
import type { GroupEvents, SharedGroups } from './group-work.js';
import { digestOf, type Job, jobText, notAJobError, partsOf, readJob } from './job.js';
import type { PartCollection } from './merge.js';
import { openGroupJob, openJob, type OpenJobOptions } from './open-job.js';
import {
  ABANDONED_AFTER,
  connectQueue,
  isRefusedCommand,
  isRefusedForNow,
  type QueueAddress,
  type QueueConnection,
  stateOf,
  troubleOf,
} from './queue-connection.js';
import { addTasks, hasNoTasks } from './queue-tasks.js';

/** The progress of a job in a queue: the numbers of finished parts and of all parts. */
export interface QueueProgress extends ProgressStep {
  readonly job: string;
  /** The number of connected workers. */
  readonly workers: number;
  /** Whether the job is paused, so that workers do not take its parts. */
  readonly paused: boolean;
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

const POLL_MS = 100;
const CHECK_EVERY = 10;
/** The number of parts per command. */
const BATCH = 500;
/** The seconds after which a process that does not report is not waiting any more. */
const SILENT_AFTER = 15;

/**
 * Ranks a job with the workers of a queue, and waits for them. If the process ends early, another process that ranks the
 * same job reuses the parts that are done.
 *
 * @throws AssizeError if the queue cannot be reached (ASZ582), the job is cancelled (ASZ589), and as `openJob` and
 *   `Merge.end` do
 */
export async function rankInQueue(
  address: QueueAddress,
  made: Job,
  options: RankInQueueOptions = {},
): Promise<QueueRanking> {
  const waiting = await QueueRun.collect(address, made, options, async (job, here) =>
    (await openJob(job, here)).merge(),
  );
  try {
    const unreadable = await waiting.merge.unreadable();
    const ranking = await waiting.merge.end({ skipUnreadable: true });
    await waiting.finished();
    return { ranking, unreadable };
  } catch (error) {
    throw await waiting.failed(error);
  } finally {
    await waiting.close();
  }
}

/**
 * Ranks a job of groups with the workers of a queue, and waits for all parts. Yields the groups in the order of the file.
 *
 * @throws AssizeError as `rankInQueue` does
 */
export async function* rankGroupsInQueue(
  address: QueueAddress,
  made: GroupJob,
  events: GroupEvents,
  options: RankInQueueOptions = {},
): SharedGroups {
  const waiting = await QueueRun.collect(address, made, options, async (job, here) => {
    if (!isGroupJob(job)) throw notAJobError('job', 'it has no groups');
    return (await openGroupJob(job, here)).collection();
  });
  try {
    yield* waiting.merge.groups(events);
    await waiting.finished();
  } catch (error) {
    throw await waiting.failed(error);
  } finally {
    await waiting.close();
  }
}

/** A job whose parts are all here. */
class QueueRun<M extends PartCollection> {
  private constructor(
    private readonly connection: QueueConnection,
    private readonly claimed: ClaimedJob,
    readonly merge: M,
  ) {}

  /** Claims a job, and waits until the merge has all parts. */
  static async collect<M extends PartCollection>(
    address: QueueAddress,
    made: Job,
    options: RankInQueueOptions,
    open: (job: Job, here: OpenJobOptions) => Promise<M>,
  ): Promise<QueueRun<M>> {
    const { signal = new AbortController().signal, progress = () => {}, ...here } = options;
    let last: QueueProgress | undefined;
    const report = (step: QueueProgress): void => progress((last = step));
    const connection = await connectQueue(address, (error) => {
      const trouble = troubleOf(error);
      if (last && last.trouble !== trouble) report({ ...last, trouble });
    });
    try {
      const claimed = await claimJob(connection, made);
      const merge = await open(claimed.job, here);
      await untilAborted(collectParts(connection, claimed, merge, report, signal), signal);
      return new QueueRun(connection, claimed, merge);
    } catch (error) {
      await connection.close();
      throw queueError(error);
    }
  }

  finished(): Promise<void> {
    return releaseJob(this.connection, this.claimed, 'finished');
  }

  /** @returns the error to throw */
  async failed(error: unknown): Promise<unknown> {
    const { connection, claimed, merge } = this;
    try {
      // A part that failed may succeed later, for example if a server was down. Its job can continue.
      if (merge.failedParts.length > 0)
        await connection.redis.setex(connection.keys.state(claimed.job.id), ABANDONED_AFTER, 'failed');
      else await releaseJob(connection, claimed, 'failed');
    } catch (refusal) {
      return queueError(refusal);
    }
    return queueError(error);
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}

/** The error of a run, with words for a command that Redis refuses. */
function queueError(error: unknown): unknown {
  if (!isRefusedCommand(error)) return error;
  const message = `the queue refuses a command: ${troubleOf(error)}`;
  return toAssizeError([{ code: 'ASZ582', message, hint: 'check whether the Redis server is full or read-only' }], {
    cause: error,
  });
}

/** Adds the tasks of missing parts, and waits until all parts are done. */
async function collectParts(
  connection: QueueConnection,
  { job, request }: ClaimedJob,
  merge: PartCollection,
  progress: (step: QueueProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const { redis, keys, queue } = connection;
  let around: Pick<QueueProgress, 'workers' | 'refusals' | 'paused'> = { workers: 0, refusals: {}, paused: false };
  let missing = await takeParts(connection, job, merge, merge.missing, true);
  const report = (trouble?: string): void => {
    const total = partsOf(job);
    const step = { task: 'waiting for workers', unit: 'parts', done: total - missing.length, total } as const;
    progress({ ...step, job: job.id, ...around, trouble });
  };
  const lookAround = async (isFirst: boolean): Promise<void> => {
    let state = await stateOf(connection, job.id);
    if (state === 'cancelled') throw cancelledError(job, missing);
    if ((await redis.exists(keys.job(job.id))) === 0) {
      await registerJob(connection, job, request); // Redis has lost its data
      if (around.paused) await redis.setex(keys.state(job.id), ABANDONED_AFTER, (state = 'paused'));
    }
    const isPaused = state === 'paused';
    if (!isPaused && (isFirst || around.paused || (await hasNoTasks(queue)))) await addTasks(connection, job, missing);
    const refusals = await redis.hgetall(keys.refusals(job.id));
    around = { workers: await queue.getWorkersCount(), refusals, paused: isPaused };
    await redis.setex(keys.waiting(job.id), SILENT_AFTER, partsOf(job) - missing.length);
    for (const key of jobKeys(connection, job, request)) await redis.expire(key, ABANDONED_AFTER);
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

/**
 * Adds the parts that are done to the merge.
 *
 * @param retryFailed whether failed parts are deleted and computed again, instead of added
 * @returns the parts that are still missing
 */
async function takeParts(
  { redis, keys }: QueueConnection,
  job: Job,
  merge: PartCollection,
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
        await redis
          .pipeline()
          .hdel(keys.parts(job.id), String(index))
          .hdel(keys.failures(job.id), String(index))
          .exec();
      else if (part !== null) takeOrThrow(merge, index, part);
    }
  }
  return missing.filter((index) => !merge.has(index));
}

function takeOrThrow(merge: PartCollection, index: number, part: string): void {
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

/** The seconds for which the parts of a finished job are kept, for another process that ranks the same job. */
const KEPT_SECONDS = 3600;

/** A job, and the key of its id in Redis until it is finished. */
interface ClaimedJob {
  readonly job: Job;
  readonly request: string;
}

/**
 * Returns the unfinished job of the same request if there is one. Otherwise registers this job as the request's job. The
 * job runs again if it was cancelled or has failed. A paused job stays paused.
 */
async function claimJob(connection: QueueConnection, made: Job): Promise<ClaimedJob> {
  const { redis, keys } = connection;
  const request = keys.request(requestOf(made));
  await redis.setex(keys.job(made.id), ABANDONED_AFTER, jobText(made)); // first, so that every process that finds the claim also finds the job
  await redis.set(request, made.id, 'NX');
  const id = (await redis.get(request)) ?? made.id;
  const known = id === made.id ? undefined : knownJob(await redis.get(keys.job(id)), id);
  if (known) await redis.del(keys.job(made.id));
  else await redis.set(request, made.id);
  const job = known ?? made;
  await redis.zadd(keys.jobs, 'NX', Date.now(), job.id);
  if ((await stateOf(connection, job.id)) !== 'paused') await redis.del(keys.state(job.id), keys.finished(job.id));
  return { job, request };
}

/** Adds a job to a Redis that has lost it. */
async function registerJob({ redis, keys }: QueueConnection, job: Job, request: string): Promise<void> {
  await redis.setex(keys.job(job.id), ABANDONED_AFTER, jobText(job));
  await redis.set(request, job.id, 'NX');
  await redis.zadd(keys.jobs, 'NX', Date.now(), job.id);
}

function cancelledError(job: Job, missing: readonly number[]): Error {
  const total = partsOf(job);
  const message = `job ${job.id} was cancelled: ${total - missing.length} of ${total} parts are finished`;
  const hint = 'run the same command again to continue with the finished parts';
  return toAssizeError([{ code: 'ASZ589', message, hint }]);
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
export function requestOf(job: Job): string {
  const { overrides, context } = job.run;
  return digestOf(encode({ ...job, id: '', run: { overrides, context } }));
}

/** The keys of a job in Redis. */
export const jobKeys = ({ keys }: QueueConnection, { id }: Job, request: string): readonly string[] => [
  request,
  keys.job(id),
  keys.parts(id),
  keys.progress(id),
  keys.refusals(id),
  keys.state(id),
  keys.failures(id),
  keys.finished(id),
];

/** Releases a job. Keeps its parts for a while, for other processes that wait for them. */
async function releaseJob(
  connection: QueueConnection,
  { job, request }: ClaimedJob,
  state: 'finished' | 'failed',
): Promise<void> {
  const { redis, keys } = connection;
  await redis.set(keys.state(job.id), state);
  if ((await redis.get(request)) === job.id) await redis.del(request);
  const others = jobKeys(connection, job, request).filter((key) => key !== request);
  await Promise.all(others.map((key) => redis.expire(key, KEPT_SECONDS)));
}
