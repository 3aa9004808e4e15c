import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { blind, byWords, questionsThere } from './context-ranking.js';

const page = readFileSync(new URL('../bench/QUALITY.md', import.meta.url), 'utf8');
const told = (method: string): string | undefined =>
  new RegExp(`^\\| ${method} \\| ([\\d.]+) \\|`, 'm').exec(page)?.[1];
const mean = (values: readonly number[]): string =>
  (values.reduce((sum, one) => sum + one, 0) / values.length).toFixed(3);

describe('the evaluation of context ranking', () => {
  it('hides the labels from the scorers', async () => {
    const questions = await questionsThere();
    expect(questions).toHaveLength(60);
    const seen = new Set(
      questions.flatMap(({ paragraphs }) => paragraphs.flatMap((paragraph) => Object.keys(paragraph))),
    );
    expect([...seen]).toEqual(['title', 'text', 'characters']);
    expect(new Set(questions.map(({ needed }) => needed.size))).toEqual(new Set([2]));
  });

  it('gives the numbers of the page, for the methods without a language model', async () => {
    const questions = await questionsThere();
    const { firstThatFit, atRandom } = await blind(questions);
    expect(mean(firstThatFit)).toBe(told('first that fit'));
    expect(mean(atRandom)).toBe(told('random'));
    expect(mean(await byWords(questions))).toBe(told('BM25'));
  });
});
