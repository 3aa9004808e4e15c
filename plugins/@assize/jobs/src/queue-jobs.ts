import { toAssizeError } from 'assize';
import { type Job, partsOf, readJob } from './job.js';
import { shownName } from './job-input.js';
import { ABANDONED_AFTER, type JobState, type QueueConnection, stateOf } from './queue-connection.js';
import { addTasks, removeTasks, unfinishedParts } from './queue-tasks.js';
import { jobKeys, requestOf } from './rank-in-queue.js';

/** A part whose last attempt failed. */
export interface FailedPart {
  readonly part: number;
  /** Whether workers try it again. Otherwise the waiting process ranks it. */
  readonly retried: boolean;
  /** The error, with the position of the candidate in the part. */
  readonly message: string;
}

/** The progress of a job. */
export interface JobStatus {
  readonly id: string;
  readonly state: JobState;
  /** When it was added, in ISO 8601. */
  readonly added: string;
  readonly profile: string;
  readonly input: string;
  readonly parts: {
    readonly total: number;
    readonly finished: number;
    /** The number of parts that workers compute now. */
    readonly active: number;
  };
  readonly failed: readonly FailedPart[];
  /** The number of workers that are connected to the queue. All jobs share them. */
  readonly workers: number;
  /** The reasons why workers refuse the job, by worker. */
  readonly refusals: Readonly<Record<string, string>>;
  /** Whether a process waits for the job and will rank it. */
  readonly waiting: boolean;
  /** The rate of the last parts, up to 100; absent until two parts are finished. */
  readonly partsPerMinute?: number;
  /** The estimated seconds until all parts are finished; only for a running job with a rate. */
  readonly secondsLeft?: number;
}

/** A job of a queue, and when it was added. */
interface ListedJob {
  readonly job: Job;
  readonly added: number;
}

/** Lists and controls the jobs of a queue. */
export class QueueJobs {
  constructor(
    private readonly connection: QueueConnection,
    /** The queue in messages. */
    private readonly name: string,
  ) {}

  /** Returns all jobs that Redis has, the oldest first. */
  async list(): Promise<readonly ListedJob[]> {
    const { redis, keys } = this.connection;
    const entries = await redis.zrange(keys.jobs, '0', '-1', 'WITHSCORES');
    const found: ListedJob[] = [];
    for (let at = 0; at < entries.length; at += 2) {
      const id = entries[at]!;
      // oxlint-disable-next-line no-await-in-loop -- few
      const text = await redis.get(keys.job(id));
      if (text !== null) found.push({ job: readJob(text), added: Number(entries[at + 1]) });
      // oxlint-disable-next-line no-await-in-loop
      else await redis.zrem(keys.jobs, id); // it has expired
    }
    return found;
  }

  /**
   * Finds a job by the start of its id.
   *
   * @throws AssizeError (ASZ588) if no job or several jobs match
   */
  async find(prefix: string): Promise<ListedJob> {
    const jobs = await this.list();
    const matches = jobs.filter(({ job }) => job.id.startsWith(prefix));
    if (matches.length === 1) return matches[0]!;
    const ids = (of: readonly ListedJob[]): string => of.map(({ job }) => job.id).join(', ');
    if (matches.length > 1)
      throw jobError(
        `${prefix} matches ${matches.length} jobs of ${this.name}`,
        `write more characters: ${ids(matches)}`,
      );
    const hint =
      jobs.length === 0
        ? 'the queue has no jobs: check --queue and --name, or add one with assize jobs rank'
        : `the queue has ${ids(jobs.slice(-LISTED))}; assize jobs list shows all`;
    throw jobError(`job ${prefix} is not in ${this.name}`, hint);
  }

  /** Computes the progress of a job. */
  async status({ job, added }: ListedJob): Promise<JobStatus> {
    const { redis, keys, queue } = this.connection;
    const { id, input, profile } = job;
    const total = partsOf(job);
    const state = await stateOf(this.connection, id);
    const here = await redis.hlen(keys.parts(id));
    const waiting = await redis.get(keys.waiting(id));
    const finished = Math.max(here, Number(waiting ?? 0)); // the waiting process has parts that Redis may have lost
    const active = (await queue.getActive()).filter(({ data }) => data.job === id).length;
    const rate = state === 'running' ? await this.#rate(id) : undefined;
    return {
      id,
      state,
      added: new Date(added).toISOString(),
      profile: typeof profile === 'string' ? profile : '(in the job)',
      input: input.kind === 'bytes' ? shownName(input.name) : '(passed by the caller)',
      parts: { total, finished, active },
      failed: await this.#failed(id),
      workers: await queue.getWorkersCount(),
      refusals: await redis.hgetall(keys.refusals(id)),
      waiting: waiting !== null && (state === 'running' || state === 'paused'),
      ...(rate !== undefined && { partsPerMinute: rate, secondsLeft: Math.ceil(((total - finished) / rate) * 60) }),
    };
  }

