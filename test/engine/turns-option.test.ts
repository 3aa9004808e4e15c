import { expect, test } from 'vitest';
import { createPipeline, scorer } from 'assize';

const TURNS = 3;
/** The number of other tasks that ran since a run began. */
let turns = TURNS;

/** Takes 2 ms per candidate until other tasks ran: if they never do, 200 take 0.4 s. */
const slow = scorer<{ n: number }>(({ n }) => {
  if (turns < TURNS && n < 200) for (const end = performance.now() + 2; performance.now() < end; );
  return Math.sqrt(n) % 1;
});
const rows = Array.from({ length: 6000 }, (_, n) => ({ n }));

/** The number of other tasks that run during a call, which takes long enough for them. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  turns = 0;
  const timer = setInterval(() => turns++, 1);
  await work();
  clearInterval(timer);
  return turns;
}

test('an abortable run lets others run between its rows, with the same result', async () => {
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
  expect(await turnsDuring(() => pipeline.rank(rows, {}, { turns: true }))).toBeGreaterThanOrEqual(TURNS);
  await expect(pipeline.rank(rows, {}, { turns: 'often' as never })).rejects.toMatchObject({
    problems: [{ code: 'ASZ533' }],
  });
});
