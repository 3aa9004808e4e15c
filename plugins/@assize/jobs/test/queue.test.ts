import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../../../src/base/package-root.js';
import { assize } from '../../../../test/cli/run-here.js';
import { createJob, rankInQueue, startQueueWorker } from '@assize/jobs';
import { keysOf } from '../src/queue-connection.js';
import { Running } from './running-command.js';
import { blocksOf } from '../../../../test/reference/documents.js';
import { hasRedis, type RedisServer, startRedis } from '../../../../test/machine/redis.js';
import { isBuilt, newFolder } from '../../../../test/scale/threads/folder.js';

const folder = newFolder();

// A scorer that stops in workers after some parts while a file exists, so that workers can be killed in a part.
const SLOW = `import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { defineScorer, z } from 'assize/sdk';
const held = process.env.HELD;
let parts = 0;
export class Slow {
  static meta = defineScorer({ summary: 'Waits.', scope: 'candidate', params: z.strictObject({}) });
  async prepare(_, { candidates }) {
    if (held && ++parts > 3) while (existsSync(held)) await wait(10);
    const stars = candidates.map((row) => row.stars);
    return (_row, index) => stars[index];
  }
}
`;
const HELD = join(folder.path, 'held');
folder.write('slow.mjs', SLOW);
const profileText = (top: number): string => `plugins: [./slow.mjs]
tier1_scorers: [{ id: few, expr: candidate.stars < 3 }]
tier2_scorers:
  - { id: stars, class: Slow }
  - { id: logs, expr: 'ln(candidate.stars)', weight: 0.3 }
select: { top: ${top}, ties: [candidate.id] }
`;
folder.write('team.yaml', profileText(7));
// Without a plugin: for runs in this process, where the SDK would have to be compiled first.
folder.write('plain.yaml', 'tier2_scorers: [{ id: stars, expr: candidate.stars }]\nselect: { top: 3 }\n');
mkdirSync(join(folder.path, 'other'));
folder.write('other/team.yaml', profileText(6));
folder.write('other/slow.mjs', SLOW);

const ROWS = Array.from({ length: 300 }, (_, k) => JSON.stringify({ id: `r${k}`, stars: (k * 7919) % 101 }));
folder.write('rows.jsonl', ROWS.join('\n'));

