import { describe, expect, test } from 'vitest';
import { createPipeline } from '../../../src/index.js';

describe('weights in a profile', () => {
  test('cases that a profile inherits may contain weights of a disabled scorer', async () => {
    const pipeline = createPipeline({
      extends: ['knowledgepulse'],
      tier2_scorers: [{ id: 'novelty', enabled: false }],
    });
    await expect(pipeline).resolves.toBeDefined();
  });
});
