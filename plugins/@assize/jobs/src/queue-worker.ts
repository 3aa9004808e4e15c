import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Job as QueuedTask, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { AssizeError, type ProfileSource, type Progress, toAssizeError } from 'assize';
import { checkOptions, toError } from 'assize/internal';
import { openInput } from './create-job.js';
import { type ByteInput, type HttpInputOptions, isUrl, shownName } from './job-input.js';
import { readJob } from './job.js';
import { openParts, type OpenParts } from './open-job.js';
import {
  ABANDONED_AFTER,
  connectRedis,
  isRefusedCommand,
  isRefusedForNow,
  keysOf,
  type PartTask,
  QUEUE_PREFIX,
  type QueueAddress,
  queueNameOf,
  stateOf,
  troubleOf,
} from './queue-connection.js';

/** The options of `startQueueWorker`. */
export interface QueueWorkerOptions extends Allowed {
  /** The folder for the vectors of texts, which all machines share. Defaults to a folder next to the candidates. */
  readonly vectors?: string | undefined;
  /** The options of requests for candidates with a URL. */
  readonly http?: HttpInputOptions | undefined;
  /** The number of concurrent parts. More than one helps only if units wait, for example for a remote model. Defaults to 1. */
  readonly concurrency?: number | undefined;
  /** The milliseconds without a sign of life after which another worker gets the part. Defaults to 30,000. */
  readonly lockDuration?: number | undefined;
  /** Called with each log line. */
  readonly log?: ((line: string) => void) | undefined;
  readonly progress?: Progress | undefined;
}

/** A running worker. */
export interface QueueWorker {
  /** Stops taking parts. Resolves when the current parts are done. */
  close(): Promise<void>;
}

const LOCK_MS = 30_000;
/** The delay before a refused part is offered to all workers again, and the longer pause of the worker that refused it. */
const OFFERED_AGAIN_MS = 100;
const REFUSER_WAITS_MS = 2000;
/** The delay before a task of a paused job is looked at again. */
const PAUSED_TASK_WAITS_MS = 1000;
/** The number of finished parts whose times are kept, to compute the rate. */
const TIMED_PARTS = 100;

/**
 * Starts a worker, which ranks parts of the jobs in a queue until it is closed. It writes a part to Redis before it
 * completes the task, so a worker that dies or loses its lock costs only time.
 *
 * @throws AssizeError if the queue cannot be reached (ASZ582), or an option is invalid (ASZ533)
 */
export async function startQueueWorker(address: QueueAddress, options: QueueWorkerOptions): Promise<QueueWorker> {
  checkOptions('startQueueWorker', options, {
    profiles: 'string',
    files: 'string',
    vectors: 'string',
    http: 'anything',
    concurrency: { integerFrom: 1 },
    lockDuration: { integerFrom: 1 },
    log: 'function',
    progress: 'function',
  });
  const { concurrency = 1, lockDuration = LOCK_MS, log = () => {} } = options;
  const { Worker, DelayedError } = await import('bullmq');
  const trouble = new TroubleLog(log);
  const redis = await connectRedis(address.url, trouble.failed);
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
    return openParts(job, { folder, input, vectors, progress });
  });

  /** The reason by job, to log it once although every part of the job is offered again. */
  const refused = new Map<string, string>();
  const work = async (task: QueuedTask<PartTask>, token?: string): Promise<void> => {
    const { job: id, index } = task.data;
    const state = await stateOf({ redis, keys }, id);
    if (state === 'cancelled') return;
    if (state === 'paused') {
      // Not completed: resuming could then not add the task at the same time. Pausing removes all other tasks of the job.
      await task.moveToDelayed(Date.now() + PAUSED_TASK_WAITS_MS, token);
      throw new DelayedError();
    }
    if ((await redis.hexists(keys.parts(id), String(index))) === 1) return; // done already
    const job = await jobs.open(id).catch((error: unknown) => toError(error));
    if (!job) return; // the job is finished, or the process that waits for it will add its parts again
    if (job instanceof Error) {
      if (refused.get(id) !== job.message) log(`job ${id} is refused: ${job.message}`);
      refused.set(id, job.message);
      await redis.hset(keys.refusals(id), name, job.message);
      await task.moveToDelayed(Date.now() + OFFERED_AGAIN_MS, token);
      await pause(REFUSER_WAITS_MS); // so that another worker takes the part
      throw new DelayedError();
    }
    let hasFailed = false;
    const progress = new StoredProgress(redis, keys.progress(id), index);
    const attempt = { progress: await progress.read(), onProgress: progress.reached };
    const part = await job.partial(index, undefined, attempt).catch(async (error: unknown) => {
      await progress.write();
      const isLast = task.attemptsMade + 1 >= (task.opts.attempts ?? 1);
      const { message } = toError(error);
      log(`part ${index} of job ${id} failed${isLast ? '' : ', and will be retried'}: ${message}`);
      hasFailed = true;
      // Only for the status of the job, so errors of these commands are ignored.
      await redis
        .pipeline()
        .hset(keys.failures(id), String(index), message)
        .expire(keys.failures(id), ABANDONED_AFTER)
        .exec();
      if (!isLast) throw error;
      return job.failedPart(index, error);
    });
    await untilAccepted(() => redis.hset(keys.parts(id), String(index), part), closing.signal, trouble.failed);
    trouble.recovered();
    const after = redis.pipeline().expire(keys.parts(id), ABANDONED_AFTER);
    if (!hasFailed) after.hdel(keys.failures(id), String(index)).hdel(keys.progress(id), String(index));
    after.xadd(keys.finished(id), 'MAXLEN', '~', TIMED_PARTS, '*', 'part', index);
    await after.expire(keys.finished(id), ABANDONED_AFTER).exec();
    log(`part ${index} of job ${id}`);
  };

  const worker = new Worker<PartTask>(queueNameOf(address), work, {
    connection: redis,
    prefix: QUEUE_PREFIX,
    concurrency,
    lockDuration,
    stalledInterval: lockDuration,
    maxStalledCount: 1_000_000, // a part must not fail because its worker died
  });
  worker.on('error', trouble.failed);
  worker.on('active', trouble.recovered);
  restWhereRefused(worker, closing.signal);
  await worker.waitUntilReady();
  log(`${name} listens`);
  return {
    async close() {
      closing.abort();
      await worker.close().catch(trouble.failed);
      redis.disconnect();
    },
  };
}

