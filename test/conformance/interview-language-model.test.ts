import { expect, it } from 'vitest';
import { answers } from './interview-language-model.js';

it('reads answers of language models as the interview system does', async () => {
  const file = new URL('../fixtures/interview/language-model.json', import.meta.url).pathname;
  expect(await answers(file)).toEqual({ passed: 14, failed: [], skipped: [] });
});
