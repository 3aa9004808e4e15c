import { describe, expect, test } from 'vitest';
import { createJob, openJob } from '@assize/jobs';
import { newFolder } from '../../../../test/scale/threads/folder.js';

const folder = newFolder();

// A scorer that counts its calls by candidate, and fails for some candidates.
folder.write(
  'counting.mjs',
  `import { scorer } from 'assize/sdk';
globalThis.counted ??= new Map();
globalThis.failing ??= new Set();
export const Counting = scorer((candidate) => {
  globalThis.counted.set(candidate.id, (globalThis.counted.get(candidate.id) ?? 0) + 1);
  if (globalThis.failing.has(candidate.id)) throw new Error('the service is down');
  if (candidate.id % 5 === 0) return undefined;
  return (candidate.id * 7919) % 10007;
});
`,
);
folder.write(
  'profile.yaml',
  `plugins: [./counting.mjs]
tier1_scorers: [{ id: few, expr: candidate.id % 11 == 0 }]
tier2_scorers:
  - { id: counting, class: Counting, on_error: fail }
  - { id: odd, expr: '1 / (candidate.id % 13)', on_error: skip }
select: { top: 20, ties: [candidate.id] }
`,
);
const seen = globalThis as unknown as { counted: Map<number, number>; failing: Set<number> };

const ROWS = Array.from({ length: 10_000 }, (_, id) => ({ id: id + 1 }));
folder.write('rows.jsonl', ROWS.map((row) => JSON.stringify(row)).join('\n'));

describe('a part whose candidate 7,000 fails in the first attempt', () => {
  test('does not evaluate the first candidates again, and has the same text', async () => {
    const options = { folder: folder.path, shardBytes: 1_000_000 };
    const job = await createJob('./profile.yaml', 'rows.jsonl', { now: 0 }, options);
    const whole = await (await openJob(job, { folder: folder.path })).partial(0);
    const calls = new Map(seen.counted);

    seen.counted.clear();
    seen.failing.add(7000);
    let progress: string | undefined;
    const onProgress = (text: () => string): void => void (progress = text());
    const first = await openJob(job, { folder: folder.path });
    await expect(first.partial(0, undefined, { onProgress })).rejects.toThrow('the service is down');
    seen.failing.clear();
    // Another machine continues.
    const second = await openJob(job, { folder: folder.path });
    expect(await second.partial(0, undefined, { progress, onProgress })).toBe(whole);

    const again = [...seen.counted].filter(([id, times]) => times > (calls.get(id) ?? 0)).map(([id]) => id);
    // Only those of one batch of 32.
    expect(again).toContain(7000);
    expect(Math.max(...again) - Math.min(...again)).toBe(31);
    expect(seen.counted.size).toBe(calls.size);
  });

  test('ignores the progress of another part or job', async () => {
    const options = { folder: folder.path, shardBytes: 50_000 };
    const job = await createJob('./profile.yaml', 'rows.jsonl', { now: 0 }, options);
    const other = await createJob('./profile.yaml', 'rows.jsonl', { now: 1 }, options);
    const opened = await openJob(job, { folder: folder.path });
    let progress: string | undefined;
    const onProgress = (text: () => string): void => void (progress = text());
    await (await openJob(other, { folder: folder.path })).partial(1, undefined, { onProgress });
    const ofOther = progress;
    await opened.partial(0, undefined, { onProgress });
    const whole = await opened.partial(1);
    expect(await opened.partial(1, undefined, { progress: ofOther })).toBe(whole);
    expect(await opened.partial(1, undefined, { progress })).toBe(whole);
    expect(await opened.partial(1, undefined, { progress: '{' })).toBe(whole);
  });
});
