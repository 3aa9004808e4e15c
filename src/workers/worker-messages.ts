/**
 * The messages between threads. All of it is plain data, which is cloned on the way.
 *
 * @module
 */
import { AssizeError, type Problem } from '../diagnostics/problem.js';
import type { InputFormat } from '../input/codecs.js';
import type { ProfileSource } from '../profile/source/profile-source.js';
import type { Trust } from '../profile/trust.js';
import type { ScoreShardTask } from './score-shard.js';
import type { RankShardTask } from './shared-file.js';
import type { SharedRun } from './shared-run.js';
import type { VersionedFile } from './versioned-file.js';

/** The run that all threads share: each makes its own pipeline of the profile. */
export interface WorkerJob extends SharedRun {
  readonly profile: ProfileSource;
  /** What the profile's relative paths start from. */
  readonly folder: string;
  readonly codegen: boolean;
  readonly trust: Trust;
  readonly file: VersionedFile;
  /** Undefined where it is not known: JSON Lines. */
  readonly format: InputFormat | undefined;
}

/** A task for a thread. */
export type WorkerTask =
  | { readonly kind: 'open' }
  | ({ readonly kind: 'rank' } & RankShardTask)
  | ({ readonly kind: 'score' } & ScoreShardTask);

/** The reply to a task. An error is a reply too: one that is thrown in a thread would arrive without its fields. */
export type WorkerReply<R> =
  | { readonly kind: 'opened' }
  | { readonly kind: 'done'; readonly result: R }
  | { readonly kind: 'failed'; readonly error: SerializedError };

/** An error as plain data: structured cloning would drop the fields of an AssizeError. */
export interface SerializedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Those of an `AssizeError`. */
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
