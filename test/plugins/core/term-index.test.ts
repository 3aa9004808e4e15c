import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BM25Scorer, analyze, frequencyIn, TermIndex } from '../../../plugins/core/bm25-scorer.js';
import { path } from 'assize/sdk';
import { prepared } from './ask.js';

/** An index that records what it splits. */
function recording(maxWords?: number) {
  const split: string[] = [];
  const index = new TermIndex((text) => (split.push(text), analyze(text)), maxWords);
  return { split, index };
}
const title = path().parse('title');

describe('TermIndex', () => {
  it('splits the texts of an object once, and again if one changes', () => {
    const { split, index } = recording();
    const one = { title: 'a red lamp', body: 'red' };
    const first = index.termsOf(one, title)!;
    expect(index.termsOf(one, title)).toBe(first);
    expect(index.termsOf(one, path().parse('body'))!.length).toBe(1);
    expect(split).toEqual(['a red lamp', 'red']);
    one.title = 'a red red vase';
    const changed = index.termsOf(one, title)!;
    expect(frequencyIn(changed, index.numberOf('red'))).toBe(2);
    expect(frequencyIn(changed, index.numberOf('lamp'))).toBe(0);
    expect(index.termsOf({ ...one }, title)).not.toBe(changed);
    expect(split).toHaveLength(4);
  });

  it('compares texts that are joined from a list, and handles an absent one', () => {
    const { split, index } = recording();
    const one: { title?: string[] } = { title: ['a', 'b'] };
    index.termsOf(one, title);
    one.title = ['a', 'b'];
    index.termsOf(one, title);
    one.title.push('c');
    expect(index.termsOf(one, title)!.length).toBe(3);
    expect(split).toEqual(['a b', 'a b c']);
    delete one.title;
    expect(index.termsOf(one, title)).toBeUndefined();
  });

  it('counts names by their words and as a whole, without adding to the length', () => {
    const { index } = recording();
    const terms = index.termsOf({ title: 'getStockPrice of a stock' }, title)!;
    const frequencies = ['get', 'stock', 'getstockprice', 'price', 'of', 'no'].map((word) =>
      frequencyIn(terms, index.numberOf(word)),
    );
    expect(frequencies).toEqual([1, 2, 1, 1, 1, 0]);
    expect(terms.length).toBe(6);
  });

  it('starts again if it knows too many words', () => {
    const { split, index } = recording(3);
    const one = { title: 'a b c' };
    for (let run = 0; run < 2; run++) {
      index.trim();
      index.termsOf(one, title);
    }
    expect(split).toHaveLength(1);
    index.termsOf({ title: 'd' }, title);
    index.trim();
    const d = index.numberOf('d');
    const terms = index.termsOf(one, title)!;
    expect([frequencyIn(terms, d), frequencyIn(terms, index.numberOf('a'))]).toEqual([0, 1]);
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
