import { expect, test } from 'vitest';
import { OpenJobs } from '../src/queue-worker.js';
import { createJob, openJob } from '@assize/jobs';

test('reopens a job that Redis has lost when it is given again', async () => {
  const job = await openJob(await createJob({ select: { top: 1 } }, { parts: 1 }));
  const found = [undefined, job];
  const jobs = new OpenJobs(() => Promise.resolve(found.shift()));
  expect(await jobs.open('1')).toBeUndefined();
  expect(await jobs.open('1')).toBe(job);
  expect(await jobs.open('1')).toBe(job); // it is kept
  expect(found).toEqual([]);
});
