/**
 * What passes between this thread and those that answer large requests. All of it is plain data.
 *
 * @module
 */

import type { MessagePort } from 'node:worker_threads';
import type { PipelineOptions } from '../../pipeline/node.js';
import { deserializeError, type SerializedError, serializeError } from '../../scale/threads/index.js';
import type { RunKind } from '../http/envelopes.js';
import type { ServeLimits } from '../http/limits.js';
import { RequestError } from '../http/request-error.js';
import type { ProfileFile } from '../profiles/find-profiles.js';
import type { FileStamps } from '../profiles/served-profile.js';
import type { RunCounts } from '../routes/call.js';
import type { RecordedWork } from './recorded-work.js';

/** The options of pipelines that another thread can be given. */
export type PlainPipelineOptions = Omit<PipelineOptions, 'units' | 'services' | 'progress'>;

/** What a thread is started with. */
export interface ThreadData {
  readonly pipeline: PlainPipelineOptions;
  /** Whether requests may bring a profile. */
  readonly inline: boolean;
  readonly limits: ServeLimits;
}

/** A request for a thread. */
export interface ThreadTask {
  readonly kind: RunKind;
  readonly body: Uint8Array;
  /** Whether somebody in the thread of the server follows what is done. */
  readonly isFollowed: boolean;
  /** Where the thread asks for the version of a profile, and hears of an abort. */
  readonly port: MessagePort;
}

/** What a thread asks: the name of a profile. */
export type ThreadQuestion = string;

/** The version of a profile that answers now. */
export interface ProfileVersion {
  readonly profile: ProfileFile;
  readonly stamps: FileStamps;
}

/** What a thread receives. */
export type ThreadNotice =
  /** Undefined: a thread cannot answer by this profile. */
  { readonly kind: 'version'; readonly version: ProfileVersion | undefined } | { readonly kind: 'abort' };

/** An error of a request as plain data. */
interface FailedRequest {
  readonly error: SerializedError;
  /** Those of a `RequestError`. */
  readonly answer: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined;
}

/** What was done for a request, whatever came of it. */
interface DoneWork {
  /** To be counted. */
  readonly runs: readonly RunCounts[];
  /** For those who follow it; none where nobody does. */
  readonly work: readonly RecordedWork[];
}

/** What came of a request. */
export type ThreadReply =
  | ({ readonly kind: 'answered'; readonly body: Uint8Array<ArrayBuffer> } & DoneWork)
  | ({ readonly kind: 'failed'; readonly failure: FailedRequest } & DoneWork)
  /** The thread cannot answer it: the body goes back. */
  | { readonly kind: 'declined'; readonly body: Uint8Array };

/** An error as plain data. */
export function toFailedRequest(error: unknown): FailedRequest {
  if (!(error instanceof RequestError)) return { error: serializeError(error), answer: undefined };
  const { name, message, stack, problems, status, headers } = error;
  return { error: { name, message, stack, problems }, answer: { status, headers } };
}

/** The same error, in another thread. */
export const fromFailedRequest = ({ error, answer }: FailedRequest): Error =>
  answer ? new RequestError(answer.status, error.problems ?? [], answer.headers) : deserializeError(error);