  /** Stops workers from taking parts of a job. They finish the parts that they compute. */
  async pause({ job }: ListedJob): Promise<void> {
    await this.#requireState(job, 'pause', ['running', 'paused']);
    await this.#stop(job, 'paused');
  }

  /** Continues a paused job. */
  async resume({ job }: ListedJob): Promise<void> {
    const { redis, keys } = this.connection;
    if ((await this.#requireState(job, 'resume', ['running', 'paused'])) === 'running') return;
    await redis.del(keys.state(job.id), keys.finished(job.id)); // the pause must not slow the rate
    await addTasks(this.connection, job, await unfinishedParts(this.connection, job));
  }

  /**
   * Cancels a job: workers take no more of its parts, and its waiting process ends. The finished parts are kept for the next
   * `rankInQueue` of the same job.
   *
   * @param discard whether the finished parts and the job itself are deleted, too
   */
  async cancel({ job }: ListedJob, discard: boolean): Promise<void> {
    const { redis, keys } = this.connection;
    const state = await this.#requireState(job, 'cancel', discard ? ANY_STATE : ['running', 'paused', 'cancelled']);
    if (!discard && state === 'running' && (await unfinishedParts(this.connection, job)).length === 0) {
      const hint = 'stop that process, or delete the parts with --discard';
      throw jobError(`all parts of job ${job.id} are finished, and its waiting process ranks them`, hint);
    }
    await this.#stop(job, 'cancelled');
    if (!discard) return;
    const request = keys.request(requestOf(job));
    const isCurrent = (await redis.get(request)) === job.id;
    const stays = [keys.state(job.id), ...(isCurrent ? [] : [request])]; // the waiting process reads the state
    await redis.del(jobKeys(this.connection, job, request).filter((key) => !stays.includes(key)));
  }

  async #stop(job: Job, state: 'paused' | 'cancelled'): Promise<void> {
    const { redis, keys } = this.connection;
    await redis.setex(keys.state(job.id), ABANDONED_AFTER, state);
    for (const key of jobKeys(this.connection, job, keys.request(requestOf(job)))) {
      // oxlint-disable-next-line no-await-in-loop -- few
      await redis.expire(key, ABANDONED_AFTER);
    }
    await removeTasks(this.connection, job, await unfinishedParts(this.connection, job));
  }

  async #requireState(job: Job, command: string, allowed: readonly JobState[]): Promise<JobState> {
    const state = await stateOf(this.connection, job.id);
    if (allowed.includes(state)) return state;
    const hint =
      state === 'finished'
        ? 'assize jobs list shows the state of all jobs'
        : 'run its assize jobs rank command again: it continues with the finished parts';
    throw jobError(`job ${job.id} is ${state}: you can only ${command} a job that is ${allowed.join(' or ')}`, hint);
  }

  /** Returns the parts per minute, by the clock of the server. */
  async #rate(id: string): Promise<number | undefined> {
    const { redis, keys } = this.connection;
    const entries = await redis.xrevrange(keys.finished(id), '+', '-', 'COUNT', RATED_PARTS);
    const [seconds, micros] = await redis.time();
    const now = Number(seconds) * 1000 + Number(micros) / 1000;
    const oldest = entries.at(-1)?.[0];
    if (oldest === undefined || entries.length < 2) return undefined;
    // Until now instead of the newest: the rate of stopped workers falls.
    return ((entries.length - 1) * 60_000) / Math.max(1, now - Number(oldest.split('-')[0]));
  }

  async #failed(id: string): Promise<readonly FailedPart[]> {
    const { redis, keys } = this.connection;
    const messages = await redis.hgetall(keys.failures(id));
    const failed: FailedPart[] = [];
    for (const [index, message] of Object.entries(messages)) {
      // oxlint-disable-next-line no-await-in-loop -- few
      const retried = (await redis.hexists(keys.parts(id), index)) === 0;
      failed.push({ part: Number(index), retried, message });
    }
    return failed.toSorted((a, b) => a.part - b.part);
  }
}

/** The number of ids that a message lists. */
const LISTED = 5;
/** The number of finished parts that determine the rate. */
const RATED_PARTS = 50;

const ANY_STATE: readonly JobState[] = ['running', 'paused', 'cancelled', 'failed', 'finished'];

const jobError = (message: string, hint: string): Error => toAssizeError([{ code: 'ASZ588', message, hint }]);
