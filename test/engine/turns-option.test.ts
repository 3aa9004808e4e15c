import { expect, test } from 'vitest';
import { createPipeline, scorer } from '../../src/index.js';

/** Takes its time: about 20 µs a candidate. */
const slow = scorer<{ n: number }>(({ n }) => {
  let sum = 0;
  for (let k = 0; k < 20_000; k++) sum += Math.sqrt(k * n);
  return sum % 1;
});
const rows = Array.from({ length: 6000 }, (_, n) => ({ n }));

/** How often something else has its turn while something runs. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await work();
  clearInterval(timer);
  return turns;
}

test('a run that takes turns lets others run between its rows, and has the same result', async () => {
  const pipeline = await createPipeline<{ n: number }>(
    {
      tier1_scorers: [{ id: 'seventh', expr: 'candidate.n % 7 == 0' }],
      tier2_scorers: [{ id: 'slow', class: 'Slow' }],
    },
    { units: { Slow: slow } },
  );
  const idsOf = async (options: { turns?: boolean }): Promise<string[]> =>
    (await pipeline.rank(rows, {}, options)).ranked.map(({ id, score }) => `${id} ${score}`);
  const atOnce = await idsOf({});
  expect(await idsOf({ turns: true })).toEqual(atOnce);
  expect(await turnsDuring(() => pipeline.rank(rows, {}, { turns: false }))).toBe(0);
  expect(await turnsDuring(() => pipeline.rank(rows, {}, { turns: true }))).toBeGreaterThan(2);
  await expect(pipeline.rank(rows, {}, { turns: 'often' as never })).rejects.toMatchObject({
    problems: [{ code: 'ASZ533' }],
  });
});
