import { toAssizeError, toError } from '../diagnostics/index.js';
import { isMap } from '../expression/index.js';
import type { CallBudget, ProfileSource } from '../index.js';
import type { Shard, SharedRun } from '../workers/index.js';
import { decode, encode } from './codec.js';
import { digestOf, type Fingerprint } from './fingerprint.js';

/** The version of the format of jobs and parts. Another one is refused. */
export const JOB_FORMAT = 1;

/** Bytes of JSON Lines, cut into shards: each has the lines that begin in it. */
export interface BytesOfJob {
  readonly kind: 'bytes';
  /** A path, or a URL. */
  readonly name: string;
  readonly size: number;
  /** Each shard but the last begins so many bytes after the one before. */
  readonly shardBytes: number;
  /** The version of the input, where its store has one; else there are digests. */
  readonly etag: string | undefined;
  /** By shard, of its lines; empty where there is an `etag`. */
  readonly digests: readonly string[];
}

/** Candidates that come with the call: so many parts of them, in this order. */
export interface RowsOfJob {
  readonly kind: 'rows';
  readonly parts: number;
}

/**
 * A ranking that several machines share: what each must know to compute its parts. Plain data; `jobText` writes it, and
 * `readJob` reads it.
 */
export interface Job {
  readonly format: typeof JOB_FORMAT;
  /** A digest of all the rest: two jobs of one id are the same. */
  readonly id: string;
  /** A preset's name, a path, a text or the profile itself. Relative paths start from the folder of each machine. */
  readonly profile: ProfileSource;
  readonly codegen: boolean;
  readonly budget: CallBudget | undefined;
  /**
   * What its parts are: ranked, where each candidate is scored alone; else their texts are embedded, and whoever merges
   * them ranks all candidates in their order.
   */
  readonly work: 'rank' | 'embed';
  /** Limits, weights, time, context and signals: computed once, where the job was made. */
  readonly run: SharedRun;
  readonly input: BytesOfJob | RowsOfJob;
  readonly fingerprint: Fingerprint;
}

/** A job with its id. */
export const withId = (job: Omit<Job, 'id'>): Job => ({ ...job, id: digestOf(encode(job)) });

/** How many parts a job has: they are numbered from 0 on. */
export const partsOf = ({ input }: Job): number =>
  input.kind === 'rows' ? input.parts : Math.ceil(input.size / input.shardBytes);

/** The bytes of a shard. */
export const shardOf = ({ size, shardBytes }: BytesOfJob, index: number): Shard => {
  return { from: index * shardBytes, to: Math.min(size, (index + 1) * shardBytes) };
};

/**
 * A job as one line of text.
 *
 * @throws AssizeError (ASZ580) where its profile or context is no plain data
 */
export const jobText = (job: Job): string => encode(job);

/**
 * The job that `jobText` wrote.
 *
 * @throws AssizeError (ASZ575) where the text is none, or of another version
 */
export function readJob(text: string): Job {
  const job = decodeOrThrow(text, 'job');
  if (job['format'] !== JOB_FORMAT) {
    throw notAJobError('job', `its format is ${JSON.stringify(job['format'])}, and here it is ${JOB_FORMAT}`);
  }
  const { id, ...rest } = job;
  if (id !== digestOf(encode(rest))) throw notAJobError('job', 'it was changed since it was written');
  return job as unknown as Job;
}

/** @throws AssizeError (ASZ575) */
export function decodeOrThrow(text: string, kind: 'job' | 'part'): Readonly<Record<string, unknown>> {
  let decoded: unknown;
  try {
    decoded = decode(text);
  } catch (error) {
    throw notAJobError(kind, toError(error).message);
  }
  if (isMap(decoded)) return decoded;
  throw notAJobError(kind, 'it is no object');
}

/** The error of a text that is no job, or no part of one. */
export const notAJobError = (kind: 'job' | 'part', reason: string): Error =>
  toAssizeError([{ code: 'ASZ575', message: `the text is no ${kind} of this version: ${reason}` }]);
