import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BM25Scorer } from '../../../plugins/core/bm25-scorer.js';
import { explained, prepared, problems } from './ask.js';

const tools = [
  { name: 'getStockPrice', description: 'The current price of a stock.' },
  { name: 'list_files', description: 'Lists the files of a folder, and the files below it.' },
  { name: 'news', description: 'Headlines, also about a stock or a price' },
  { name: 'silent' },
];
const scorer = (query: unknown, params: object = {}, candidates: readonly unknown[] = tools) =>
  prepared(BM25Scorer, { fields: ['name', 'description'], ...params }, candidates, { context: { query } });
const all = (...args: Parameters<typeof scorer>) => {
  const score = scorer(...args);
  return (args[2] ?? tools).map((tool, index) => score(tool, index));
};

/** The published formula over lists of words, implemented again. */
function reference(texts: readonly string[][], query: readonly string[], k1: number, b: number): number[] {
  const average = texts.reduce((sum, words) => sum + words.length, 0) / texts.length;
  const idf = (word: string) => {
    const n = texts.filter((words) => words.includes(word)).length;
    return Math.log(1 + (texts.length - n + 0.5) / (n + 0.5));
  };
  return texts.map((words) => {
    const of = (word: string) => {
      const f = words.filter((one) => one === word).length;
      return f === 0 ? 0 : (idf(word) * f * (k1 + 1)) / (f + k1 * (1 - b + (b * words.length) / average));
    };
    return query.reduce((sum, word) => sum + of(word), 0);
  });
}

