import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { rankFile } from 'assize';
import { createJob, type QueueWorker, rankInQueue, startQueueWorker } from '@assize/jobs';
import { untilAccepted } from '../src/queue-worker.js';
import { NEVER } from '../../../../src/engine/tasks.js';
import { gate } from '../../../../test/engine/units.js';
import { hasRedis, type RedisServer, startRedis } from '../../../../test/machine/redis.js';
import { PATIENCE_MS } from '../../../../test/patience.js';
import { newFolder } from '../../../../test/scale/threads/folder.js';

const folder = newFolder();
const PROFILE = { tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }], select: { top: 3 } };
folder.write('plain.json', JSON.stringify(PROFILE));
const ROWS = Array.from({ length: 300 }, (_, k) => JSON.stringify({ id: `r${k}`, stars: (k * 7919) % 101 }));
const rows = folder.write('rows.jsonl', ROWS.join('\n'));
const here = { folder: folder.path };

/** The round trips after which a worker that does not pause would have called again. */
const ROUND_TRIPS = 500;

describe.skipIf(!hasRedis)('a full Redis, if a redis-server is installed', { timeout: PATIENCE_MS }, () => {
  let redis: RedisServer;
  let client: Redis;
  const fill = (): Promise<unknown> => client.config('SET', 'maxmemory', '1');
  const makeRoom = (): Promise<unknown> => client.config('SET', 'maxmemory', '0');
  const refusedCommands = async (): Promise<number> =>
    Number(/errorstat_OOM:count=(\d+)/.exec(await client.info('errorstats'))?.[1] ?? 0);

  beforeAll(async () => {
    redis = await startRedis();
    client = new Redis(redis.url);
  });
  afterEach(() => void vi.useRealTimers());
  afterAll(async () => {
    client.disconnect();
    await redis.stop();
  });

  test('pauses its workers, which continue when there is space', async () => {
    const job = await createJob('./plain.json', 'rows.jsonl', { now: 0 }, { ...here, shardBytes: 1000 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); // only the worker that has to wait stops
    const added = gate();
    const state = { isOver: false };
    const ranking = rankInQueue({ url: redis.url }, job, { ...here, progress: () => added.open() });
    void ranking.catch(() => {}).then(() => (state.isOver = true));
    await Promise.race([added.opened, ranking]);
    await fill();
    const lines: string[] = [];
    let worker: Promise<QueueWorker> | undefined;
    const refused = new Promise<void>((resolve) => {
      const log = (line: string): void => {
        lines.push(line.replace(/^[^ ]+ listens/, 'listens'));
        if (line.startsWith('the queue failed: ')) resolve();
      };
      worker = startQueueWorker({ url: redis.url }, { profiles: folder.path, files: folder.path, log });
    });
    await refused;
    for (let k = 0; k < ROUND_TRIPS; k++) await client.ping(); // oxlint-disable-line no-await-in-loop -- one after another
    expect(await refusedCommands()).toBeLessThan(5);
    await makeRoom();
    while (!state.isOver) await vi.advanceTimersByTimeAsync(100); // oxlint-disable-line no-await-in-loop -- until it is ranked
    const alone = await rankFile(PROFILE, rows, { now: 0 });
    expect((await ranking).ranking.selected).toEqual(alone.selected);
    expect(lines.filter((line) => !line.startsWith('part'))).toEqual(
      expect.arrayContaining([
        "the queue failed: OOM command not allowed when used memory > 'maxmemory'",
        'the queue works again',
      ]),
    );
    await (await worker)?.close();
  });

  test('receives the results of a worker as soon as it accepts them', async () => {
    await fill();
    const refusals: string[] = [];
    await untilAccepted(
      () => client.hset('parts', '0', 'computed'),
      NEVER,
      ({ message }) => {
        refusals.push(message);
        if (refusals.length === 2) void makeRoom();
      },
    );
    expect(await client.hget('parts', '0')).toBe('computed');
    expect(refusals.slice(0, 2)).toEqual([expect.stringMatching(/^OOM/), expect.stringMatching(/^OOM/)]);
  });

  test('is not called again after the worker closes; a value that can never be accepted is an error', async () => {
    await fill();
    const closing = new AbortController();
    const stored = untilAccepted(
      () => client.hset('parts', '0', 'late'),
      closing.signal,
      () => closing.abort(),
    );
    await expect(stored).rejects.toThrow('OOM');
    await makeRoom();
    await client.set('text', 'no hash');
    await expect(
      untilAccepted(
        () => client.hset('text', '0', 'x'),
        NEVER,
        () => {},
      ),
    ).rejects.toThrow('WRONGTYPE');
  });
});