/**
 * What the jobs of a queue may use on a machine. Anyone who can write to the queue's Redis can request all of it and
 * nothing else. A profile runs the code of its plugins, so a job names an existing profile and never contains one.
 */
export interface Allowed {
  /** The folder of the profiles. Presets are always allowed. */
  readonly profiles: string;
  /** The folder of the inputs, or the prefix of their URLs. */
  readonly files: string;
}

/**
 * The path of a file relative to a folder, with slashes: its name on machines that have the folder elsewhere.
 *
 * @throws AssizeError (ASZ584) if it is not in the folder
 */
function nameWithin(folder: string, path: string, option: string): string {
  const name = relative(resolve(folder), resolve(path));
  if (!isOutside(name)) return name.split(sep).join('/');
  const message = `${path} is not in ${folder === '.' ? 'the working directory' : folder}`;
  const hint = `set ${option} to its folder: workers find it by its path relative to their own folder`;
  throw toAssizeError([{ code: 'ASZ584', message, hint }]);
}

/** The name of a profile on all machines: a preset's name, or a path relative to the folder of profiles. */
export const profileName = (profiles: string, profile: string): string =>
  isPreset(profile) ? profile : `./${nameWithin(profiles, profile, '--profiles')}`;

/** The name of an input on all machines: its URL, or a path relative to the folder of inputs. */
export const nameInFiles = (files: string, input: string): string =>
  isUrl(input) ? input : nameWithin(files, input, '--files');

const isPreset = (profile: string): boolean => !/[\\/]/.test(profile) && !/\.(?:ya?ml|json)$/.test(profile);

const isOutside = (name: string): boolean => name === '..' || name.startsWith(`..${sep}`) || isAbsolute(name);

/**
 * Checks that a profile is allowed: a preset, or a file in the folder.
 *
 * @throws AssizeError (ASZ584)
 */
export function checkProfile({ profiles }: Allowed, profile: ProfileSource): void {
  const refuse = (message: string): never => {
    const hint = `it accepts presets, and profiles in ${profiles}`;
    throw toAssizeError([{ code: 'ASZ584', message: `the worker refuses this job: ${message}`, hint }]);
  };
  if (typeof profile !== 'string') return refuse('it contains its profile');
  if (isPreset(profile)) return;
  if (isOutside(relative(resolve(profiles), resolve(profiles, profile)))) refuse(`its profile is ${profile}`);
}

/**
 * Opens an allowed input: a file in the folder, or a URL with the allowed prefix.
 *
 * @param http the options of requests, if it has a URL
 * @throws AssizeError (ASZ584)
 */
export async function openAllowedInput({ files }: Allowed, name: string, http?: HttpInputOptions): Promise<ByteInput> {
  const path = isUrl(name) ? new URL(name).href : name;
  const allowed = isUrl(files)
    ? isUrl(name) && path.startsWith(new URL(files.endsWith('/') ? files : `${files}/`).href)
    : !isUrl(name) && !isOutside(relative(resolve(files), resolve(files, name)));
  if (allowed) return openInput(path, isUrl(files) ? undefined : files, http);
  const message = `${shownName(name)} is not in ${files}`;
  throw toAssizeError([{ code: 'ASZ584', message, hint: 'set --files to its folder, or to the start of its URL' }]);
}

/** The milliseconds before a refused job is opened again: its problem may have been fixed. */
const REFUSAL_STANDS_MS = 10_000;
/** The maximum number of open jobs. */
const OPEN_JOBS = 4;

