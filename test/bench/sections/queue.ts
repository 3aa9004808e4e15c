import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rankFile } from 'assize';
import { createJob, openJob, rankInQueue } from '@assize/jobs';
import { type RedisServer, startRedis } from '../../machine/redis.js';
import { QUEUE } from '../bounds.js';
import { measure } from '../measure.js';
import type { Section } from '../section.js';
import { MAIN } from './start.js';

const CANDIDATES = 200;
const PER_SHARD = 10;
const SHARDS = 100;

/**
 * A scorer that blocks its thread for 5 ms regardless of the load of the cores, like one that calls another machine.
 */
const PLUGIN = `import { scorer } from 'assize/sdk';
const clock = new Int32Array(new SharedArrayBuffer(4));
export const Dear = scorer((row) => (Atomics.wait(clock, 0, 0, 5), row.stars));
`;

const line = (k: number): string =>
  `${JSON.stringify({ id: `item-${String(k).padStart(6, '0')}`, stars: (k * 7919) % 997 })}\n`;
const lines = (count: number): string => Array.from({ length: count }, (_, k) => line(k)).join('');
const LINE_BYTES = 36;

const profileOf = (scorer: string): string =>
  `plugins: [./dear.mjs]\ntier2_scorers: [{ id: stars, ${scorer} }]\nselect: { top: 10 }\n`;

/** Starts workers, and waits until they listen. */
async function startWorkers(count: number, folder: string, redis: RedisServer, name: string): Promise<() => void> {
  const workers = Array.from({ length: count }, () =>
    spawn(process.execPath, [MAIN, 'jobs', 'worker', '--queue', redis.url, '--name', name], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
  await Promise.all(
    workers.map(
      ({ stderr }) =>
        new Promise<void>((resolve) => void stderr.on('data', (part) => String(part).includes('listens') && resolve())),
    ),
  );
  return () => workers.forEach((worker) => worker.kill('SIGKILL'));
}

export const queue: Section = {
  name: 'queue',
  title: 'A file of candidates by the workers of a queue',
  about: `Processes that rank the parts of a job, and one that merges them, with a Redis on the same machine and a scorer that
blocks its thread for 5 ms. Then parts of a few lines: the cost of a part alone, and through the queue.`,
  packages: ['bullmq', 'ioredis'],
  async *run(effort) {
    const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
    const redis = await startRedis();
    const stops: (() => void)[] = [];
    try {
      const [count, shards] = [effort.of(CANDIDATES), effort.of(SHARDS)];
      writeFileSync(join(folder, 'dear.mjs'), PLUGIN);
      writeFileSync(join(folder, 'dear.yaml'), profileOf('class: Dear'));
      writeFileSync(join(folder, 'cheap.yaml'), profileOf('expr: candidate.stars'));
      writeFileSync(join(folder, 'dear.jsonl'), lines(count));
      writeFileSync(join(folder, 'cheap.jsonl'), lines(shards * 2));
      stops.push(await startWorkers(1, folder, redis, 'one'));
      stops.push(await startWorkers(2, folder, redis, 'two'));
      const rank = async (name: string, file: string, shardLines: number): Promise<string> => {
        const job = await createJob(
          `./${file}.yaml`,
          `${file}.jsonl`,
          {},
          { folder, shardBytes: shardLines * LINE_BYTES },
        );
        const { ranking } = await rankInQueue({ url: redis.url, name }, job, { folder });
        return JSON.stringify(ranking.selected);
      };
      const alone = await rankFile('./dear.yaml', join(folder, 'dear.jsonl'), {}, { folder, workers: 1 });
      for (const name of ['one', 'two']) {
        // oxlint-disable-next-line no-await-in-loop -- one after another
        if ((await rank(name, 'dear', PER_SHARD)) !== JSON.stringify(alone.selected))
          throw new Error(`${name}: another ranking`);
      }
      const few = { ...effort, rounds: Math.min(effort.rounds, 3), millis: 0 };
      const subjects = [
        { name: 'one worker', per: count, pass: () => rank('one', 'dear', PER_SHARD) },
        { name: 'two workers', per: count, pass: () => rank('two', 'dear', PER_SHARD) },
      ];
      const times = await measure(subjects, few);
      const work = `${count} candidates, a scorer of 5 ms`;
      yield times.result(work, 'two workers', 'candidate');
      yield { ...times.result(work, 'one worker', 'candidate', 'two workers'), goal: { atLeast: 1.8, bound: QUEUE } };

      const job = await createJob('./cheap.yaml', 'cheap.jsonl', {}, { folder, shardBytes: 2 * LINE_BYTES });
      const opened = await openJob(job, { folder });
      const inProcess = async (): Promise<unknown> => {
        const merge = opened.merge();
        // oxlint-disable-next-line no-await-in-loop -- one after another is what is measured
        for (let index = 0; index < opened.parts; index++) merge.take(index, await opened.partial(index));
        return merge.end();
      };
      const cheap = [
        { name: 'alone', per: opened.parts, pass: inProcess },
        { name: 'by one worker', per: opened.parts, pass: () => rank('one', 'cheap', 2) },
      ];
      const overhead = await measure(cheap, few);
      yield overhead.result(`${opened.parts} parts of two lines`, 'alone', 'part');
      yield overhead.result(`${opened.parts} parts of two lines`, 'by one worker', 'part', 'alone');
    } finally {
      for (const stop of stops) stop();
      await redis.stop();
      rmSync(folder, { recursive: true });
    }
  },
};
