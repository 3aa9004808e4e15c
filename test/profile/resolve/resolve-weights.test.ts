import { describe, expect, test } from 'vitest';
import { createPipeline } from '../../../src/index.js';

describe('weights in a profile', () => {
  test('a scorer that is disabled may still have its weights in the cases that a profile inherits', async () => {
    const pipeline = createPipeline({
      extends: ['knowledgepulse'],
      tier2_scorers: [{ id: 'novelty', enabled: false }],
    });
    await expect(pipeline).resolves.toBeDefined();
  });
});
