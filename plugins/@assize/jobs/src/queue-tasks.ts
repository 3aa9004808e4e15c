import { type Job, jobText, partsOf } from './job.js';
import type { QueueConnection } from './queue-connection.js';

/** The number of attempts before a part has failed. */
const ATTEMPTS = 3;
const FIRST_RETRY_MS = 500;
/** The number of tasks per command. */
const BATCH = 500;

const taskId = (job: Job, index: number): string => `${job.id}-${index}`;

/** Adds the tasks of parts. Tasks that are in the queue already stay as they are. */
export async function addTasks(
  { redis, keys, queue }: QueueConnection,
  job: Job,
  parts: readonly number[],
): Promise<void> {
  await redis.set(keys.job(job.id), jobText(job));
  const how = {
    attempts: ATTEMPTS,
    backoff: { type: 'exponential', delay: FIRST_RETRY_MS },
    removeOnComplete: true,
    removeOnFail: true,
  };
  for (let from = 0; from < parts.length; from += BATCH) {
    const tasks = parts.slice(from, from + BATCH).map((index) => {
      return { name: 'part', data: { job: job.id, index }, opts: { ...how, jobId: taskId(job, index) } };
    });
    // oxlint-disable-next-line no-await-in-loop -- some at a time
    await queue.addBulk(tasks);
  }
}

/** Removes the tasks of parts, except those that a worker is computing. */
export async function removeTasks({ queue }: QueueConnection, job: Job, parts: readonly number[]): Promise<void> {
  for (let from = 0; from < parts.length; from += BATCH) {
    // oxlint-disable-next-line no-await-in-loop -- some at a time
    await Promise.all(parts.slice(from, from + BATCH).map((index) => queue.remove(taskId(job, index))));
  }
}

/** Whether a queue has no tasks. If parts are missing, Redis has then lost its data, and their tasks must be added again. */
export async function hasNoTasks(queue: QueueConnection['queue']): Promise<boolean> {
  const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized');
  return Object.values(counts).every((count) => count === 0);
}

/** The parts of a job that Redis does not have. */
export async function unfinishedParts({ redis, keys }: QueueConnection, job: Job): Promise<readonly number[]> {
  const here = new Set((await redis.hkeys(keys.parts(job.id))).map(Number));
  return Array.from({ length: partsOf(job) }, (_, index) => index).filter((index) => !here.has(index));
}
