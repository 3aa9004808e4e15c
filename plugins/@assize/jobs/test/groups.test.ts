import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { assize } from '../../../../test/cli/run-here.js';
import { hasRedis, type RedisServer, startRedis } from '../../../../test/machine/redis.js';
import { isBuilt, newFolder } from '../../../../test/scale/threads/folder.js';
import type { JobStatus } from '../src/queue-jobs.js';
import { Running } from './running-command.js';

const folder = newFolder();
const HELD = join(folder.path, 'held');

// A scorer that stops in workers after some groups while a file exists, so that workers can be killed in a part.
folder.write(
  'slow.mjs',
  `import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { defineScorer, z } from 'assize/sdk';
let groups = 0;
export class Slow {
  static meta = defineScorer({ summary: 'Waits.', scope: 'candidate', params: z.strictObject({}) });
  async prepare(_, { candidates }) {
    if (process.env.HELD && ++groups > 30) while (existsSync(process.env.HELD)) await wait(10);
    const stars = candidates.map((row) => row.stars);
    return (_row, index) => stars[index];
  }
}
`,
);
folder.write(
  'team.yaml',
  `plugins: [./slow.mjs]
tier1_scorers: [{ id: few, expr: candidate.stars < 5 }]
tier2_scorers:
  - { id: stars, class: Slow }
  - { id: near, expr: 'candidate.stars == context.wanted ? 1.0 : 0.0', on_absent: 0.0 }
`,
);
folder.write('plain.yaml', 'tier2_scorers: [{ id: stars, expr: candidate.stars }]\n');
folder.write(
  'memory.yaml',
  "tier2_scorers: [{ id: novelty, class: NoveltyScorer, params: { vector: 'v' }, memory: ./seen.bin, on_absent: 1 }]\n",
);

/** Groups of 1 to 7 rows, and one of more rows than a part has. */
const GROUPS = Array.from({ length: 60 }, (_, g) =>
  Array.from({ length: g === 20 ? 40 : 1 + ((g * 5) % 7) }, (__, k) => {
    return { id: `r${g}-${k}`, group: g % 9 === 0 ? g : `g${g}`, stars: (k * 7919 + g * 31) % 101 };
  }),
);
const linesOf = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const ROWS = GROUPS.flat();
folder.write('rows.jsonl', linesOf(ROWS));
folder.write('queries.jsonl', linesOf(GROUPS.map(([row], g) => ({ id: row?.group, wanted: (g * 31) % 101 }))));

