/**
 * The names that other modules import from `jobs`.
 *
 * @module
 */

export { createJob, type JobInput, type JobOptions } from './create-job.js';
export { type ByteInput, fileInput, httpInput, type HttpInputOptions } from './job-input.js';
export { type Job, jobText, readJob } from './job.js';
export { Merge } from './merge.js';
export { OpenJob, openJob, type OpenJobOptions } from './open-job.js';
export type { QueueAddress } from './queue-connection.js';
export {
  nameInFiles,
  openAllowedInput,
  profileName,
  type QueueWorker,
  type QueueWorkerOptions,
  startQueueWorker,
} from './queue-worker.js';
export { type QueueProgress, type QueueRanking, rankInQueue, type RankInQueueOptions } from './rank-in-queue.js';
