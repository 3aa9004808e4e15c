import { resolve } from 'node:path';
import type { PipelineOptions } from '../container.js';
import type { InputFormat } from '../input/index.js';
import type { ProfileInput } from '../profile/schema/profile-schema.js';
import type { StreamRun } from '../stream/stream-run.js';
import { isCloneable } from './cloneable.js';
import { versionedFile } from './versioned-file.js';
import type { WorkerJob } from './worker-job.js';

/** Work that several threads could share. */
export interface ShardingRequest {
  readonly profile: string | ProfileInput;
  /** Absolute. */
  readonly folder: string;
  /** Opened last: its signals may cost something. */
  readonly run: () => Promise<StreamRun>;
  readonly file: string;
  /** Not known of a pipe. */
  readonly format: InputFormat | undefined;
  readonly workers: number;
  /** In so many bytes each. */
  readonly shard: number;
  readonly options: PipelineOptions;
}

/** How threads share some work; where they do not, why, if that is worth a word. */
export type ShardingPlan =
  | { readonly job: WorkerJob; readonly run: StreamRun; readonly workers: number; readonly shard: number }
  | { readonly job?: undefined; readonly because: string | undefined };

/** Looks at whether threads can share some work: each makes a pipeline of its own, of what can be sent to it. */
export async function planSharding(work: ShardingRequest): Promise<ShardingPlan> {
  const { profile, folder, file, format, shard, options } = work;
  const { units, services, codegen = true } = options;
  if (work.workers <= 1) return { because: undefined };
  if (format !== undefined && format !== 'jsonl')
    return { because: `${file} is ${format.toUpperCase()}, and only JSON Lines is read in parts` };
  if (units || (services && services.length > 0) || !isCloneable(profile)) {
    return { because: 'what is given in code cannot be sent to another' };
  }
  const version = await versionedFile(resolve(file), file);
  if (!version) return { because: `${file} can only be read from its beginning` };
  const workers = Math.min(work.workers, Math.ceil(version.size / shard));
  if (workers <= 1) return { because: undefined }; // it is read before another thread has started
  const run = await work.run();
  const { now, context, signals } = run.start;
  if (!isCloneable(context) || !isCloneable(signals)) {
    return { because: 'the context or a signal holds what cannot be sent to another' };
  }
  return { job: { profile, folder, codegen, file: version, now, context, signals }, run, workers, shard };
}
