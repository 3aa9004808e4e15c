import { describe, expect, test } from 'vitest';
import { TokenCountScorer } from '../../../plugins/cupel/index.js';
import { importTokenCounter } from '../../../plugins/cupel/token-count-scorer.js';
import { rankBy } from '../../properties/ranked.js';

const tokensOf = async (candidates: readonly object[], params: Record<string, unknown> = {}) => {
  const measures = [{ id: 'tokens', class: 'TokenCountScorer', params }];
  const { matrix, degraded } = await rankBy({ plugins: ['cupel'], measures }, candidates);
  return { tokens: [...matrix.column('tokens').values], degraded };
};

describe('the number of tokens of a candidate', () => {
  test('is its own value, or counted', async () => {
    const { tokens } = await tokensOf([{ tokens: 7, content: 'x' }, { content: 'hello world' }, { content: '' }, {}]);
    expect(tokens).toEqual([7, 2, 0, Number.NaN]);
  });

  test('sums several texts, in another encoding', async () => {
    const params = { text: ['title', 'parts[].text'], encoding: 'cl100k_base', field: 'size' };
    const { tokens } = await tokensOf([{ title: 'hello', parts: [{ text: 'hello' }, { text: ' world' }] }], params);
    expect(tokens).toEqual([3]);
  });

  test('treats control tokens as plain text', async () => {
    const { tokens } = await tokensOf([{ content: '<|endoftext|>' }]);
    expect(tokens[0]).toBeGreaterThan(1);
  });

  test('that is not a number fails for that candidate', async () => {
    const { tokens, degraded } = await tokensOf([{ tokens: 'many' }, { content: 5 }, { tokens: 3 }]);
    expect(tokens).toEqual([Number.NaN, Number.NaN, 3]);
    expect(degraded).toMatchObject([
      { entry: 'tokens', count: 2, cause: 'tokens is the string "many"; expected a number' },
    ]);
  });

  test('needs no tokenizer if every candidate has a value', async () => {
    const run = { candidates: [{ tokens: 3 }] } as never;
    const params = TokenCountScorer.meta.params.parse({});
    const score = await new TokenCountScorer().prepare(params, run);
    expect(score({ tokens: 3 }, 0)).toBe(3);
  });
});

test('reports a missing tokenizer with the package to install, and a broken one with its error', async () => {
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  await expect(importTokenCounter('o200k_base', () => Promise.reject(missing))).rejects.toThrow(
    'npm install gpt-tokenizer',
  );
  await expect(importTokenCounter('o200k_base', () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'gpt-tokenizer cannot be loaded: broken',
  );
  await expect(importTokenCounter('o200k_base', () => Promise.resolve({}))).rejects.toThrow('has no countTokens');
});
