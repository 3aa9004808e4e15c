import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FrequencyScorer,
  groupTagSets,
  TagBitmaps,
  type TagSet,
  TagSubsets,
} from '../../../plugins/cupel/frequency-scorer.js';
import { explained, prepared } from '../core/ask.js';

const all = (...lists: unknown[]) => {
  const items = lists.map((tags) => ({ tags }));
  const score = prepared(FrequencyScorer, {}, items);
  return items.map((item, index) => score(item, index));
};
const many = ['p', 'q', 'r', 's', 't', 'u', 'v'];

describe('FrequencyScorer', () => {
  it('returns the share of the others that have a tag in common', () => {
    expect(all(['a', 'b'], ['b'], ['c'], ['b', 'a'], ['c'])).toEqual([0.5, 0.5, 0.25, 0.5, 0.25]);
  });

  it('counts untagged items among the others, and gives them 0; abstains without a list', () => {
    expect(all(['a'], ['a'], [], undefined)).toEqual([1 / 3, 1 / 3, 0, undefined]);
  });

  it('returns 0 without other items', () => {
    expect(all(['a'])).toEqual([0]);
  });

  it('counts a repeated tag once, and folds the case of ASCII letters only', () => {
    expect(all(['a', 'A', 'a'], ['A'])).toEqual([1, 1]);
    expect(all(['k'], ['\u212a'], ['İ'], ['i'])).toEqual([0, 0, 0, 0]);
  });

  it('equal items count each other', () => {
    const twice = { tags: ['a'] };
    const score = prepared(FrequencyScorer, {}, [twice, twice]);
    expect([score(twice, 0), score(twice, 1)]).toEqual([1, 1]);
  });

  it('compares items with many tags with each other, and with those with few', () => {
    expect(all(many, [...many, 'w'], ['p'], ['w', 'x'], ['y'])).toEqual([0.5, 0.75, 0.5, 0.25, 0]);
  });

  it('fails on other types than a list of strings, which then match nothing', () => {
    const items = [{ tags: 'a' }, { tags: ['a'] }, { tags: [1] }];
    const score = prepared(FrequencyScorer, {}, items);
    expect(() => score(items[0], 0)).toThrow('tags: expected a list of strings, found the string "a"');
    expect(() => score(items[2], 2)).toThrow('expected a list of strings');
    expect(score(items[1], 1)).toBe(0);
  });

  it('reports the count', () => {
    const items = [{ tags: ['a'] }, { tags: [] }, { tags: ['a'] }];
    const score = prepared(FrequencyScorer, {}, items);
    const notes = items.map((item, index) => explained(score, item, index).notes);
    expect(notes).toEqual([
      [['shared', { sharing: 1, others: 2 }]],
      [['untagged', { sharing: 0, others: 2 }]],
      [['shared', { sharing: 1, others: 2 }]],
    ]);
    const alone = prepared(FrequencyScorer, {}, [items[0]]);
    expect(explained(alone, items[0]).notes).toEqual([['alone', { sharing: 0, others: 0 }]]);
  });
});

describe('both ways of counting, by subsets and by bits', () => {
  const sharing = (set: TagSet, sets: readonly TagSet[]): number =>
    sets.reduce((sum, other) => sum + (other.tags.some((tag) => set.tags.includes(tag)) ? other.count : 0), 0);

  it('count like comparing each with each', () => {
    const lists = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), { maxLength: 6 }), {
      maxLength: 100,
    });
    fc.assert(
      fc.property(lists, (given) => {
        const { sets } = groupTagSets(given);
        const [subsets, bits] = [new TagSubsets(sets), new TagBitmaps(sets)];
        const expected = sets.map((set) => sharing(set, sets));
        expect(sets.map((set) => subsets.countSharing(set))).toEqual(expected);
        expect(sets.map((set) => bits.countSharing(set))).toEqual(expected);
      }),
    );
  });

  it('count sets that are not in the input', () => {
    const { sets } = groupTagSets([['a', 'b'], ['b'], ['c']]);
    const other: TagSet = { tags: [0, 2], count: 1 };
    expect(new TagSubsets(sets).countSharing(other)).toBe(2);
    expect(new TagBitmaps(sets).countSharing(other)).toBe(2);
  });
});