describe.skipIf(!hasRedis || !isBuilt)('groups in a queue, if a redis-server is installed', () => {
  let redis: RedisServer;
  let running: Running[] = [];
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Running => {
    const one = new Running(folder.path, args, { ...env, ASSIZE_QUEUE: redis.url });
    running.push(one);
    return one;
  };
  const GROUPED = ['--partition-by', 'group', '--top', '3'];
  const rank = (file: string, ...more: readonly string[]): Running =>
    run(['jobs', 'rank', '-p', './team.yaml', file, '--shard-bytes', '500', '--watch', ...GROUPED, ...more]);
  const alone = async (file: string, ...more: readonly string[]): Promise<Running> => {
    const one = run(['rank', '-p', './team.yaml', file, ...GROUPED, ...more]);
    await one.code();
    return one;
  };
  const worker = (env: NodeJS.ProcessEnv = {}): Running => run(['jobs', 'worker', '--lock', '1'], env);
  const slowWorker = (): Running => {
    folder.write('held', '');
    return worker({ HELD });
  };
  const digest = (file: string): string =>
    createHash('sha256')
      .update(readFileSync(join(folder.path, file)))
      .digest('hex');
  /** The problems of a command, without the progress of `--watch`. */
  const problemsOf = ({ err }: Running): string => err.replace(/^job \w+: .*\n/gm, '');

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(() => {
    for (const one of running) one.kill('SIGKILL');
    running = [];
    rmSync(HELD, { force: true });
  });
  afterAll(() => redis.stop());

  test.each([
    ['table', '.parquet', []],
    ['table of all rows', '.csv', ['--all']],
    ['table with a context for each group', '.jsonl', ['--queries', 'queries.jsonl', '--context-from', 'first=stars']],
  ])('write the %s of one process', async (_, extension, more) => {
    worker();
    worker();
    const own = await alone('rows.jsonl', '-o', `own${extension}`, ...more);
    const ranking = rank('rows.jsonl', '-o', `shared${extension}`, ...more);
    expect(await ranking.code(), ranking.err).toBe(0);
    expect(ranking.err).toMatch(/: (\d\d) of \1 parts/);
    expect(digest(`shared${extension}`)).toBe(digest(`own${extension}`));
    expect(ranking.out).toBe(own.out.replace('own', 'shared'));
    const manifest = (name: string): object => {
      const {
        now: _now,
        table: _table,
        ...facts
      } = JSON.parse(readFileSync(join(folder.path, `${name}${extension}.manifest.json`), 'utf8')) as Record<
        string,
        unknown
      >;
      return facts;
    };
    expect(manifest('shared')).toEqual(manifest('own'));
  });

  test('write the texts of one process', async () => {
    worker();
    for (const format of ['table', 'jsonl']) {
      const ranking = rank('rows.jsonl', '--format', format);
      expect(await ranking.code(), ranking.err).toBe(0);
      expect(ranking.out).toBe((await alone('rows.jsonl', '--format', format)).out);
      expect(ranking.out.length).toBeGreaterThan(1000);
    }
  });

  test('are the same if a worker is killed in a part and Redis loses its data', async () => {
    await alone('rows.jsonl', '-o', 'calm.parquet');
    const [killed, other] = [slowWorker(), slowWorker()];
    const ranking = rank('rows.jsonl', '-o', 'rough.parquet');
    await Promise.all([killed.until(/part \d+ of/), other.until(/part \d+ of/)]);
    await ranking.until(/: [1-9]\d* of/);
    killed.kill('SIGKILL');
    await redis.restart();
    rmSync(HELD);
    expect(await ranking.code(), ranking.err).toBe(0);
    expect(other.err).toContain('the queue failed');
    expect(digest('rough.parquet')).toBe(digest('calm.parquet'));
  });

  test.each([
    ['a group that returns in another part', [...ROWS, { id: 'late', group: 'g2', stars: 9 }], 'ASZ536'],
    ['a row without a usable group', ROWS.with(99, { id: 'list', group: ['a'], stars: 9 } as never), 'ASZ502'],
    ['a group that no row has', ROWS.map(({ id, stars }) => ({ id, stars })), 'ASZ541'],
  ])('fail like one process: %s', async (_, rows, code) => {
    worker();
    folder.write('bad.jsonl', linesOf(rows));
    const own = await alone('bad.jsonl', '--format', 'jsonl');
    const ranking = rank('bad.jsonl', '--format', 'jsonl');
    expect(await ranking.code()).toBe(1);
    expect(ranking.out).toBe(own.out);
    expect(problemsOf(ranking)).toBe(own.err);
    expect(own.err).toContain(code);
  });

  test('fail like one process: lines that cannot be read', async () => {
    worker();
    const lines = linesOf(ROWS).split('\n');
    folder.write('broken.jsonl', lines.with(77, '{"id": "broken').join('\n'));
    const own = await alone('broken.jsonl', '--format', 'jsonl');
    const ranking = rank('broken.jsonl', '--format', 'jsonl');
    expect(await ranking.code()).toBe(1);
    expect(ranking.out).toBe(own.out);
    expect(problemsOf(ranking)).toBe(own.err);
    expect(own.err).toContain('broken.jsonl:78:8 error ASZ103');
  });

  test('are paused, resumed and cancelled, and continue with the finished parts', async () => {
    const jobs = async (...args: readonly string[]): Promise<string> => {
      const { code, out, err } = await assize(['jobs', ...args], { env: { ASSIZE_QUEUE: redis.url } });
      expect(code, err).toBe(0);
      return out;
    };
    const status = async (id: string): Promise<JobStatus | undefined> =>
      (JSON.parse(await jobs('status', id, '--format', 'json')) as readonly JobStatus[])[0];
    const own = await alone('rows.jsonl', '-o', 'uncontrolled.csv');
    expect(own.process.exitCode).toBe(0);
    const held = slowWorker();
    const ranking = rank('rows.jsonl', '-o', 'controlled.csv');
    await held.until(/part \d+ of/);
    await ranking.until(/: [1-9]\d* of/);
    const [, id = ''] = /job (\w+):/.exec(ranking.err) ?? [];
    await jobs('pause', id);
    expect(await status(id)).toMatchObject({ state: 'paused', input: 'rows.jsonl', waiting: true });
    await ranking.until(/is paused/);
    await jobs('resume', id);
    expect((await status(id))?.state).toBe('running');
    await jobs('cancel', id);
    expect(await ranking.code()).toBe(1);
    expect(ranking.err).toContain('ASZ589');
    rmSync(HELD);
    const again = rank('rows.jsonl', '-o', 'controlled.csv');
    expect(await again.code(), again.err).toBe(0);
    expect(again.err).toContain(`continuing job ${id} from an earlier call`);
    expect(digest('controlled.csv')).toBe(digest('uncontrolled.csv'));
    expect((await status(id))?.state).toBe('finished');
  });

  test('write a table without groups', async () => {
    worker();
    const args = ['-p', './team.yaml', 'rows.jsonl', '--top', '5'];
    expect(await run(['rank', ...args, '-o', 'own5.csv']).code()).toBe(0);
    expect(await run(['jobs', 'rank', ...args, '-o', 'shared5.csv']).code()).toBe(0);
    expect(digest('shared5.csv')).toBe(digest('own5.csv'));
  });
});

describe('groups that a queue cannot rank', () => {
  const refusal = async (...args: readonly string[]): Promise<string> => {
    const at = ['--profiles', folder.path, '--files', folder.path, '-q', 'redis://127.0.0.1:1'];
    const { code, out, err } = await assize(['jobs', 'rank', ...at, ...args]);
    expect(code).toBeGreaterThan(0);
    expect(out).toBe('');
    return err;
  };
  const inFolder = (name: string): string => join(folder.path, name);

  test.each([
    ['rows.csv', ['--partition-by', 'group'], 'rows.csv is CSV, and a job needs JSON Lines'],
    ['rows.jsonl', ['--partition-by', 'group', '--sort'], 'sort the file first, or use assize rank --sort'],
    ['rows.jsonl', ['--all', '-o', 'x.csv'], 'use assize rank --output FILE --all in one process'],
  ])('%s %j', async (file, options, message) => {
    folder.write('rows.csv', 'id,group,stars\na,b,1\n');
    expect(await refusal('-p', inFolder('plain.yaml'), inFolder(file), ...options)).toContain(message);
  });

  test('because an entry has a memory', async () => {
    const said = await refusal('-p', inFolder('memory.yaml'), inFolder('rows.jsonl'), '--partition-by', 'group');
    expect(said).toContain('ASZ518 profile memory cannot rank groups on several machines: an entry has a memory');
    expect(said).toContain('--partition-by group');
  });
});
