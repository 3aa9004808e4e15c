/* An entry that fails for several reasons reports all of them, with their counts. */
import { expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { runWarningsText } from '../../src/cli/output/summary.js';

const profile = {
  name: 'stars',
  tier2_scorers: [
    { id: 'stars', expr: 'candidate.stars * 2', on_error: 'skip' as const },
    { id: 'one', expr: '1' },
  ],
};
const odd = (stars: readonly unknown[]) => stars.map((value) => ({ stars: value }));
const style = { columns: 80, limit: 80, colour: false };

test('the causes of one entry, the most frequent first', async () => {
  const pipeline = await createPipeline<object>(profile);
  const candidates = odd(['many', 'few', 'few', 3, true, 'few']);
  const { degraded, warnings } = await pipeline.rank(candidates);
  expect(degraded).toEqual([
    {
      entry: 'stars',
      stage: 'score',
      cause: expect.stringContaining('many'),
      causes: [
        { cause: expect.stringContaining('few'), count: 3 },
        { cause: expect.stringContaining('many'), count: 1 },
        { cause: expect.stringContaining('true'), count: 1 },
      ],
      count: 5,
      instead: 'absent',
    },
  ]);
  expect(runWarningsText({ degraded, warnings }, style)).toMatchInlineSnapshot(`
    "
    Degraded
      stars failed in score on 5 candidates; the entry was ignored: * needs numbers,
        found the string "few" (3); * needs numbers, found the string "many" (1); *
        needs numbers, found true (1)
    "
  `);
  const stream = pipeline.scoreStream(candidates);
  for await (const row of stream) expect(row.index).toBeLessThan(6);
  expect(stream.degraded).toEqual(degraded);
});

test('one cause is not a list, and only the first of many causes are counted', async () => {
  const pipeline = await createPipeline<object>(profile);
  const [same] = (await pipeline.rank(odd(['few', 'few']))).degraded;
  expect(same).toMatchObject({ count: 2 });
  expect(same).not.toHaveProperty('causes');
  const { degraded, warnings } = await pipeline.rank(odd(Array.from({ length: 40 }, (_, i) => `s${i}`)));
  expect(degraded[0]?.count).toBe(40);
  expect(degraded[0]?.causes).toHaveLength(5);
  expect(runWarningsText({ degraded, warnings }, style)).toContain('and others (39)');
});
