import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { qualityOf } from './retrieval.js';
import { byWords, mean } from './tool-search.js';
import { readQueries, readTools } from './tools.js';

const readme = readFileSync(new URL('../../plugins/agentcards/README.md', import.meta.url), 'utf8');

describe('the evaluation of tool search', () => {
  it('keeps the labels away from what ranks', async () => {
    const tools = await readTools();
    expect(tools).toHaveLength(527);
    expect(new Set(tools.flatMap((tool) => Object.keys(tool)))).toEqual(
      new Set(['id', 'server', 'name', 'description']),
    );
  });

  it('comes out as the README says, where it takes no language model', async () => {
    const queries = await readQueries();
    const qualities = await byWords();
    expect(qualities).toHaveLength(queries.length);
    const figures = [
      mean(qualities.map(({ ndcg }) => ndcg)),
      mean(qualities.map(({ recall }) => recall)),
      mean(qualities.map(({ mrr }) => mrr)),
    ];
    expect(readme).toContain(`| words (BM25) | ${figures.join(' | ')} |`);
  });
});

describe('the quality of a ranking', () => {
  const ranking = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];

  it('is 1 where all that is relevant comes first', () => {
    expect(qualityOf(ranking, new Set(['a', 'b']))).toEqual({ ndcg: 1, recall: 1, mrr: 1 });
  });

  it('counts those in the first ten and five, against as many as could be there', () => {
    const { ndcg, recall, mrr } = qualityOf(ranking, new Set(['b', 'f', 'k', 'missing']));
    const ideal = 1 + 1 / Math.log2(3) + 1 / Math.log2(4) + 1 / Math.log2(5);
    expect(ndcg).toBeCloseTo((1 / Math.log2(3) + 1 / Math.log2(7)) / ideal, 12);
    expect([recall, mrr]).toEqual([0.25, 0.5]);
  });

  it('is 0 where nothing relevant was found, and cuts the best that could be at ten', () => {
    expect(qualityOf(ranking, new Set(['missing']))).toEqual({ ndcg: 0, recall: 0, mrr: 0 });
    expect(qualityOf(ranking, new Set(ranking)).ndcg).toBeCloseTo(1, 12);
  });
});
