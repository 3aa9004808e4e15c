import { toAssizeError } from '../../diagnostics/index.js';
import {
  importOptional,
  type OptionalPackage,
  OptionalPackageError,
  rethrow,
} from '../../services/optional-package.js';

/** The part of a Redis client that is used: `ioredis`. The packages, and with them their types, may be missing. */
export interface RedisClient {
  connect(): Promise<void>;
  disconnect(): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<unknown>;
  set(key: string, value: string, onlyNew: 'NX'): Promise<unknown>;
  setex(key: string, seconds: number, value: string): Promise<unknown>;
  del(...keys: string[]): Promise<unknown>;
  expire(key: string, seconds: number): Promise<unknown>;
  hset(key: string, field: string, value: string): Promise<unknown>;
  hdel(key: string, field: string): Promise<unknown>;
  hexists(key: string, field: string): Promise<number>;
  hlen(key: string): Promise<number>;
  hkeys(key: string): Promise<string[]>;
  hmget(key: string, ...fields: string[]): Promise<(string | null)[]>;
  hgetall(key: string): Promise<Record<string, string>>;
}

interface RedisLibrary {
  readonly Redis: new (url: string, options: object) => RedisClient;
}

/** The name of a part in a queue. */
export interface PartTask {
  readonly job: string;
  readonly index: number;
}

/** A task as a worker has it. */
export interface QueuedTask {
  readonly data: PartTask;
  /** How often it was tried before. */
  readonly attemptsMade: number;
  readonly opts: { readonly attempts?: number };
  moveToDelayed(timestamp: number, token?: string): Promise<void>;
}

export interface TaskQueue {
  addBulk(
    tasks: readonly { readonly name: string; readonly data: PartTask; readonly opts: object }[],
  ): Promise<unknown>;
  getJobCounts(...states: string[]): Promise<Readonly<Record<string, number>>>;
  getWorkersCount(): Promise<number>;
  close(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface TaskWorker {
  close(force?: boolean): Promise<void>;
  waitUntilReady(): Promise<unknown>;
  /** @param doNotWait whether it does not wait for the tasks in work */
  pause(doNotWait: boolean): Promise<void>;
  resume(): unknown;
  isPaused(): boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** A task was taken, or there was none to take. */
  on(event: 'active' | 'drained', listener: () => void): unknown;
}

interface QueueLibrary {
  readonly Queue: new (name: string, options: object) => TaskQueue;
  readonly Worker: new (
    name: string,
    work: (task: QueuedTask, token?: string) => Promise<void>,
    options: object,
  ) => TaskWorker;
  /** Thrown by work that has put its task back. */
  readonly DelayedError: new () => Error;
}

const hasClass = (module: unknown, name: string): boolean =>
  typeof module === 'object' && module !== null && typeof Reflect.get(module, name) === 'function';

const IOREDIS: OptionalPackage<RedisLibrary> = {
  name: 'ioredis',
  neededBy: 'a queue',
  part: 'Redis',
  isLibrary: (module): module is RedisLibrary => hasClass(module, 'Redis'),
};

const BULLMQ: OptionalPackage<QueueLibrary> = {
  name: 'bullmq',
  neededBy: 'a queue',
  part: 'Queue',
  isLibrary: (module): module is QueueLibrary =>
    ['Queue', 'Worker', 'DelayedError'].every((name) => hasClass(module, name)),
};

/**
 * Imports the packages of queues.
 *
 * @throws AssizeError (ASZ583) where one is not installed
 */
export async function loadQueueLibraries(): Promise<RedisLibrary & QueueLibrary> {
  try {
    const { Redis } = await importOptional(IOREDIS, () => import('ioredis').catch(rethrow));
    const { Queue, Worker, DelayedError } = await importOptional(BULLMQ, () => import('bullmq').catch(rethrow));
    return { Redis, Queue, Worker, DelayedError };
  } catch (error) {
    if (!(error instanceof OptionalPackageError)) throw error;
    const hint = 'a queue needs both: npm install bullmq ioredis';
    throw toAssizeError([{ code: 'ASZ583', message: error.message, hint }], { cause: error });
  }
}
