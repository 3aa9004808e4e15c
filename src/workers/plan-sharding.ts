import { resolve } from 'node:path';
import type { PipelineOptions } from '../container.js';
import type { CompiledProfile, Plan } from '../engine/plan.js';
import type { PlanOverrides } from '../engine/call/override-plan.js';
import { codecOf, type InputFormat } from '../input/codecs.js';
import type { ProfileSource } from '../profile/source/profile-source.js';
import type { Trust } from '../profile/trust.js';
import type { StreamRun } from '../stream/stream-run.js';
import { isCloneable } from './is-cloneable.js';
import { sharedRunOf } from './shared-run.js';
import { cutFile, type CutFile, type ShardSizes } from './cut-file.js';
import { versionedFile } from './versioned-file.js';
import type { WorkerJob } from './worker-messages.js';

/** A compiled profile, and the form of it that another thread can load. */
export interface ReloadableProfile {
  readonly compiled: CompiledProfile;
  readonly profile: ProfileSource;
  readonly trust: Trust;
}

/** The formats that threads can share, by what they do. */
const SHARED_FORMATS: Readonly<Record<'ranked' | 'scored', readonly InputFormat[]>> = {
  ranked: ['jsonl', 'parquet'],
  scored: ['jsonl'], // its scores are kept as text until those before are written: a row group has too many
};

/** Work on a file that several threads may share. */
export interface ShardingRequest extends Pick<ReloadableProfile, 'profile' | 'trust'> {
  /** Absolute. */
  readonly folder: string;
  readonly plan: Plan;
  /** Opens the run; called last, because its signals may be expensive. */
  readonly run: () => Promise<StreamRun>;
  readonly file: string;
  /** Undefined for a pipe. */
  readonly format: InputFormat | undefined;
  readonly work: keyof typeof SHARED_FORMATS;
  readonly workers: number;
  readonly sizes: ShardSizes;
  readonly options: PipelineOptions & Pick<PlanOverrides, 'weights'>;
}

/** How threads share the work; where they do not, the reason, undefined where it needs no notice. */
export type ShardingPlan =
  | { readonly job: WorkerJob; readonly run: StreamRun; readonly cut: CutFile }
  | { readonly job?: undefined; readonly reason: string | undefined };

/** Plans how threads share the work: each makes its own pipeline of the job, which must be cloneable. */
export async function planSharding(request: ShardingRequest): Promise<ShardingPlan> {
  const { profile, trust, folder, file, format, sizes, options } = request;
  const { units, services, codegen = true, weights } = options;
  if (request.workers <= 1) return { reason: undefined };
  const shared = SHARED_FORMATS[request.work];
  if (format !== undefined && !shared.includes(format)) {
    const titles = shared.map((one) => codecOf(one).title).join(' and ');
    const reason = `${file} is ${codecOf(format).title}, and only ${titles} ${shared.length === 1 ? 'is' : 'are'} ${request.work} in parts`;
    return { reason };
  }
  if (units || (services && services.length > 0) || !isCloneable(profile)) {
    return { reason: 'what is given in code cannot be sent to another' };
  }
  const version = await versionedFile(resolve(file), file);
  if (!version) return { reason: `${file} can only be read from its beginning` };
  const cut = await cutFile(version, format, request.plan, request.workers, sizes);
  if (cut.workers <= 1) return { reason: undefined }; // it is read before another thread has started
  const run = await request.run();
  const sharedRun = sharedRunOf(run, weights);
  if (!isCloneable(sharedRun.context) || !isCloneable(sharedRun.signals)) {
    return { reason: 'the context or a signal holds what cannot be sent to another' };
  }
  return {
    job: { profile, trust, folder, codegen, file: version, format, ...sharedRun },
    run,
    cut,
  };
}
