import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { meanOf } from './against.js';
import { BY_WORDS, byWords, MEASURES } from './tool-search.js';
import { readQueries, readTools } from './tools.js';

const page = readFileSync(new URL('../bench/QUALITY.md', import.meta.url), 'utf8');

describe('the evaluation of tool search', () => {
  it('hides the labels from the scorers', async () => {
    const tools = await readTools();
    expect(tools).toHaveLength(527);
    expect(new Set(tools.flatMap((tool) => Object.keys(tool)))).toEqual(
      new Set(['id', 'server', 'name', 'description']),
    );
  });

  it('gives the numbers of the page, for the methods without a language model', async () => {
    const evaluation = await byWords();
    expect(evaluation.queries).toHaveLength((await readQueries()).length);
    const figures = MEASURES.map((measure) => meanOf(evaluation, BY_WORDS, measure));
    expect(page).toContain(`| words (BM25) | ${figures.join(' | ')} |`);
  });
});
