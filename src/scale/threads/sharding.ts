import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDate } from 'node:util/types';
import type { PipelineOptions } from '../../pipeline/node.js';
import type { Progress } from '../../sdk/index.js';
import { toAssizeError } from '../../base/index.js';
import { type PlanOverrides, type CompiledProfile, type Plan, causeOf, untilAborted } from '../../engine/index.js';
import { codecOf, type InputFormat, openTable, rowCount } from '../../data/node.js';
import { packageRoot } from '../../base/node.js';
import type { ProfileSource, Trust } from '../../profile/index.js';
import { yieldToEventLoop, type StreamRun } from '../../pipeline/index.js';
import { type GroupsRun, type Shard, type SharedRun, sharedRunOf } from '../parts/index.js';
import { deserializeError, serializeError, type WorkerJob, type WorkerReply, type WorkerTask } from './messages.js';
import { cutIntoShards, versionedFile, type VersionedFile } from './versioned-file.js';

/** A compiled profile, and its source for other threads to load. */
export interface ReloadableProfile {
  readonly compiled: CompiledProfile;
  readonly profile: ProfileSource;
  readonly trust: Trust;
}

/** The formats that threads can share, by kind of work. */
const SHARED_FORMATS: Readonly<Record<'ranked' | 'scored', readonly InputFormat[]>> = {
  ranked: ['jsonl', 'parquet'],
  scored: ['jsonl'], // scores wait as text until earlier ones are written, and a row group has too many
};

/** Work on a file that several threads may share. */
interface ShardingRequest<R> extends Pick<ReloadableProfile, 'profile' | 'trust'> {
  /** Absolute. */
  readonly folder: string;
  readonly plan: Plan;
  /** Opens the run. Called last, because its signals may be expensive. */
  readonly open: () => Promise<R>;
  /** Makes a run plain data for other threads, or says why that is not possible. */
  readonly share: (run: R) => SharedRun | GroupsRun | string;
  readonly file: string;
  /** Undefined for a pipe. */
  readonly format: InputFormat | undefined;
  /** The columns of a columnar file that are read, if the run does not say so. */
  readonly fields?: ReadonlySet<string> | undefined;
  readonly work: keyof typeof SHARED_FORMATS;
  readonly workers: number;
  readonly sizes: ShardSizes;
  readonly options: PipelineOptions;
}

/** How threads share the work. If they do not: the reason, or undefined if it needs no notice. */
type ShardingPlan<R> =
  | { readonly job: WorkerJob; readonly run: R; readonly cut: CutFile }
  | { readonly job?: undefined; readonly reason: string | undefined };

/** Makes an open run plain data for other threads, or says why that is not possible. */
export const shareStreamRun =
  (weights: PlanOverrides['weights']) =>
  (run: StreamRun): SharedRun | string => {
    const shared = sharedRunOf(run, weights);
    if (isCloneable(shared.context) && isCloneable(shared.signals)) return shared;
    return 'the context or a signal has a value that cannot be sent to another thread';
  };

/** Plans how threads share the work. Each thread makes its own pipeline from the job, which must be cloneable. */
export async function planSharding<R>(request: ShardingRequest<R>): Promise<ShardingPlan<R>> {
  const { profile, trust, folder, file, format, fields, sizes, options } = request;
  const { units, services, container, codegen = true } = options;
  if (request.workers <= 1) return { reason: undefined };
  const shared = SHARED_FORMATS[request.work];
  if (format !== undefined && !shared.includes(format)) {
    const titles = shared.map((one) => codecOf(one).title).join(' and ');
    const reason = `${file} is ${codecOf(format).title}, and only ${titles} ${shared.length === 1 ? 'is' : 'are'} ${request.work} in parts`;
    return { reason };
  }
  if (units || (services && services.length > 0) || container || !isCloneable(profile)) {
    return { reason: 'units given in code cannot be sent to another thread' };
  }
  const version = await versionedFile(resolve(file), file);
  if (!version) return { reason: `${file} can only be read from its beginning` };
  const cut = await cutFile(version, format, request.plan, request.workers, sizes);
  if (cut.workers <= 1) return { reason: undefined }; // one thread is done before a second one has started
  const run = await request.open();
  const plain = request.share(run);
  if (typeof plain === 'string') return { reason: plain };
  return { job: { profile, trust, folder, codegen, file: version, format, fields, run: plain }, run, cut };
}

/** How a file is cut. The result of a run does not depend on it. */
export interface ShardSizes {
  /** The size of a shard of JSON Lines. */
  readonly bytes: number;
  /** The minimum rows of a columnar shard. */
  readonly rows: number;
  /** The number of rows after which a columnar shard ends with the row group, even in a large file. Default: no limit. */
  readonly mostRows?: number;
  /** How long this thread ranks columnar rows alone if every entry compiles, in milliseconds. */
  readonly aloneMs: number;
}

