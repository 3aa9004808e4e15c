import { expect, it } from 'vitest';
import { answers } from './interview-language-model.js';

it('answers of language models are read as the interview system reads them', async () => {
  const file = new URL('../fixtures/interview/language-model.json', import.meta.url).pathname;
  expect(await answers(file)).toEqual({ passed: 14, failed: [], skipped: [] });
});