describe.skipIf(!hasRedis || !isBuilt)('a queue, if a redis-server is installed', () => {
  let redis: RedisServer;
  let whole = '';
  let running: Running[] = [];
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Running => {
    const one = new Running(folder.path, args, { ...env, ASSIZE_QUEUE: redis.url });
    running.push(one);
    return one;
  };
  const rank = (file: string, profile = './team.yaml'): Running =>
    run(['jobs', 'rank', '-p', profile, file, '--shard-bytes', '500', '-f', 'jsonl', '--watch']);
  const rankAlone = async (file: string, profile = './team.yaml'): Promise<Running> => {
    const one = run(['rank', '-p', profile, file, '-f', 'jsonl']);
    await one.code();
    return one;
  };
  const worker = (...more: readonly string[]): Running => run(['jobs', 'worker', '--lock', '1', ...more]);
  /** Waits in its fourth part until it is released. */
  const slowWorker = (): Running => {
    folder.write('held', '');
    return run(['jobs', 'worker', '--lock', '1'], { HELD });
  };
  const letGo = (): void => rmSync(HELD);

  beforeAll(async () => {
    redis = await startRedis();
    whole = (await rankAlone('rows.jsonl')).out;
  });
  afterEach(() => {
    for (const one of running) one.kill('SIGKILL');
    running = [];
  });
  afterAll(() => redis.stop());

  test('ranks like one machine, with workers that end on request', async () => {
    const workers = [worker(), worker('--concurrency', '2')];
    const ranking = rank('rows.jsonl');
    expect(await ranking.code(), ranking.err).toBe(0);
    expect(ranking.out).toBe(whole);
    expect(whole.split('\n')).toHaveLength(8);
    await Promise.all(workers.map((one) => one.until(/listens/)));
    for (const one of workers) one.kill('SIGTERM');
    expect(await Promise.all(workers.map((one) => one.code()))).toEqual([0, 0]);
  });

  test('loses nothing and counts nothing twice if a worker is killed, or stopped past its lock', async () => {
    const [killed, stopped] = [slowWorker(), slowWorker()];
    await Promise.all([killed.until(/listens/), stopped.until(/listens/)]);
    const ranking = rank('rows.jsonl');
    await Promise.all([killed.until(/part \d+ of/), stopped.until(/part \d+ of/)]);
    killed.kill('SIGKILL');
    stopped.kill('SIGSTOP');
    const other = worker();
    await other.until(/listens/);
    const answered = new Set([...killed.err.matchAll(/part (\d+) of/g)].map(([, index]) => index));
    await other.until(/part \d+ of/); // another worker takes the remaining part when the locks expire
    stopped.kill('SIGCONT');
    letGo();
    expect(await ranking.code(), ranking.err).toBe(0);
    expect(ranking.out).toBe(whole);
    expect(answered.size).toBeGreaterThan(0);
  });

  test('continues after a coordinator is killed, and after Redis loses its data', async () => {
    const one = slowWorker();
    const first = rank('rows.jsonl');
    await first.until(/: [2-9] of/); // of three that its worker computes
    first.kill('SIGKILL');
    const second = rank('rows.jsonl');
    const third = rank('rows.jsonl'); // two at once
    await Promise.all([second.until(/of \d+ parts/), third.until(/of \d+ parts/)]);
    const [, job, done] = /job (\w+): (\d+) of/.exec(second.err) ?? [];
    expect(first.err).toContain(`job ${job}`);
    expect(second.err).toContain(`continuing job ${job} from an earlier call`);
    expect(Number(done)).toBeGreaterThan(1);
    await redis.restart();
    letGo();
    expect(await second.code(), second.err).toBe(0);
    expect(await third.code(), third.err).toBe(0);
    expect([second.out, third.out]).toEqual([whole, whole]);
    expect(third.err).toContain(`continuing job ${job}`);
    expect(one.err).toContain('the queue failed: ');
  });

  test('reports lines that cannot be read and candidates that fail, with their places; ranks the rest', async () => {
    worker();
    folder.write('poison.jsonl', ROWS.with(77, '{"id": "broken').join('\n'));
    folder.write('good.jsonl', ROWS.toSpliced(77, 1).join('\n'));
    folder.write(
      'failing.yaml',
      "tier2_scorers: [{ id: s, expr: '1 / (int(candidate.stars) - 7)', on_error: fail }]\nselect: { top: 2 }\n",
    );
    const poisoned = rank('poison.jsonl');
    expect(await poisoned.code()).toBe(1);
    expect(poisoned.err).toContain('\npoison.jsonl:78:8 error ASZ103 a string is opened with');
    expect(poisoned.out).toBe((await rankAlone('good.jsonl')).out);
    const failing = rank('rows.jsonl', './failing.yaml');
    expect(await failing.code()).toBe(1);
    expect(failing.err).toContain((await rankAlone('rows.jsonl', './failing.yaml')).err);
  });

  test('workers embed each text once, and one process compares them in order', async () => {
    folder.write(
      'novel.yaml',
      'tier2_scorers: [{ id: novelty, class: NoveltyScorer, on_absent: 1, params: { text: id, embedder: lexical } }]\nselect: { top: 5 }\n',
    );
    const alone = await rankAlone('rows.jsonl', './novel.yaml');
    for (const [workers, made] of [
      [2, 300],
      [1, 0],
    ] as const) {
      for (let k = 0; k < workers; k++) worker();
      const ranking = rank('rows.jsonl', './novel.yaml');
      expect(await ranking.code(), ranking.err).toBe(0);
      expect(ranking.out).toBe(alone.out);
      expect(ranking.err).toContain(`workers embedded ${made} and this process 0 of 300 texts`);
    }
  });

  test('reports a Redis that is full, needs a password, or does not exist, once', async () => {
    const job = await createJob('./plain.yaml', 'rows.jsonl', {}, { folder: folder.path });
    const here = { folder: folder.path };
    const full = await startRedis('--maxmemory', '1mb');
    const locked = await startRedis('--requirepass', 'x');
    const other = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const lines: string[] = [];
    const allowed = { profiles: folder.path, files: folder.path, log: (line: string) => void lines.push(line) };
    const listening = await startQueueWorker({ url: full.url }, allowed);
    await expect(rankInQueue({ url: full.url }, job, here)).rejects.toThrow('ASZ582 the queue refuses a command: OOM');
    await expect(rankInQueue({ url: locked.url }, job, here)).rejects.toThrow('it needs a password');
    const wrong = locked.url.replace('//', '//:y@');
    await expect(rankInQueue({ url: wrong }, job, here)).rejects.toThrow('check the user and the password');
    await expect(rankInQueue({ url: `${full.url}/99` }, job, here)).rejects.toThrow(
      /DB index is out of range\n.*HOST:PORT\/0/,
    );
    await expect(rankInQueue({ url: `${full.url}/x` }, job, here)).rejects.toThrow(
      'the address of the queue is not a Redis URL',
    );
    const { port } = other.address() as AddressInfo;
    await expect(rankInQueue({ url: `redis://127.0.0.1:${port}` }, job, here)).rejects.toThrow(
      /ASZ582 .* cannot be reached/,
    );
    expect(lines.length).toBeLessThan(10);
    await Promise.all([listening.close(), full.stop(), locked.stop()]);
    other.close();
  });

  test('ignores foreign entries in Redis', async () => {
    const address = { url: redis.url, name: 'foreign' };
    const job = await createJob('./plain.yaml', 'rows.jsonl', { now: 0 }, { folder: folder.path });
    const first = new AbortController();
    const waiting = rankInQueue(address, job, {
      folder: folder.path,
      signal: first.signal,
      progress: (step) => {
        expect(step).toMatchObject({ task: 'waiting for workers', unit: 'parts', done: 0, total: 1, job: job.id });
        first.abort();
      },
    });
    await expect(waiting).rejects.toThrow('aborted');
    const client = new Redis(redis.url);
    const keys = keysOf(address);
    await client.set(keys.job(job.id), '{"format":1,"id":"__proto__"}'); // the remaining job is the caller's own
    await client.hset(keys.parts(job.id), '0', '{"format":1}', 'x', 'garbage', '99', '[]');
    await expect(rankInQueue(address, job, { folder: folder.path })).rejects.toThrow(
      /ASZ582 part 0 in the queue is invalid: [^]*check whether another program writes to this Redis server/,
    );
    await client.del(keys.parts(job.id));
    await client.set(keys.parts(job.id), 'no hash');
    await expect(rankInQueue(address, job, { folder: folder.path })).rejects.toThrow(
      'ASZ582 the queue refuses a command: WRONGTYPE',
    );
    client.disconnect();
  });

  test('stops waiting on abort, with or without Redis', async () => {
    const job = await createJob('./plain.yaml', 'rows.jsonl', {}, { folder: folder.path });
    const stop = new AbortController();
    const waiting = rankInQueue({ url: redis.url, name: 'nobody' }, job, {
      folder: folder.path,
      signal: stop.signal,
      progress: () => stop.abort(new Error('enough')),
    });
    await expect(waiting).rejects.toThrow('enough');
    const later = new AbortController();
    const alone = rankInQueue({ url: redis.url, name: 'nobody' }, job, {
      folder: folder.path,
      signal: later.signal,
      progress: ({ trouble }) => (trouble === undefined ? void redis.stop() : later.abort(new Error('gone'))),
    });
    await expect(alone).rejects.toThrow('gone');
    await redis.restart();
  });

  test('runs the commands of the page', async () => {
    const page = readFileSync(join(packageRoot(), 'plugins', '@assize', 'jobs', 'README.md'), 'utf8');
    for (const { file, language, text } of blocksOf(page)) if (file && language === 'yaml') folder.write(file, text);
    const commands = blocksOf(page).find(({ language }) => language === 'console')?.text ?? '';
    const [listening, ranking] = commands
      .trim()
      .split('\n')
      .map((line) => {
        const words = line.replace('redis://127.0.0.1:6379', redis.url);
        return run(words.replace('many.jsonl', 'rows.jsonl').split(' ').slice(2));
      });
    expect(await ranking?.code(), ranking?.err).toBe(0);
    expect(ranking?.out).toContain('300 candidates, 2 selected');
    listening?.kill('SIGINT');
    expect(await listening?.code()).toBe(0);
  });

  test('rejects differing machines and files outside the folders, and reports it to the waiting caller', async () => {
    const wrong = worker('--profiles', './other');
    const ranking = rank('rows.jsonl');
    await ranking.until(/refused the job: [^]*the profile differs from the one where the job was created/);
    wrong.kill('SIGKILL'); // it would keep taking and returning parts
    worker();
    expect(await ranking.code(), ranking.err).toBe(0);
    expect(ranking.out).toBe(whole);
    const outside = rank('/etc/hostname');
    expect(await outside.code()).toBe(1);
    expect(outside.err).toContain('ASZ584 /etc/hostname is not in the working directory');
  });
});

