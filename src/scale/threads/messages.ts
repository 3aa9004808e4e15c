import { AssizeError, type Problem } from '../../base/index.js';
import type { InputFormat } from '../../data/node.js';
import type { ProfileSource, Trust } from '../../profile/index.js';
import type { GroupsRun, RankPartOptions, Shard, SharedRun } from '../parts/index.js';
import type { VersionedFile } from './versioned-file.js';

/** The job that all threads share. Each thread makes its own pipeline from the profile. */
export interface WorkerJob<R = SharedRun | GroupsRun> {
  readonly run: R;
  readonly profile: ProfileSource;
  /** The base of the profile's relative paths. */
  readonly folder: string;
  readonly codegen: boolean;
  readonly trust: Trust;
  readonly file: VersionedFile;
  /** Undefined if the format is not known; then JSON Lines. */
  readonly format: InputFormat | undefined;
  /** For groups: the columns of a columnar file that are read; undefined for all. */
  readonly fields: ReadonlySet<string> | undefined;
}

/** A shard to be ranked. Plain data. */
export interface RankShardTask extends Shard, Required<Pick<RankPartOptions, 'minCompetitiveScore'>> {}

/** A shard to be scored. Plain data. */
export interface ScoreShardTask extends Shard {
  /** Whether each row includes its candidate. */
  readonly candidates: boolean;
}

/** A task for a thread. */
export type WorkerTask =
  | { readonly kind: 'open' }
  | ({ readonly kind: 'rank' } & RankShardTask)
  | ({ readonly kind: 'groups' } & Shard)
  | ({ readonly kind: 'score' } & ScoreShardTask);

/** The reply to a task. An error is also a reply, because an error that a thread throws loses its fields. */
export type WorkerReply<R> =
  | { readonly kind: 'opened' }
  | { readonly kind: 'done'; readonly result: R }
  | { readonly kind: 'failed'; readonly error: SerializedError };

/** An error as plain data: structured cloning would drop the fields of an AssizeError. */
interface SerializedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** The problems of an `AssizeError`. */
  readonly problems: readonly Problem[] | undefined;
}

export function serializeError(error: unknown): SerializedError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { name, message, stack, problems: error instanceof AssizeError ? error.problems : undefined };
}

export function deserializeError({ name, message, stack, problems }: SerializedError): Error {
  const error = problems ? new AssizeError(problems, message) : Object.assign(new Error(message), { name });
  if (stack !== undefined) error.stack = stack;
  return error;
}