/**
 * Shards are large enough to make the cost of a task negligible, and small enough for all threads to end at about the same
 * time. This thread ranks columnar rows alone for as long as other threads take to start. So, whatever an entry costs, the
 * work takes at most twice the time of the better choice.
 */
export const SHARD_SIZES: ShardSizes = { bytes: 1024 * 1024, rows: 4096, aloneMs: 500 };

/** The approximate number of columnar shards per thread. Each shard has an overhead of about 20 ms. */
const SHARDS_PER_THREAD = 16;

/** A file, cut for threads. */
interface CutFile {
  readonly unit: 'bytes' | 'rows';
  /** The size of the file in this unit. */
  readonly total: number;
  readonly shards: readonly Shard[];
  /** The number of threads, including this one. */
  readonly workers: number;
  /** The milliseconds before the other threads start, if work is left. */
  readonly aloneMs: number;
}

/**
 * Cuts a file: JSON Lines at bytes, Parquet between row groups.
 *
 * @param most the maximum number of threads
 */
async function cutFile(
  file: VersionedFile,
  format: InputFormat | undefined,
  { fusedPass }: Pick<Plan, 'fusedPass'>,
  most: number,
  sizes: ShardSizes,
): Promise<CutFile> {
  if (format !== 'parquet') {
    const shards = [...cutIntoShards(file.size, sizes.bytes)];
    return { unit: 'bytes', total: file.size, shards, workers: Math.min(most, shards.length), aloneMs: 0 };
  }
  const table = await openTable(file.path, format, { name: file.name });
  const { groups } = table;
  await table.close();
  const total = rowCount(table);
  const wanted = Math.min(sizes.mostRows ?? Infinity, Math.ceil(total / (SHARDS_PER_THREAD * most)));
  const shards = joinGroups(groups, Math.max(sizes.rows, wanted));
  const aloneMs = fusedPass ? sizes.aloneMs : 0;
  return { unit: 'rows', total, shards, workers: Math.min(most, shards.length), aloneMs };
}

/** Makes shards of row groups. Joins small groups. */
export function joinGroups(groups: readonly Shard[], least: number): Shard[] {
  const shards: Shard[] = [];
  for (const { from, to } of groups) {
    const last = shards.at(-1);
    if (last && last.to - last.from < least) shards[shards.length - 1] = { from: last.from, to };
    else if (to > from) shards.push({ from, to });
  }
  return shards;
}

/** How threads share a file. */
export interface ShardingOptions {
  readonly job: WorkerJob;
  readonly cut: CutFile;
  readonly abort: AbortSignal;
  readonly progress: Progress | undefined;
}

/** The work on one shard. */
interface ShardWork<R> {
  /** The task for another thread. */
  taskFor(shard: Shard): WorkerTask;
  /** Does the same work in this thread, and awaits `pause` between chunks. */
  runHere(shard: Shard, pause: () => Promise<void>): Promise<R>;
  /**
   * Repeats failed work in this thread when all earlier shards are done. The error then has the position of the candidate
   * in the file.
   */
  retry(shard: Shard): Promise<R>;
}

/**
 * Does the same work on each shard of a file in several threads. Results are yielded in the order of the shards.
 *
 * @param ahead the number of shards per thread that may be pending or done before the first of them is yielded
 */
export async function* runSharded<R>(
  { job, cut, abort, progress }: ShardingOptions,
  ahead: number,
  work: ShardWork<R>,
): AsyncGenerator<R, void> {
  const ended = new AbortController();
  const signal = AbortSignal.any([abort, ended.signal]);
  const runHere: ItemWorker<Shard, WorkerReply<R>> = async (shard) => {
    try {
      return { kind: 'done', result: await work.runHere(shard, () => yieldToEventLoop(signal)) };
    } catch (error) {
      abort.throwIfAborted();
      return { kind: 'failed', error: serializeError(error) };
    }
  };
  let starting: Promise<WorkerPool<R>> | undefined;
  try {
    // This thread has a pipeline, and starts while the others load theirs.
    const startWorkers = async (addWorker: (worker: ItemWorker<Shard, WorkerReply<R>>) => void): Promise<void> => {
      addWorker(runHere);
      if (cut.aloneMs > 0) await setTimeout(cut.aloneMs, undefined, { signal: ended.signal });
      starting = startWorkerPool<R>(cut.workers - 1, job, signal);
      const pool = await starting;
      await pool.open((runTask) => addWorker((shard) => runTask(work.taskFor(shard))));
    };
    for await (const [shard, reply] of mapInOrder(cut.shards, startWorkers, cut.workers * ahead)) {
      yield reply.kind === 'done' ? reply.result : await work.retry(shard);
      progress?.({ task: `reading ${job.file.name}`, unit: cut.unit, done: shard.to, total: cut.total });
    }
  } finally {
    ended.abort();
    const pool = await starting?.catch(() => undefined);
    await pool?.close();
  }
}

