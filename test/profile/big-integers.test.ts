import { expect, test } from 'vitest';
import { AssizeError, createPipeline, type ProfileInput } from '../../src/index.js';

test('a big integer for an id is a problem, also twice', async () => {
  const profile = {
    tier2_scorers: [
      { id: 10n, expr: '1.0' },
      { id: 10n, expr: '2.0' },
    ],
  } as unknown as ProfileInput;
  const failed: unknown = await createPipeline(profile).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(AssizeError);
  expect((failed as AssizeError).message).toContain('ASZ203');
});