describe('BM25Scorer', () => {
  it('computes the published formula', () => {
    const word = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const words = fc.array(word, { minLength: 1, maxLength: 8 });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 9 }), words, share, share, (texts, query, k1, b) => {
        const found = all(
          query.join(' '),
          { k1, b, fields: 'text' },
          texts.map((text) => ({ text: text.join(', ') })),
        );
        for (const [i, expected] of reference(texts, query, k1, b).entries()) expect(found[i]).toBeCloseTo(expected, 9);
      }),
    );
  });

  it('with scale: share, divides by the score that no text can exceed', () => {
    const word = fc.constantFrom('a', 'b', 'c', 'd', 'aB', 'a-c', 'none');
    const words = fc.array(word, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 9 }), words, (texts, query) => {
        const candidates = texts.map((text) => ({ text: text.join(' ') }));
        const scores = all(query.join(' '), { fields: 'text' }, candidates);
        const shares = all(query.join(' '), { fields: 'text', scale: 'share' }, candidates);
        const by = scores.map((score, k) => score! / shares[k]!).filter((ratio) => !Number.isNaN(ratio));
        for (const ratio of by) expect(ratio).toBeCloseTo(by[0]!, 9);
        for (const [k, one] of shares.entries()) {
          expect(one).toBeGreaterThanOrEqual(0);
          expect(one).toBeLessThan(1);
          expect(one === 0).toBe(scores[k] === 0);
        }
      }),
    );
    const often = [{ text: 'price '.repeat(1e6) }, { text: 'x '.repeat(1e6) }];
    expect(all('price', { fields: 'text', scale: 'share' }, often)[0]).toBeGreaterThan(0.999);
    expect(all('price unheard', { fields: 'text', scale: 'share' }, often)[0]).toBeLessThan(0.5);
  });

  it('splits names into words, and ignores case, width and punctuation', () => {
    const [price, files] = all('PRICE', { fields: 'name' });
    expect(price).toBeGreaterThan(0);
    expect(files).toBe(0);
    expect(all('ｆｉｌｅｓ!')[1]).toBeGreaterThan(0);
    const names = ['parseJSONFile', 'HTTPServer2Go', 'a_b-c'].map((name) => ({ name }));
    expect(all('json', { fields: 'name' }, names)[0]).toBeGreaterThan(0);
    expect(all('http', { fields: 'name' }, names)[1]).toBeGreaterThan(0);
    expect(all('b', { fields: 'name' }, names)[2]).toBeGreaterThan(0);
  });

  it('also finds a name as a whole, in any notation', () => {
    const texts = ['GitHub issues', 'a hub', 'git_hub', 'github'].map((text) => ({ text }));
    const found = (query: string) => all(query, { fields: 'text' }, texts).map((score) => (score ?? 0) > 0);
    expect(found('github')).toEqual([true, false, true, true]);
    expect(found('GitHub')).toEqual([true, true, true, true]);
    expect(found('git-hub')).toEqual([true, true, true, true]);
    expect(found('hub')).toEqual([true, true, true, false]);
  });

  it('counts the words of a name or the whole, whichever is greater, and does not add to the length', () => {
    const texts = ['get_stock_price of a share', 'stock', 'getstockprice', 'share'].map((text) => ({ text }));
    const apart = all('get stock price', { fields: 'text' }, texts);
    const whole = all('getstockprice', { fields: 'text' }, texts);
    const either = apart.map((score, i) => Math.max(score ?? 0, whole[i] ?? 0));
    for (const [i, score] of all('get_stock_price', { fields: 'text' }, texts).entries())
      expect(score).toBeCloseTo(either[i] ?? Number.NaN, 12);
    const spaced = texts.map(({ text }) => ({ text: text.replaceAll('_', ' ') }));
    expect(all('get stock price share', { fields: 'text' }, spaced)).toEqual(
      all('get stock price share', { fields: 'text' }, texts),
    );
  });

  it('can match English words without their plural ending', () => {
    const texts = ['queries', 'classes of PDFs', 'the news', 'status', 'bus'].map((text) => ({ text }));
    const found = (query: string) =>
      all(query, { fields: 'text', plurals: 'english' }, texts).map((score) => (score ?? 0) > 0);
    expect(found('query')).toEqual([true, false, false, false, false]);
    expect(found('pdf classe')).toEqual([false, true, false, false, false]);
    expect(found('statu bu')).toEqual([false, false, false, false, false]);
    expect(all('query', { fields: 'text' }, texts)[0]).toBe(0);
  });

  it('can match English words without their possessive ending', () => {
    const texts = ['the user’s files', "what's new", "l'eau", 'seconds: s'].map((text) => ({ text }));
    const found = (query: string) =>
      all(query, { fields: 'text', plurals: 'english' }, texts).map((score) => (score ?? 0) > 0);
    expect(found("users'")).toEqual([true, false, false, false]);
    expect(found("what's it")).toEqual([false, true, false, false]);
    expect(found('eau')).toEqual([false, false, true, false]);
    expect(found('s')).toEqual([false, false, false, true]);
  });

  it('compares pairs of characters in scripts without spaces', () => {
    const texts = ['使用必应搜索', '读取文件', '搜'].map((text) => ({ text }));
    const found = all('搜索', { fields: 'text' }, texts);
    expect(found.map((score) => (score ?? 0) > 0)).toEqual([true, false, false]);
  });

  it('counts a word in a weighted field by its weight', () => {
    const twice = all('news', { fields: { name: 2, description: 1 } });
    const spelled = all(
      'news',
      { fields: 'text' },
      tools.map(({ name, description }) => ({ text: [name, name, description] })),
    );
    for (const [i, score] of twice.entries()) expect(score).toBeCloseTo(spelled[i] ?? Number.NaN, 12);
  });

  it('abstains without a query, and without a text', () => {
    expect(all(undefined)).toEqual([undefined, undefined, undefined, undefined]);
    expect(all(' … ')).toEqual([undefined, undefined, undefined, undefined]);
    expect(all('price', {}, [{}, { name: '' }])).toEqual([undefined, 0]);
  });

  it('fails on a text of another type, for its candidate alone', () => {
    const score = scorer('price', {}, [{ name: { en: 'price' } }, { name: 'price' }]);
    expect(() => score(undefined, 0)).toThrow('name: expected a string, found a map');
    expect(score(undefined, 1)).toBeGreaterThan(0);
    expect(() => scorer(['price'])).toThrow("the context's query: expected a string, found a list");
  });

  it('reports the matched words', () => {
    expect(explained(scorer('stock price today'), tools[0]).notes).toEqual([
      ['matched', { matched: 2, words: 3, found: ['stock', 'price'] }],
    ]);
    expect(explained(scorer('getStockPrice, free'), tools[0]).notes).toEqual([
      ['matched', { matched: 3, words: 4, found: ['get', 'stock', 'price'] }],
    ]);
    expect(explained(scorer('list_news', {}, [{ name: 'listnews' }, { name: 'list' }]), undefined).notes).toEqual([
      ['matched', { matched: 2, words: 2, found: ['listnews'] }],
    ]);
    expect(explained(scorer('weather'), tools[0]).notes).toEqual([['unmatched', { words: 1 }]]);
    expect(explained(scorer(undefined), tools[0]).notes).toEqual([['no_query', { query: 'query' }]]);
  });

  it('reads the query from the configured place, and requires fields', () => {
    const score = prepared(BM25Scorer, { fields: 'name', query: 'ask.text' }, tools, {
      context: { ask: { text: 'news' } },
    });
    expect(score(tools[2], 2)).toBeGreaterThan(0);
    expect(problems(BM25Scorer, {})).not.toEqual([]);
    expect(problems(BM25Scorer, { fields: {} })).not.toEqual([]);
    expect(problems(BM25Scorer, { fields: { 'a[': 1 } })).not.toEqual([]);
    expect(problems(BM25Scorer, { fields: { name: 0 } })).not.toEqual([]);
  });
});