/** A cache of the jobs that a worker opened last, and of the errors of jobs that it could not open. */
export class OpenJobs {
  readonly #jobs = new Map<string, Promise<OpenParts | undefined>>();

  constructor(private readonly openById: (id: string) => Promise<OpenParts | undefined>) {}

  /** @returns undefined if Redis does not have the job: it is finished, or lost and may be added again */
  open(id: string): Promise<OpenParts | undefined> {
    const known = this.#jobs.get(id);
    if (known) return known;
    const opening = this.openById(id);
    this.#jobs.set(id, opening);
    const forget = (): void => void (this.#jobs.get(id) === opening && this.#jobs.delete(id));
    opening.then(
      (job) => void (job ?? forget()),
      (error: unknown) => {
        if (error instanceof AssizeError) setTimeout(forget, REFUSAL_STANDS_MS).unref();
        else forget();
      },
    );
    const oldest = this.#jobs.keys().next();
    if (this.#jobs.size > OPEN_JOBS && !oldest.done) this.#jobs.delete(oldest.value);
    return opening;
  }
}

/** The milliseconds between writes of the progress of a part. A worker that is killed loses so much work. */
const PROGRESS_EVERY_MS = 5000;

/** The progress of a part in Redis, so that any worker continues the part. Failures are ignored: they only cost time. */
class StoredProgress {
  #text: (() => string) | undefined;
  #written = Date.now();

  constructor(
    private readonly redis: Redis,
    private readonly key: string,
    private readonly index: number,
  ) {}

  async read(): Promise<string | undefined> {
    return (await this.redis.hget(this.key, String(this.index)).catch(() => null)) ?? undefined;
  }

  /** Receives the progress after each chunk. */
  readonly reached = async (text: () => string): Promise<void> => {
    this.#text = text;
    if (Date.now() - this.#written > PROGRESS_EVERY_MS) await this.write();
  };

  /** Writes the last progress, if there is any. */
  async write(): Promise<void> {
    if (!this.#text) return;
    this.#written = Date.now();
    const commands = this.redis.pipeline().hset(this.key, String(this.index), this.#text());
    await commands
      .expire(this.key, ABANDONED_AFTER)
      .exec()
      .catch(() => {});
  }
}

/**
 * Pauses a worker while its Redis rejects commands, as a full one does. BullMQ itself would retry thousands of times a
 * second.
 *
 * @param closing aborted when the worker is closed; the worker is then not resumed
 */
function restWhereRefused(worker: Worker<PartTask>, closing: AbortSignal): void {
  const backOff = new BackOff();
  const rest = async (): Promise<void> => {
    await worker.pause(true);
    while (worker.isPaused() && !closing.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- until the worker runs again
      await backOff.wait(closing);
      if (!closing.aborted) void worker.resume(); // reports its failures as events
    }
  };
  worker.on('error', (error) => {
    if (isRefusedCommand(error) && !worker.isPaused()) void rest();
  });
  worker.on('active', () => backOff.reset());
  worker.on('drained', () => backOff.reset());
}

/**
 * Repeats a command until Redis accepts it, because recomputing a part costs more than waiting.
 *
 * @param onRefusal called with each rejection
 * @throws the rejection if `abort` is aborted, and any other error
 */
export async function untilAccepted(
  ask: () => Promise<unknown>,
  abort: AbortSignal,
  onRefusal: (error: Error) => void,
): Promise<void> {
  const backOff = new BackOff();
  // oxlint-disable no-await-in-loop -- sequential attempts
  for (;;) {
    try {
      return void (await ask());
    } catch (error) {
      if (!isRefusedForNow(error) || abort.aborted) throw error;
      onRefusal(error);
    }
    await backOff.wait(abort);
  }
  // oxlint-enable no-await-in-loop
}

const FIRST_MS = 100;
const LONGEST_MS = 5000;

/** Waits between attempts. Each wait is twice as long as the one before, up to five seconds, until `reset`. */
class BackOff {
  #next = FIRST_MS;

  /** Returns when it is time for the next attempt, or when `abort` is aborted. */
  async wait(abort: AbortSignal): Promise<void> {
    const wait = this.#next;
    this.#next = Math.min(2 * wait, LONGEST_MS);
    await pause(wait, undefined, { signal: abort }).catch(() => {}); // rejects only if aborted
  }

  /** Called after a success: the next wait is short again. */
  reset(): void {
    this.#next = FIRST_MS;
  }
}

/** Logs each error of a queue once, and its end: a lost connection fails many times a second. */
class TroubleLog {
  #lastLogged = '';

  constructor(private readonly log: (line: string) => void) {}

  readonly failed = (error: Error): void => {
    const trouble = troubleOf(error);
    if (trouble !== this.#lastLogged) this.log(`the queue failed: ${trouble}`);
    this.#lastLogged = trouble;
  };

  readonly recovered = (): void => {
    if (this.#lastLogged !== '') this.log('the queue works again');
    this.#lastLogged = '';
  };
}
