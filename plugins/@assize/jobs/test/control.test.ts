import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assize } from '../../../../test/cli/run-here.js';
import { eventually } from '../../../../test/eventually.js';
import { hasRedis, type RedisServer, startRedis } from '../../../../test/machine/redis.js';
import { isBuilt, newFolder } from '../../../../test/scale/threads/folder.js';
import type { JobStatus } from '../src/queue-jobs.js';
import { Running } from './running-command.js';

const folder = newFolder();
const HELD = join(folder.path, 'held');
const BROKEN = join(folder.path, 'broken');

// Waits in a worker's fourth part while one file exists. Fails for one candidate while another file exists.
folder.write(
  'units.mjs',
  `import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { defineScorer, z } from 'assize/sdk';
const params = z.strictObject({});
let parts = 0;
export class Slow {
  static meta = defineScorer({ summary: 'Waits.', scope: 'candidate', params });
  async prepare(_, { candidates }) {
    if (process.env.HELD && ++parts > 3) while (existsSync(process.env.HELD)) await wait(10);
    const stars = candidates.map((row) => row.stars);
    return (_row, index) => stars[index];
  }
}
export class Broken {
  static meta = defineScorer({ summary: 'Fails.', scope: 'candidate', params });
  compile() {
    return (candidate) => {
      if (candidate.id === 'r77' && existsSync(process.env.BROKEN)) throw new Error('the server is down');
      return candidate.stars;
    };
  }
}
`,
);
const profile = (unit: string): string => `plugins: [./units.mjs]
tier2_scorers: [{ id: stars, class: ${unit}, on_error: fail }]
select: { top: 7, ties: [candidate.id] }
`;
folder.write('slow.yaml', profile('Slow'));
folder.write('broken.yaml', profile('Broken'));
mkdirSync(join(folder.path, 'empty'));
const rows = (count: number): string =>
  Array.from({ length: count }, (_, k) => JSON.stringify({ id: `r${k}`, stars: (k * 7919) % 101 })).join('\n');
folder.write('rows.jsonl', rows(300));
folder.write('others.jsonl', rows(200));

