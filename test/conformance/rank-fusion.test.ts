import { expect, test } from 'vitest';
import { rankFusionTally } from './rank-fusion.js';

test('fuses scores and ranks as ranx does', async () => {
  const { passed, failed } = await rankFusionTally();
  expect(failed).toEqual([]);
  expect(passed).toBe(264);
});
