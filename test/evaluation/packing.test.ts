import { expect, test } from 'vitest';
import { MESSAGE_FORMATS } from '../../src/agents.js';
import { packRandom } from './packing.js';

test.each(MESSAGE_FORMATS)(
  'random conversations of %s are packed within the budget, without a split call, into valid lists',
  async (format) => {
    const counts = await packRandom(format, 60, 7);
    expect(counts).toMatchObject({ packed: 60, split: 0, rejected: 0, dropped: 0, overBudget: 0, overBudgetAgain: 0 });
    expect(counts.selected).toBeGreaterThan(60);
    expect(counts.selected).toBeLessThan(counts.given);
    expect(counts.shortened).toBeGreaterThan(0);
  },
);
