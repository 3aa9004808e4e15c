import { resolve } from 'node:path';
import type { PipelineOptions } from '../container.js';
import type { CompiledProfile } from '../engine/compiled-profile.js';
import type { PlanOverrides } from '../engine/override-plan.js';
import { codecOf, type InputFormat } from '../input/codecs.js';
import type { ProfileSource } from '../profile/source/profile-source.js';
import type { Trust } from '../profile/trust.js';
import type { StreamRun } from '../stream/stream-run.js';
import { isCloneable } from './is-cloneable.js';
import { sharedRunOf } from './shared-run.js';
import { versionedFile } from './versioned-file.js';
import type { WorkerJob } from './worker-messages.js';

/** A compiled profile, and the form of it that another thread can load. */
export interface ReloadableProfile {
  readonly compiled: CompiledProfile;
  readonly profile: ProfileSource;
  readonly trust: Trust;
}

/** Large enough to make the cost of a task negligible, small enough for all threads to end at about the same time. */
export const SHARD_BYTES = 1024 * 1024;

/** Work on a file that several threads may share. */
export interface ShardingRequest extends Pick<ReloadableProfile, 'profile' | 'trust'> {
  /** Absolute. */
  readonly folder: string;
  /** Opens the run; called last, because its signals may be expensive. */
  readonly run: () => Promise<StreamRun>;
  readonly file: string;
  /** Undefined for a pipe. */
  readonly format: InputFormat | undefined;
  readonly workers: number;
  readonly shardBytes: number;
  readonly options: PipelineOptions & Pick<PlanOverrides, 'weights'>;
}

/** How threads share the work; where they do not, the reason, undefined where it needs no notice. */
export type ShardingPlan =
  | { readonly job: WorkerJob; readonly run: StreamRun; readonly workers: number; readonly shardBytes: number }
  | { readonly job?: undefined; readonly reason: string | undefined };

/** Plans how threads share the work: each makes its own pipeline of the job, which must be cloneable. */
export async function planSharding(request: ShardingRequest): Promise<ShardingPlan> {
  const { profile, trust, folder, file, format, shardBytes, options } = request;
  const { units, services, codegen = true, weights } = options;
  if (request.workers <= 1) return { reason: undefined };
  if (format !== undefined && format !== 'jsonl')
    return { reason: `${file} is ${codecOf(format).title}, and only JSON Lines is read in parts` };
  if (units || (services && services.length > 0) || !isCloneable(profile)) {
    return { reason: 'what is given in code cannot be sent to another' };
  }
  const version = await versionedFile(resolve(file), file);
  if (!version) return { reason: `${file} can only be read from its beginning` };
  const workers = Math.min(request.workers, Math.ceil(version.size / shardBytes));
  if (workers <= 1) return { reason: undefined }; // it is read before another thread has started
  const run = await request.run();
  const shared = sharedRunOf(run, weights);
  if (!isCloneable(shared.context) || !isCloneable(shared.signals)) {
    return { reason: 'the context or a signal holds what cannot be sent to another' };
  }
  return {
    job: { profile, trust, folder, codegen, file: version, ...shared },
    run,
    workers,
    shardBytes,
  };
}
