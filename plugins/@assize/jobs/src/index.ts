/**
 * Rankings that several machines share: jobs, their parts and merges, and a queue of parts.
 *
 * @module
 */

export { createJob, type JobInput, type JobOptions } from './create-job.js';
export { type Job, jobText, readJob } from './job.js';
export { type ByteInput, fileInput, httpInput, type HttpInputOptions } from './job-input.js';
export type { Merge, PartCollection } from './merge.js';
export { OpenJob, openJob, type OpenJobOptions, type OpenParts, type PartAttempt } from './open-job.js';
export { type QueueWorker, type QueueWorkerOptions, startQueueWorker } from './queue-worker.js';
export type { QueueAddress } from './queue-connection.js';
export { type QueueProgress, type QueueRanking, rankInQueue, type RankInQueueOptions } from './rank-in-queue.js';
