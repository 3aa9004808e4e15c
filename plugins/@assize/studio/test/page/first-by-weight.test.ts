import { expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { firstByWeight } from '../../src/page/why/first-by-weight.js';
import { products } from './shop.js';

const weights = new Map([
  ['rating', 3],
  ['fresh', 2],
  ['margin', 0],
]);
const pipeline = await createPipeline<object>({
  tier2_scorers: [...weights].map(([id, weight]) => ({
    id,
    expr: `candidate.${id}${id === 'rating' ? ' / 5' : ''}`,
    weight,
  })),
  select: { top: 5 },
});
const ranking = await pipeline.rank(products(60), {});

/** The result of a search, and its steps. */
function searched(position: number) {
  const search = firstByWeight(ranking, position, weights);
  const steps: number[] = [];
  let step = search.next();
  for (; !step.done; step = search.next()) steps.push(step.value);
  return { found: step.value, steps };
}

test('each found weight makes the item first, and finds what the engine finds', async () => {
  let all = 0;
  for (const { index } of ranking.ranked.slice(1, 16)) {
    const { found } = searched(index);
    for (const { id, to } of found) expect(ranking.reweigh({ weights: { [id]: to } }).selected[0]!.index).toBe(index);
    // oxlint-disable-next-line no-await-in-loop -- one ranking after another
    const { weights: ways } = await ranking.waysToWin({ index });
    for (const way of ways) {
      if (way.state !== 'flips') continue;
      all += 1;
      const own = found.find(({ id }) => id === way.id);
      expect(own, `${way.id} → ${way.to}`).toBeDefined();
      expect(Math.abs(own!.to - way.to)).toBeLessThan(0.05 * Math.max(1, way.to));
    }
  }
  expect(all).toBeGreaterThan(1);
});

test('the steps tell the progress, and an item that no weight helps has no result', () => {
  const last = ranking.ranked.at(-1)!;
  const { found, steps } = searched(last.index);
  expect(found).toEqual([]);
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  expect(steps.at(-1)).toBeLessThan(1);
  expect(steps.length).toBeGreaterThan(30);
});
