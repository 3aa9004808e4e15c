import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { type RecordedWork, recordWork } from '../src/threads/recorded-work.js';

test('records work with its nested work, without that of concurrent work', async () => {
  const [mine, other] = await Promise.all(
    ['mine', 'other'].map((name) => createPipeline<object>({ name, tier2_scorers: [{ id: 'one', expr: '1.0' }] })),
  );
  const outside = AsyncLocalStorage.snapshot();
  const all: RecordedWork[] = [];
  const failed = recordWork(all, async () => {
    await Promise.all([mine!.rank([{}]), outside(() => other!.rank([{}]))]);
    throw new Error('after the run');
  });
  await expect(failed).rejects.toThrow('after the run');
  await mine!.rank([{}]); // after the recording
  expect(all.map(({ kind, message }) => [kind, message])).toEqual([
    ['run', expect.objectContaining({ profile: 'mine', candidates: 1 })],
  ]);
  expect(all[0]?.parts.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['stage']));
});