describe.skipIf(!hasRedis || !isBuilt)('the jobs of a queue, if a redis-server is installed', () => {
  let redis: RedisServer;
  let running: Running[] = [];
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Running => {
    const one = new Running(folder.path, args, { BROKEN, ...env, ASSIZE_QUEUE: redis.url });
    running.push(one);
    return one;
  };
  const rank = (file = 'rows.jsonl', unit = 'slow'): Running =>
    run(['jobs', 'rank', '-p', `./${unit}.yaml`, file, '--shard-bytes', '500', '-f', 'jsonl', '--watch']);
  const alone = async (file = 'rows.jsonl', unit = 'slow'): Promise<string> => {
    const one = run(['rank', '-p', `./${unit}.yaml`, file, '-f', 'jsonl']);
    expect(await one.code(), one.err).toBe(0);
    return one.out;
  };
  const worker = (env: NodeJS.ProcessEnv = {}): Running => run(['jobs', 'worker', '--lock', '1'], env);
  /** Runs a command in this process. */
  const jobs = (...args: readonly string[]) => assize(['jobs', ...args], { env: { ASSIZE_QUEUE: redis.url } });
  const done = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await jobs(...args);
    expect(code, err).toBe(0);
    return out;
  };
  const status = async (id: string): Promise<JobStatus> =>
    (JSON.parse(await done('status', id, '--format', 'json')) as readonly [JobStatus])[0];
  const idOf = (ranking: Running): string => /job (\w+):/.exec(ranking.err)?.[1] ?? '';
  /** The parts that a worker has computed for a job. */
  const computed = ({ err }: Running, id: string): number =>
    err.match(new RegExp(`^part \\d+ of job ${id}$`, 'gm'))?.length ?? 0;

  /** Starts a job whose only worker waits in its fourth part. */
  const heldJob = async () => {
    folder.write('held', '');
    const holding = worker({ HELD });
    const ranking = rank();
    await holding.until(/part \d+ of/, 3);
    await ranking.until(/: 3 of/);
    return { holding, ranking, id: idOf(ranking) };
  };

  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    for (const one of running) one.kill('SIGKILL');
    running = [];
    for (const file of [HELD, BROKEN]) rmSync(file, { force: true });
    await redis.stop();
  });

  test('are paused after the part that a worker computes, also if Redis loses its data, and are resumed', async () => {
    const { holding, ranking, id } = await heldJob();
    const before = await status(id.slice(0, 8));
    expect(before).toMatchObject({
      id,
      state: 'running',
      parts: { finished: 3, active: 1 },
      workers: 1,
      waiting: true,
    });
    const text = await done('status', id);
    expect(text).toMatch(
      /3 of 15 parts are finished \(20 %\), workers compute 1\n {2}[\d.]+ parts per minute, about \d/,
    );
    expect(before).toHaveProperty('seconds_left');
    expect(await done('pause', id)).toContain(`job ${id} is paused`);
    await ranking.until(/is paused: continue it with assize jobs resume/);
    rmSync(HELD);
    await ranking.until(/: 4 of/);
    const other = rank('others.jsonl'); // proves that the worker takes parts
    expect(await other.code(), other.err).toBe(0);
    expect(computed(holding, id)).toBe(4);
    await redis.restart();
    await eventually(async () => {
      const after = await status(id);
      expect(after).toMatchObject({ state: 'paused', parts: { finished: 4, active: 0 }, waiting: true });
      expect(after).not.toHaveProperty('seconds_left');
    });
    expect(await done('resume', id)).toContain(`job ${id} is running (4 of`);
    expect(await ranking.code(), ranking.err).toBe(0);
    expect(ranking.out).toBe(await alone());
    expect((await status(id)).state).toBe('finished');
    expect((await jobs('pause', id)).err).toContain(
      `ASZ588 job ${id} is finished: you can only pause a job that is running`,
    );
  });

  test('keep their finished parts if they are cancelled and their worker is killed; the same command continues', async () => {
    const { holding, ranking, id } = await heldJob();
    expect(await done('cancel', id)).toContain('is cancelled; finished parts are kept (3 of');
    expect(await ranking.code()).toBe(1);
    expect(ranking.err).toMatch(
      /error ASZ589 job \w+ was cancelled: 3 of \d+ parts are finished\n {2}run the same command/,
    );
    expect(ranking.out).toBe('');
    holding.kill('SIGKILL');
    expect(await status(id)).toMatchObject({ state: 'cancelled', parts: { finished: 3 }, waiting: false });
    expect((await jobs('resume', id)).err).toMatch(/ASZ588 .* is cancelled[^]*run its assize jobs rank command again/);
    const [other, again] = [worker(), rank()];
    expect(await again.code(), again.err).toBe(0);
    expect(again.err).toContain(`continuing job ${id}`);
    expect(again.out).toBe(await alone());
    expect(computed(other, id)).toBe((await status(id)).parts.total - 3);
  });

  test('start from scratch if their parts were discarded', async () => {
    const { holding, ranking, id } = await heldJob();
    holding.kill('SIGKILL');
    expect(await done('cancel', id, '--discard')).toContain('its parts are deleted (0 of');
    expect(await ranking.code()).toBe(1);
    expect(await done('list')).not.toContain(id.slice(0, 12));
    rmSync(HELD);
    const [other, again] = [worker(), rank()];
    expect(await again.code(), again.err).toBe(0);
    expect(again.err).not.toContain('continuing');
    const next = idOf(again);
    expect(computed(other, next)).toBe((await status(next)).parts.total);
  });

  test('name the candidate that fails, and repeat only its part when the same command runs again', async () => {
    folder.write('broken', '');
    const one = worker();
    const failing = rank('rows.jsonl', 'broken');
    await failing.until(/: \d+ of/);
    const id = idOf(failing);
    expect(await failing.code()).toBe(1);
    expect(failing.err).toMatch(/ASZ501 .*r77.*the server is down/);
    const [failed, ...others] = (await status(id)).failed;
    expect(others).toEqual([]);
    expect(failed).toMatchObject({
      retried: false,
      message: expect.stringMatching(/r77.*the server is down[^]*in part \d+/),
    });
    expect(await done('status', id)).toMatch(
      /: failed\n[^]*run its assize jobs rank command again\n[^]* part \d+ failed; .*r77/,
    );
    const { total } = (await status(id)).parts;
    expect(computed(one, id)).toBe(total); // the failed one included
    rmSync(BROKEN);
    const again = rank('rows.jsonl', 'broken');
    expect(await again.code(), again.err).toBe(0);
    expect(computed(one, id)).toBe(total + 1);
    expect(again.out).toBe(await alone('rows.jsonl', 'broken'));
    expect((await status(id)).failed).toEqual([]);
  });

  test('are listed, and mistakes are explained', async () => {
    for (const ranking of [rank(), rank('others.jsonl')]) {
      // oxlint-disable-next-line no-await-in-loop -- in this order
      await ranking.until(/: 0 of/);
    }
    const list = JSON.parse(await done('list', '--format', 'json')) as readonly JobStatus[];
    expect(list.map(({ state, workers }) => [state, workers])).toEqual([
      ['running', 0],
      ['running', 0],
    ]);
    const table = await done('list');
    for (const { id } of list) expect(table).toContain(id.slice(0, 12));
    expect(await done('status')).toMatch(/0 of 15 parts are finished[^]*start one with assize jobs worker\n/);
    expect(await done('status', '--name', 'other')).toContain('has no job that is running or paused');
    expect(await done('list', '--name', 'other')).toMatch(/^the queue other at redis:\S+ has no jobs; add one with/);
    expect(await done('status', '--name', 'other', '--format', 'json')).toBe('[]\n');
    const mistakes: readonly (readonly [readonly string[], RegExp])[] = [
      [['pause', 'xyz'], /ASZ588 job xyz is not in the queue assize at redis:\S+\n {2}the queue has \w+/],
      [['cancel', 'xyz', '--name', 'other'], /ASZ588 .*\n {2}the queue has no jobs: check --queue and --name/],
      [['resume', ''], /ASZ588 .* matches \d+ jobs of [^]*write more characters: \w+/],
      [
        ['status', '--queue', 'redis://127.0.0.1:1'],
        /ASZ582 .* cannot be reached: [^]*check that a Redis server is running/,
      ],
    ];
    for (const [args, message] of mistakes) {
      // oxlint-disable-next-line no-await-in-loop -- one Redis
      const { code, err } = await jobs(...args);
      expect([code, err]).toEqual([1, expect.stringMatching(message)]);
    }
  });
});
