import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import {
  ANYTHING,
  AssizeError,
  checkOptions,
  FUNCTION,
  integerFrom,
  type OptionTypes,
  STRING,
  toAssizeError,
  toError,
} from '../diagnostics/index.js';
import type { ProfileSource, Progress } from '../index.js';
import { openInput } from './create-job.js';
import { type ByteInput, type HttpInputOptions, isUrl, shownName } from './job-input.js';
import { readJob } from './job.js';
import { openJob, type OpenJob } from './open-job.js';
import {
  ABANDONED_AFTER,
  connectRedis,
  isRefusedCommand,
  isRefusedForNow,
  keysOf,
  loadQueueLibraries,
  QUEUE_PREFIX,
  type QueueAddress,
  type QueuedTask,
  queueNameOf,
  type TaskWorker,
  troubleOf,
} from './queue-connection.js';

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
      await pause(REFUSER_WAITS_MS); // so that another worker takes the part
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

/**
 * What of a machine the jobs of a queue may use. Whoever can write to the queue's Redis can ask for any of it, and for
 * nothing else: a profile runs the code of its plugins, so a job names one that is there and never brings its own.
 */
export interface Allowed {
  /** The folder of the profiles; the presets may always be used. */
  readonly profiles: string;
  /** The folder of the inputs, or how their URLs begin. */
  readonly files: string;
}

/**
 * The path of a file from a folder, with slashes: its name for machines that have the folder elsewhere.
 *
 * @throws AssizeError (ASZ584) where it is not in the folder
 */
function nameWithin(folder: string, path: string, option: string): string {
  const name = relative(resolve(folder), resolve(path));
  if (!isOutside(name)) return name.split(sep).join('/');
  const message = `${path} is not in ${folder === '.' ? 'the working directory' : folder}`;
  const hint = `${option} says which folder: all machines name it from there, wherever each has it`;
  throw toAssizeError([{ code: 'ASZ584', message, hint }]);
}

/** The name of a profile for all machines: a preset's, or that of a file from the folder of profiles. */
export const profileName = (profiles: string, profile: string): string =>
  isPreset(profile) ? profile : `./${nameWithin(profiles, profile, '--profiles')}`;

/** The name of an input for all machines: its URL, or that of a file from the folder of inputs. */
export const nameInFiles = (files: string, input: string): string =>
  isUrl(input) ? input : nameWithin(files, input, '--files');

const isPreset = (profile: string): boolean => !/[\\/]/.test(profile) && !/\.(?:ya?ml|json)$/.test(profile);

const isOutside = (name: string): boolean => name === '..' || name.startsWith(`..${sep}`) || isAbsolute(name);

/**
 * Checks that a profile may be used: a preset, or a file of the folder.
 *
 * @throws AssizeError (ASZ584)
 */
export function checkProfile({ profiles }: Allowed, profile: ProfileSource): void {
  const refuse = (message: string): never => {
    const hint = `it takes presets, and profiles in ${profiles}`;
    throw toAssizeError([{ code: 'ASZ584', message: `the worker does not do this job: ${message}`, hint }]);
  };
  if (typeof profile !== 'string') return refuse('it brings its profile with it');
  if (isPreset(profile)) return;
  if (isOutside(relative(resolve(profiles), resolve(profiles, profile)))) refuse(`its profile is ${profile}`);
}

/**
 * Opens an input that may be used: a file of the folder, or one whose URL begins as it must.
 *
 * @param http how it is asked for, where it has a URL
 * @throws AssizeError (ASZ584)
 */
export async function openAllowedInput({ files }: Allowed, name: string, http?: HttpInputOptions): Promise<ByteInput> {
  const path = isUrl(name) ? new URL(name).href : name;
  const allowed = isUrl(files)
    ? isUrl(name) && path.startsWith(new URL(files.endsWith('/') ? files : `${files}/`).href)
    : !isUrl(name) && !isOutside(relative(resolve(files), resolve(files, name)));
  if (allowed) return openInput(path, isUrl(files) ? undefined : files, http);
  const message = `${shownName(name)} is not in ${files}`;
  throw toAssizeError([{ code: 'ASZ584', message, hint: '--files says which folder, or how URLs begin' }]);
}

/** How long a refusal stands before the job is tried again: somebody may have put right what was wrong. */
const REFUSAL_STANDS_MS = 10_000;
/** How many jobs are kept open. */
const OPEN_JOBS = 4;

/** The jobs that a worker opened last, and why it cannot open others. */
export class OpenJobs {
  readonly #jobs = new Map<string, Promise<OpenJob | undefined>>();

  constructor(private readonly openById: (id: string) => Promise<OpenJob | undefined>) {}

  /** @returns undefined where the job is not there: it is finished, or Redis has lost it, and may be given it again */
  open(id: string): Promise<OpenJob | undefined> {
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

/**
 * Lets a worker rest where its Redis refuses commands, as a full one does: BullMQ asks again at once, thousands of times
 * a second.
 *
 * @param closing aborted when the worker is closed: then it is not woken any more
 */
function restWhereRefused(worker: TaskWorker, closing: AbortSignal): void {
  const waits = new BackOff();
  const rest = async (): Promise<void> => {
    await worker.pause(true);
    while (worker.isPaused() && !closing.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- until it is awake
      await waits.wait(closing);
      if (!closing.aborted) worker.resume();
    }
  };
  worker.on('error', (error) => {
    if (isRefusedCommand(error) && !worker.isPaused()) void rest();
  });
  worker.on('active', () => waits.reset());
  worker.on('drained', () => waits.reset());
}

/**
 * Asks a Redis for something until it does not refuse it for now any longer: what a worker has computed is worth the wait.
 *
 * @param onRefusal called with each refusal
 * @throws the refusal where nobody waits any longer, and what else goes wrong
 */
export async function untilAccepted(
  ask: () => Promise<unknown>,
  abort: AbortSignal,
  onRefusal: (error: Error) => void,
): Promise<void> {
  const waits = new BackOff();
  // oxlint-disable no-await-in-loop -- one try after another
  for (;;) {
    try {
      return void (await ask());
    } catch (error) {
      if (!isRefusedForNow(error) || abort.aborted) throw error;
      onRefusal(error);
    }
    await waits.wait(abort);
  }
  // oxlint-enable no-await-in-loop
}

const FIRST_MS = 100;
const LONGEST_MS = 5000;

/** Waits between tries: each twice as long as the one before it, at most five seconds, until a try has succeeded. */
class BackOff {
  #next = FIRST_MS;

  /** Returns when it is time for the next try, or it is no longer wanted. */
  async wait(abort: AbortSignal): Promise<void> {
    const wait = this.#next;
    this.#next = Math.min(2 * wait, LONGEST_MS);
    await pause(wait, undefined, { signal: abort }).catch(() => {}); // aborted: no longer wanted
  }

  /** After a success: the next wait is a short one. */
  reset(): void {
    this.#next = FIRST_MS;
  }
}

/** Says what goes wrong with a queue once, and when it is over: a connection that is lost fails many times a second. */
class TroubleLog {
  #said = '';

  constructor(private readonly log: (line: string) => void) {}

  readonly tell = (error: Error): void => {
    const trouble = troubleOf(error);
    if (trouble !== this.#said) this.log(`trouble with the queue: ${trouble}`);
    this.#said = trouble;
  };

  readonly over = (): void => {
    if (this.#said !== '') this.log('the queue works again');
    this.#said = '';
  };
}
