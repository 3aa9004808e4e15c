/**
 * Rankings that several machines share: parts that merge, and a queue of them.
 *
 * @module
 */

export { createJob, type JobInput, type JobOptions } from './create-job.js';
export type { Fingerprint } from './fingerprint.js';
export type { ByteInput } from './input/byte-input.js';
export { fileInput } from './input/file-input.js';
export { httpInput, type HttpInputOptions } from './input/http-input.js';
export { type BytesOfJob, type Job, jobText, readJob, type RowsOfJob } from './job.js';
export type { Merge } from './merge.js';
export { OpenJob, openJob, type OpenJobOptions } from './open-job.js';
export { type Allowed, nameInFiles, openAllowedInput, profileName } from './queue/allowed.js';
export type { QueueAddress } from './queue/connection.js';
export { type QueueWorker, type QueueWorkerOptions, startQueueWorker } from './queue/queue-worker.js';
export { type QueueProgress, type QueueRanking, rankInQueue, type RankInQueueOptions } from './queue/rank-in-queue.js';
