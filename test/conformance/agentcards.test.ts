import { expect, it } from 'vitest';
import { graphVectors } from './agentcards.js';

it('the pack agentcards and its presets agree with the reference on graphs and formulas', async () => {
  const file = new URL('../fixtures/agentcards/graph.json', import.meta.url).pathname;
  const { failed, passed, skipped } = await graphVectors(file);
  expect(failed).toEqual([]);
  expect(passed).toBeGreaterThan(400);
  expect(skipped.map(({ name }) => name).filter((name) => name.endsWith('unknown-family'))).toEqual([]);
});
