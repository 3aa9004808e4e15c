import { hostname } from 'node:os';
import { AssizeError, toError } from '../../diagnostics/index.js';
import type { Progress } from '../../index.js';
import { readJob } from '../job.js';
import { type OpenJob, openJob } from '../open-job.js';
import { type Allowed, checkProfile, openAllowedInput } from './allowed.js';
import { ABANDONED_AFTER, connectRedis, keysOf, QUEUE_PREFIX, type QueueAddress, queueNameOf } from './connection.js';
import { loadQueueLibraries, type QueuedTask } from './libraries.js';

/** The options of `startQueueWorker`. */
export interface QueueWorkerOptions extends Allowed {
  /** The folder of the vectors of texts, which all machines share; beside the candidates when not given. */
  readonly vectors?: string | undefined;
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

const LOCK_MS = 30_000;
/** How soon a part that was refused is offered again, to any worker, and how long the one that refused it takes no other. */
const OFFERED_AGAIN_MS = 100;
const REFUSER_WAITS_MS = 2000;
/** How long a refusal stands before the job is tried again: somebody may have put right what was wrong. */
const REFUSAL_STANDS_MS = 10_000;
/** How many jobs are kept open. */
const OPEN_JOBS = 4;

/**
 * Starts a worker: it ranks parts of whatever jobs are in a queue, one after another, until it is closed. A part is kept
 * in Redis before its task is done, so that a worker that dies, or loses its lock while it is stopped, costs time alone.
 *
 * @throws AssizeError where the queue cannot be reached (ASZ582), or a package is missing (ASZ583)
 */
export async function startQueueWorker(address: QueueAddress, options: QueueWorkerOptions): Promise<QueueWorker> {
  const { concurrency = 1, lockDuration = LOCK_MS, log = () => {} } = options;
  const { Worker, DelayedError } = await loadQueueLibraries();
  let last = '';
  const onError = ({ message }: Error): void => {
    if (message !== last) log(`trouble with the queue: ${message}`); // a connection that is lost fails many times a second
    last = message;
  };
  const redis = await connectRedis(address.url, onError);
  const keys = keysOf(address);
  const name = `${hostname()}:${process.pid}`;
  const jobs = new OpenJobs(async (id) => {
    const text = await redis.get(keys.job(id));
    if (text === null) return undefined;
    const job = readJob(text);
    checkProfile(options, job.profile);
    const input = job.input.kind === 'bytes' ? await openAllowedInput(options, job.input.name) : undefined;
    const { profiles: folder, vectors, progress } = options;
    return openJob(job, { folder, input, vectors, progress });
  });

  const work = async (task: QueuedTask, token?: string): Promise<void> => {
    const { job: id, index } = task.data;
    if ((await redis.hexists(keys.parts(id), String(index))) === 1) return; // answered already
    const job = await jobs.open(id).catch((error: unknown) => toError(error));
    if (!job) return; // it is finished
    if (job instanceof Error) {
      log(`job ${id} is refused: ${job.message}`);
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
    await redis.hset(keys.parts(id), String(index), part);
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
  worker.on('error', onError);
  await worker.waitUntilReady();
  log(`${name} listens`);
  return {
    async close() {
      await worker.close().catch(onError);
      redis.disconnect();
    },
  };
}

/** The jobs that were opened last, and why others cannot be. */
class OpenJobs {
  readonly #jobs = new Map<string, Promise<OpenJob | undefined>>();

  constructor(private readonly openById: (id: string) => Promise<OpenJob | undefined>) {}

  /** @returns undefined where the job is finished */
  open(id: string): Promise<OpenJob | undefined> {
    const known = this.#jobs.get(id);
    if (known) return known;
    const opening = this.openById(id);
    this.#jobs.set(id, opening);
    opening.catch((error: unknown) => {
      const forget = (): boolean => this.#jobs.delete(id);
      if (error instanceof AssizeError) setTimeout(forget, REFUSAL_STANDS_MS).unref();
      else forget();
    });
    const oldest = this.#jobs.keys().next();
    if (this.#jobs.size > OPEN_JOBS && !oldest.done) this.#jobs.delete(oldest.value);
    return opening;
  }
}
