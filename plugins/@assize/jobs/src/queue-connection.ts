import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { toAssizeError } from 'assize';
import { untilAborted, toError } from 'assize/internal';

/** The address of a queue. */
export interface QueueAddress {
  /** `redis://host:6379`, or `rediss://` with TLS. May include a user and a password. */
  readonly url: string;
  /** The name of the queue in its Redis. Defaults to `assize`. */
  readonly name?: string | undefined;
}

/** The keys of a queue in Redis, besides its tasks. */
interface QueueKeys {
  /** The text of a job. */
  job(id: string): string;
  /** The texts of its parts, by position. */
  parts(id: string): string;
  /** The progress of parts that are not finished, by position. */
  progress(id: string): string;
  /** The reasons why workers refuse the job, by worker. */
  refusals(id: string): string;
  /** The id of the unfinished job of a request. */
  request(digest: string): string;
  /** The state of a job, a `JobState`; absent while it runs. */
  state(id: string): string;
  /** The last error of each part that has failed and not succeeded since, by position. */
  failures(id: string): string;
  /** A stream with an entry for each of the last finished parts. Its ids are times of the server. */
  finished(id: string): string;
  /** The number of parts that the waiting process has. Expires soon after that process ends. */
  waiting(id: string): string;
  /** A sorted set of the ids of all jobs, by the time when they were added. */
  readonly jobs: string;
}

/** The state of a job that does not run. `failed`: all parts were tried, and a failed part can be repeated. */
export const STOPPED_STATES = ['paused', 'cancelled', 'failed', 'finished'] as const;
export type JobState = 'running' | (typeof STOPPED_STATES)[number];

export interface QueueConnection {
  readonly redis: Redis;
  readonly keys: QueueKeys;
  readonly queue: Queue<PartTask>;
  close(): Promise<void>;
}

/** The seconds after which Redis deletes unused keys. */
export const ABANDONED_AFTER = 7 * 86_400;

/** The milliseconds without a response after which a connection fails. */
const ANSWER_MS = 10_000;

/** The names of BullMQ. */
export const queueNameOf = ({ name = 'assize' }: QueueAddress): string => name;
export const QUEUE_PREFIX = 'assize:queue';

/**
 * Connects to a Redis. If the connection is lost later, reconnects without limit; commands wait meanwhile.
 *
 * @param onError called with each error after the connection was made
 * @throws AssizeError if the Redis cannot be reached (ASZ582)
 */
export async function connectRedis(url: string, onError: (error: Error) => void): Promise<Redis> {
  const shown = checkUrl(url);
  const { Redis } = await import('ioredis');
  let failure: Error | undefined;
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: null, // required by BullMQ: commands wait for the connection
    retryStrategy: (times: number) => (connected ? Math.min(times * 100, 2000) : null),
  });
  let connected = false;
  redis.on('error', (error) => {
    failure = error;
    if (connected) onError(error);
  });
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error(`no answer for ${ANSWER_MS / 1000} s`)), ANSWER_MS);
  try {
    await untilAborted(redis.connect(), silence.signal);
    await untilAborted(redis.ping(), silence.signal);
    if (failure) throw failure; // for example, without the database of the URL the client would use database 0
    connected = true;
    return redis;
  } catch (error) {
    redis.disconnect();
    const reason = (failure ?? toError(error)).message;
    const message = `the queue at ${shown} cannot be reached: ${reason}`;
    const hint =
      HINTS.find(([pattern]) => pattern.test(reason))?.[1] ?? 'check that a Redis server is running at this address';
    throw toAssizeError([{ code: 'ASZ582', message, hint }], { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Hints for a Redis that cannot be reached, by its message. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/NOAUTH/, 'it needs a password: redis://:PASSWORD@HOST:PORT'],
  [/WRONGPASS/, 'check the user and the password: redis://USER:PASSWORD@HOST:PORT'],
  [/DB index/, 'use the number of an existing database: redis://HOST:PORT/0'],
  [/certificate/, 'set NODE_EXTRA_CA_CERTS to a file of more trusted certificates'],
  [
    /no answer|ECONNRESET|closed/,
    'check that a Redis server is running there; use rediss:// with TLS, redis:// without',
  ],
];

/** Whether a Redis has rejected a command, for example because it is full or read-only. */
export const isRefusedCommand = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'ReplyError';

/**
 * Whether a Redis may accept a rejected command later: it is full (OOM), a replica, busy or loading its data, or its disk
 * is full (MISCONF). In the message of a script the word is not at the start.
 */
export const isRefusedForNow = (error: unknown): error is Error =>
  isRefusedCommand(error) &&
  /\b(?:OOM|READONLY|BUSY|LOADING|MISCONF|NOREPLICAS|MASTERDOWN|CLUSTERDOWN)\b/.test(error.message);

/** The message of an error, without the name of the script. */
export const troubleOf = ({ message }: Error): string => message.replace(/\. script: [^]*$/, '');

/**
 * Checks the address of a Redis.
 *
 * @returns the address without its password, for messages
 */
export function checkUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isRedis = parsed && /^rediss?:$/.test(parsed.protocol) && parsed.hostname !== '';
  if (isRedis && /^\/?\d*$/.test(parsed.pathname)) return `${parsed.protocol}//${parsed.host}`; // a path is a database's number
  const hint = 'write an address such as redis://127.0.0.1:6379';
  throw toAssizeError([{ code: 'ASZ582', message: 'the address of the queue is not a Redis URL', hint }]);
}

/** Connects to a queue, to add tasks to it. */
export async function connectQueue(address: QueueAddress, onError: (error: Error) => void): Promise<QueueConnection> {
  const redis = await connectRedis(address.url, onError);
  const { Queue } = await import('bullmq');
  const queue = new Queue<PartTask>(queueNameOf(address), {
    connection: redis,
    prefix: QUEUE_PREFIX,
    skipMetasUpdate: true,
  });
  queue.on('error', onError);
  return {
    redis,
    keys: keysOf(address),
    queue,
    async close() {
      redis.disconnect(); // first, because closing a queue waits for a lost connection
      await queue.close().catch(() => {});
    },
  };
}

export function keysOf(address: QueueAddress): QueueKeys {
  const key = (kind: string) => (id: string) => `assize:${queueNameOf(address)}:${kind}:${id}`;
  return {
    job: key('job'),
    parts: key('parts'),
    progress: key('progress'),
    refusals: key('refusals'),
    request: key('request'),
    state: key('state'),
    failures: key('failures'),
    finished: key('finished'),
    waiting: key('waiting'),
    jobs: key('jobs')('all'),
  };
}

/** Reads the state of a job. */
export async function stateOf({ redis, keys }: Pick<QueueConnection, 'redis' | 'keys'>, id: string): Promise<JobState> {
  const text = await redis.get(keys.state(id));
  return STOPPED_STATES.find((state) => state === text) ?? 'running';
}

/** The data of a task in the queue: which part of which job. */
export interface PartTask {
  readonly job: string;
  readonly index: number;
}
