import { hostname } from 'node:os';
import {
  ANYTHING,
  checkOptions,
  FUNCTION,
  integerFrom,
  type OptionTypes,
  STRING,
  toError,
} from '../../diagnostics/index.js';
import type { Progress } from '../../index.js';
import type { HttpInputOptions } from '../input/http-input.js';
import { readJob } from '../job.js';
import { openJob } from '../open-job.js';
import { type Allowed, checkProfile, openAllowedInput } from './allowed.js';
import { ABANDONED_AFTER, connectRedis, keysOf, QUEUE_PREFIX, type QueueAddress, queueNameOf } from './connection.js';
import { loadQueueLibraries, type QueuedTask } from './libraries.js';
import { OpenJobs } from './open-jobs.js';
import { restWhereRefused, untilAccepted } from './refusals.js';
import { TroubleLog } from './trouble-log.js';

/** The options of `startQueueWorker`. */
export interface QueueWorkerOptions extends Allowed {
  /** The folder of the vectors of texts, which all machines share; beside the candidates when not given. */
  readonly vectors?: string | undefined;
  /** How candidates with a URL are asked for. */
  readonly http?: HttpInputOptions | undefined;
  /** How many parts are ranked at a time: more than one helps only where units wait, for a model on another machine. 1 when not given. */
  readonly concurrency?: number | undefined;
  /** How long a worker may be silent, in milliseconds, before its part is given to another one; 30,000 when not given. */
  readonly lockDuration?: number | undefined;
  /** Called with a line about what the worker does. */
  readonly log?: ((line: string) => void) | undefined;
  readonly progress?: Progress | undefined;
}

/** A worker that listens. */
export interface QueueWorker {
  /** Resolves when the parts in work are done, and nobody listens any longer. */
  close(): Promise<void>;
}

const OPTIONS: OptionTypes = {
  profiles: STRING,
  files: STRING,
  vectors: STRING,
  http: ANYTHING,
  concurrency: integerFrom(1),
  lockDuration: integerFrom(1),
  log: FUNCTION,
  progress: FUNCTION,
};

const LOCK_MS = 30_000;
/** How soon a part that was refused is offered again, to any worker, and how long the one that refused it takes no other. */
const OFFERED_AGAIN_MS = 100;
const REFUSER_WAITS_MS = 2000;

/**
 * Starts a worker: it ranks parts of whatever jobs are in a queue, one after another, until it is closed. A part is kept
 * in Redis before its task is done, so that a worker that dies, or loses its lock while it is stopped, costs time alone.
 *
 * @throws AssizeError where the queue cannot be reached (ASZ582), a package is missing (ASZ583), or an option is none (ASZ533)
 */
export async function startQueueWorker(address: QueueAddress, options: QueueWorkerOptions): Promise<QueueWorker> {
  checkOptions('startQueueWorker', options, OPTIONS);
  const { concurrency = 1, lockDuration = LOCK_MS, log = () => {} } = options;
  const { Worker, DelayedError } = await loadQueueLibraries();
  const trouble = new TroubleLog(log);
  const redis = await connectRedis(address.url, trouble.tell);
  const closing = new AbortController();
  const keys = keysOf(address);
  const name = `${hostname()}:${process.pid}`;
  const jobs = new OpenJobs(async (id) => {
    const text = await redis.get(keys.job(id));
    if (text === null) return undefined;
    const job = readJob(text);
    checkProfile(options, job.profile);
    const { profiles: folder, vectors, http, progress } = options;
    const input = job.input.kind === 'bytes' ? await openAllowedInput(options, job.input.name, http) : undefined;
    return openJob(job, { folder, input, vectors, progress });
  });

  /** Why, by job: each of its parts comes again and again. */
  const refused = new Map<string, string>();
  const work = async (task: QueuedTask, token?: string): Promise<void> => {
    const { job: id, index } = task.data;
    if ((await redis.hexists(keys.parts(id), String(index))) === 1) return; // answered already
    const job = await jobs.open(id).catch((error: unknown) => toError(error));
    if (!job) return; // it is finished, or its asker adds its parts again
    if (job instanceof Error) {
      if (refused.get(id) !== job.message) log(`job ${id} is refused: ${job.message}`);
      refused.set(id, job.message);
      await redis.hset(keys.refusals(id), name, job.message);
      await task.moveToDelayed(Date.now() + OFFERED_AGAIN_MS, token);
      await new Promise((resolve) => void setTimeout(resolve, REFUSER_WAITS_MS)); // others are to have it
      throw new DelayedError();
    }
    const part = await job.partial(index).catch((error: unknown) => {
      const isLast = task.attemptsMade + 1 >= (task.opts.attempts ?? 1);
      log(`part ${index} of job ${id} failed${isLast ? '' : ', and is tried again'}: ${toError(error).message}`);
      if (!isLast) throw error;
      return job.failedPart(index, error);
    });
    await untilAccepted(() => redis.hset(keys.parts(id), String(index), part), closing.signal, trouble.tell);
    trouble.over();
    await redis.expire(keys.parts(id), ABANDONED_AFTER);
    log(`part ${index} of job ${id}`);
  };

  const worker = new Worker(queueNameOf(address), work, {
    connection: redis,
    prefix: QUEUE_PREFIX,
    concurrency,
    lockDuration,
    stalledInterval: lockDuration,
    maxStalledCount: 1_000_000, // a part whose worker dies is never the part's fault
  });
  worker.on('error', trouble.tell);
  worker.on('active', trouble.over);
  restWhereRefused(worker, closing.signal);
  await worker.waitUntilReady();
  log(`${name} listens`);
  return {
    async close() {
      closing.abort();
      await worker.close().catch(trouble.tell);
      redis.disconnect();
    },
  };
}
