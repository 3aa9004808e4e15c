import { expect, test } from 'vitest';
import { irMeasuresTally } from './ir-measures.js';

test('measures a run as ir_measures does', async () => {
  const { passed, failed } = await irMeasuresTally();
  expect(failed).toEqual([]);
  expect(passed).toBe(25 * 25);
});
