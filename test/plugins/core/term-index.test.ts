import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BM25Scorer } from '../../../plugins/core/bm25-scorer.js';
import { analyze } from '../../../plugins/core/text-analysis.js';
import { frequencyIn, TermIndex } from '../../../plugins/core/text-corpus.js';
import { path } from 'assize/sdk';
import { prepared } from './ask.js';

/** An index that records what it splits. */
function recording(maxWords?: number) {
  const split: string[] = [];
  const index = new TermIndex((text) => (split.push(text), analyze(text)), maxWords);
  const corpusOf = (candidates: readonly object[], field = 'title') =>
    index.corpusOf(candidates, [{ read: path().parse(field), weight: 1 }]);
  /** How often a candidate has each word. */
  const counts = (candidate: object, words: readonly string[]) =>
    words.map((word) => frequencyIn(corpusOf([candidate]).postings(index.find(word)), 0));
  return { split, index, corpusOf, counts };
}

describe('TermIndex', () => {
  it('indexes a list once, and again if a text changes, which alone is split again', () => {
    const { split, corpusOf, counts } = recording();
    const [one, two] = [{ title: 'a red lamp', body: 'red' }, { title: 'a vase' }];
    const first = corpusOf([one, two]);
    expect(corpusOf([one, two])).toBe(first);
    expect(corpusOf([two, one])).not.toBe(first);
    expect(corpusOf([one], 'body').lengths).toEqual(Float64Array.of(1));
    expect(split).toEqual(['a red lamp', 'a vase', 'red']);
    one.title = 'a red red vase';
    expect(counts(one, ['red', 'lamp'])).toEqual([2, 0]);
    expect(corpusOf([{ ...one }, two])).not.toBe(corpusOf([one, two]));
    expect(split).toHaveLength(5);
  });

  it('compares texts that are joined from a list, and handles an absent one', () => {
    const { split, corpusOf } = recording();
    const one: { title?: string[] } = { title: ['a', 'b'] };
    const first = corpusOf([one]);
    one.title = ['a', 'b'];
    expect(corpusOf([one])).toBe(first);
    one.title.push('c');
    expect(corpusOf([one]).lengths).toEqual(Float64Array.of(3));
    expect(split).toEqual(['a b', 'a b c']);
    delete one.title;
    expect(corpusOf([one])).toMatchObject({ lengths: Float64Array.of(Number.NaN), size: 0 });
  });

  it('keeps the error of an unreadable text, and reads it again', () => {
    const { corpusOf } = recording();
    const one: { title: unknown } = { title: { of: 'a map' } };
    const first = corpusOf([{ title: 'a' }, one]);
    expect(first.errors.get(1)?.message).toContain('title');
    expect(first.size).toBe(1);
    const list = [one];
    expect(corpusOf(list).errors.size).toBe(1);
    one.title = 'b';
    expect(corpusOf(list)).toMatchObject({ size: 1, errors: new Map() });
  });

  it('counts names by their words and as a whole, without adding to the length', () => {
    const { corpusOf, counts } = recording();
    const one = { title: 'getStockPrice of a stock' };
    expect(counts(one, ['get', 'stock', 'getstockprice', 'price', 'of', 'no'])).toEqual([1, 2, 1, 1, 1, 0]);
    expect(corpusOf([one]).lengths[0]).toBe(6);
  });

  it('starts again if it knows too many words', () => {
    const { split, index, corpusOf, counts } = recording(3);
    const one = { title: 'a b c' };
    for (let run = 0; run < 2; run++) {
      index.trim();
      corpusOf([one]);
    }
    expect(split).toHaveLength(1);
    corpusOf([{ title: 'd' }]);
    index.trim();
    expect(counts(one, ['d', 'a'])).toEqual([0, 1]);
    expect(split).toHaveLength(3);
  });
});

describe('BM25Scorer', () => {
  it('scores the same objects again like copies of them, regardless of other queries and changes', () => {
    const text = fc.array(fc.constantFrom('red', 'lamp', 'redLamp', 'lamps', '赤いランプ', 'a-b'), { maxLength: 6 });
    const candidate = fc.record({ title: text.map((words) => words.join(' ')), body: text });
    const params = fc.constantFrom(
      { fields: 'title' },
      { fields: ['title', 'body'], plurals: 'english' as const },
      { fields: { title: 2.5, body: 0.1 } },
    );
    const step = fc.record({ params, query: text, at: fc.nat(), title: text });
    fc.assert(
      fc.property(fc.array(candidate, { minLength: 1, maxLength: 6 }), fc.array(step), (candidates, steps) => {
        for (const { params: given, query, at, title: words } of steps) {
          const context = { query: query.join(' ') };
          const scores = (list: readonly object[]) => {
            const score = prepared(BM25Scorer, given, list, { context });
            return list.map((one, row) => score(one, row));
          };
          expect(scores(candidates)).toEqual(scores(candidates.map((one) => ({ ...one, body: [...one.body] }))));
          candidates[at % candidates.length]!.title = words.join(' ');
        }
      }),
    );
  });
});