/** Processes one item. */
type ItemWorker<I, R> = (item: I) => Promise<R>;

/**
 * Maps items with a growing number of workers. A worker takes the next item when it has finished one. Yields the results
 * in the order of the items.
 *
 * @param startWorkers adds workers, now or later; its promise rejects if the work cannot continue
 * @param ahead        the number of items that may be pending or done before the first of them is yielded
 */
async function* mapInOrder<I, R>(
  items: Iterable<I>,
  startWorkers: (addWorker: (worker: ItemWorker<I, R>) => void) => Promise<void>,
  ahead: number,
): AsyncGenerator<readonly [item: I, result: R]> {
  const left = items[Symbol.iterator]();
  const idle: ItemWorker<I, R>[] = [];
  const pending: (readonly [I, Promise<R>])[] = [];
  const assign = (): void => {
    while (idle.length > 0 && pending.length < ahead) {
      const next = left.next();
      if (next.done) return;
      const worker = idle.shift()!;
      const result = worker(next.value);
      pending.push([next.value, result]);
      result.then(
        () => addWorker(worker),
        () => {}, // thrown below, in the order of the items
      );
    }
  };
  const addWorker = (worker: ItemWorker<I, R>): void => {
    idle.push(worker);
    assign();
  };
  const startFailure = new Promise<never>((_, reject) => void startWorkers(addWorker).catch(reject));
  startFailure.catch(() => {}); // ignored when all items are done
  for (let first = pending[0]; first; first = pending[0]) {
    const result = await Promise.race([first[1], startFailure]);
    void pending.shift();
    assign();
    yield [first[0], result];
  }
}

/** Runs a task in a thread. */
type RunTask<R> = (task: WorkerTask) => Promise<WorkerReply<R>>;

/** Threads that share a job. */
interface WorkerPool<R> {
  /**
   * Adds each thread as a worker when it is ready. Adds it twice, so that its next task is queued while this thread is busy.
   *
   * @throws AssizeError if a thread cannot make its pipeline, or ends before its work is done (ASZ519)
   */
  open(addWorker: (runTask: RunTask<R>) => void): Promise<void>;
  /** Terminates all threads, done or not. */
  close(): Promise<void>;
}

/** The published bundle, also when running from the sources: a thread runs JavaScript, and starts faster from few files. */
const workerEntryFile = (): string => join(packageRoot(), 'dist', 'bundle', 'worker.js');

/** Starts threads. Imports piscina here, so that a process without threads never loads it. */
async function startWorkerPool<R>(count: number, job: WorkerJob, abort: AbortSignal): Promise<WorkerPool<R>> {
  const filename = workerEntryFile(); // fails in a bundled program, in which piscina may not load
  const { Piscina } = await import('piscina');
  abort.throwIfAborted();
  const pool = new Piscina<WorkerTask, WorkerReply<R>>({
    filename,
    minThreads: count,
    maxThreads: count,
    workerData: job,
    atomics: 'disabled', // Atomics.wait between tasks would block promises that a unit awaits
    recordTiming: false,
    concurrentTasksPerWorker: 2, // the next task waits in the thread, even while this one is busy
  });
  const broken = new Promise<never>((_, reject) => void pool.on('error', reject));
  broken.catch(() => {}); // thrown by the pending task
  const runTask: RunTask<R> = async (task) => {
    try {
      return await untilAborted(Promise.race([pool.run(task), broken]), abort);
    } catch (error) {
      abort.throwIfAborted();
      throw workerLostError(error);
    }
  };
  const openWorker = async (addWorker: (runTask: RunTask<R>) => void): Promise<void> => {
    const reply = await runTask({ kind: 'open' });
    if (reply.kind === 'failed') throw deserializeError(reply.error);
    addWorker(runTask);
    addWorker(runTask);
  };
  return {
    async open(addWorker) {
      await Promise.all(Array.from({ length: count }, () => openWorker(addWorker)));
    },
    close: () => pool.destroy(),
  };
}

const workerLostError = (error: unknown): Error =>
  toAssizeError(
    [
      {
        code: 'ASZ519',
        message: `a worker thread ended before it finished: ${causeOf(error)}`,
        hint: 'for more details, run with one thread: workers: 1',
      },
    ],
    { cause: error },
  );

/** Whether a value is plain data at every depth. Its structured clone then equals it. */
function isCloneable(value: unknown, outer: readonly unknown[] = []): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && typeof value !== 'symbol';
  if (isDate(value)) return true;
  if (outer.includes(value)) return false; // circular
  const inside = [...outer, value];
  if (Array.isArray(value)) return value.every((item) => isCloneable(item, inside));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((item) => isCloneable(item, inside));
}