test('reports mistakes in a command line, or in the address', async () => {
  const said = async (...args: readonly string[]): Promise<readonly [number, string]> => {
    const { code, err } = await assize(['jobs', ...args]);
    return [code, err];
  };
  const [team, rows] = [join(folder.path, 'team.yaml'), join(folder.path, 'rows.jsonl')];
  const rank = ['rank', '-p', team, rows, '--profiles', folder.path, '--files', folder.path];
  expect(await said('worker', '--queue', 'redis://127.0.0.1:1')).toEqual([
    1,
    expect.stringContaining('error ASZ582 the queue at redis://127.0.0.1:1 cannot be reached: connect ECONNREFUSED'),
  ]);
  expect(await said(...rank, '--queue', 'http://me:secret@x')).toEqual([
    1,
    'error ASZ582 the address of the queue is not a Redis URL\n  write an address such as redis://127.0.0.1:6379\n',
  ]);
  expect(await said(...rank)).toEqual([2, expect.stringContaining('--queue is missing')]);
  expect(await said('worker', '--qeue', 'x')).toEqual([
    2,
    expect.stringMatching(/did you mean --queue\?[^]*assize jobs worker --help/),
  ]);
  expect(await said('wroker')).toEqual([2, expect.stringContaining('did you mean worker?')]);
});
