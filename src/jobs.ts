/**
 * Rankings that several machines share: jobs, their parts and merges, and a queue of parts.
 *
 * @module
 */

export {
  createJob,
  type JobInput,
  type JobOptions,
  type Job,
  jobText,
  readJob,
  type ByteInput,
  fileInput,
  httpInput,
  type HttpInputOptions,
  type Merge,
  OpenJob,
  openJob,
  type OpenJobOptions,
  type QueueWorker,
  type QueueWorkerOptions,
  startQueueWorker,
  type QueueAddress,
  type QueueProgress,
  type QueueRanking,
  rankInQueue,
  type RankInQueueOptions,
} from './jobs/index.js';
