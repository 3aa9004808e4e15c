/**
 * The messages between the server's thread and the threads for large requests. All are plain data.
 *
 * @module
 */

import type { MessagePort } from 'node:worker_threads';
import type { PipelineOptions } from 'assize';
import type { RunKind } from '../operations.js';
import type { ServeLimits } from '../http/limits.js';
import type { ProfileFile } from '../profiles/find-profiles.js';
import type { FileStamps } from '../profiles/served-profile.js';
import type { RunCounts } from '../routes/call.js';
import type { RecordedWork } from './recorded-work.js';
import type { SentError } from './sent-error.js';

/** The pipeline options that can be sent to another thread. */
export type PlainPipelineOptions = Omit<PipelineOptions, 'units' | 'services' | 'container' | 'progress'>;

/** The initial data of a thread. */
export interface ThreadData {
  readonly pipeline: PlainPipelineOptions;
  /** Whether requests may contain a profile. */
  readonly inline: boolean;
  readonly limits: ServeLimits;
}

/** A request for a thread. */
export interface ThreadTask {
  readonly kind: RunKind;
  readonly body: Uint8Array;
  /** Whether the server's thread has subscribers to traced work. */
  readonly isFollowed: boolean;
  /** The thread requests versions of profiles over this port, and receives an abort. */
  readonly port: MessagePort;
}

/** A thread's request for the version of a profile, by name. */
export type ThreadQuestion = string;

/** The active version of a profile. */
export interface ProfileVersion {
  readonly profile: ProfileFile;
  readonly stamps: FileStamps;
}

/** The messages to a thread. */
export type ThreadNotice =
  /** `version` is undefined if threads cannot use this profile. */
  { readonly kind: 'version'; readonly version: ProfileVersion | undefined } | { readonly kind: 'abort' };

/** The work for a request, successful or not. */
interface DoneWork {
  /** For the metrics. */
  readonly runs: readonly RunCounts[];
  /** For subscribers; empty if there are none. */
  readonly work: readonly RecordedWork[];
}

/** The outcome of a request. */
export type ThreadReply =
  | ({ readonly kind: 'answered'; readonly body: Uint8Array<ArrayBuffer> } & DoneWork)
  | ({ readonly kind: 'failed'; readonly failure: SentError } & DoneWork)
  /** The thread cannot answer, and returns the body. */
  | { readonly kind: 'declined'; readonly body: Uint8Array };
