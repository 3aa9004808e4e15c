import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareInterleaved, creditOf, teamDraft } from '@assize/evaluate';
import { seededRandom } from '../src/significance/distributions.js';
import { signTest } from '../src/significance/tests.js';

const key = (item: string): string => item;
const ranking = fc.uniqueArray(fc.constantFrom(...'abcdefgh'.split('')), { maxLength: 8 });

describe('team draft', () => {
  test('shows each item once, best first of each ranking, with teams of one size', () => {
    fc.assert(
      fc.property(ranking, ranking, fc.integer(), fc.integer({ min: 0, max: 10 }), (a, b, seed, length) => {
        const shown = teamDraft(a, b, { key, length, random: seededRandom(seed) });
        const items = shown.map(({ item }) => item);
        const all = new Set([...a, ...b]);
        expect(new Set(items).size).toBe(items.length);
        expect(items.length).toBe(Math.min(length, all.size));
        for (const [team, list] of [
          ['a', a],
          ['b', b],
        ] as const) {
          const own = shown.filter((one) => one.team === team).map(({ item }) => list.indexOf(item));
          expect(own).toEqual(own.toSorted((x, y) => x - y));
          expect(own).not.toContain(-1);
        }
      }),
    );
  });

  test('gives both rankings each place equally often', () => {
    const random = seededRandom(1);
    let first = 0;
    for (let k = 0; k < 4000; k++) first += teamDraft(['x', 'y'], ['y', 'x'], { key, random })[0]!.team === 'a' ? 1 : 0;
    expect(first / 4000).toBeCloseTo(0.5, 1);
  });

  test('counts clicks for the team that contributed the item', () => {
    const shown = teamDraft(['x', 'y', 'z'], ['p', 'q', 'x'], { key, random: () => 0 });
    // The second ranking is exhausted before z, which belongs to no team.
    expect(shown.map(({ item, team }) => item + (team ?? '-'))).toEqual(['xa', 'pb', 'ya', 'qb', 'z-']);
    expect(creditOf(shown, (item) => ['x', 'y', 'q', 'z', 'elsewhere'].includes(item))).toEqual({ a: 2, b: 1 });
  });
});

// A user who clicks at random, or more often near the top, has no preference: each ranking wins half of the lists.
describe('rankings of unequal length', () => {
  const letters = (text: string): readonly string[] => text.split('');
  const clickers = {
    uniform: () => 0.4,
    'top-heavy': (rank: number) => 1 / (rank + 1),
  };
  test.each([
    ['one exhausted early', 'abc', 'defghijklm'],
    ['a veto removed the tail', 'abcd', 'abcdefghij'],
    ['a veto removed the head', 'cdefghij', 'abcdefghij'],
    ['one item', 'a', 'bcdefg'],
    ['one shared item', 'a', 'abcdefg'],
    ['overlap in another order', 'gcab', 'abcdefg'],
    ['an odd number shown', 'abcdefgh', 'hgfedcba'],
  ])('%s: %s and %s win equally often', (_name, one, other) => {
    for (const [name, chance] of Object.entries(clickers)) {
      const random = seededRandom(11);
      const won = { a: 0, b: 0 };
      for (let k = 0; k < 6000; k++) {
        const shown = teamDraft(letters(one), letters(other), { key, length: 7, random });
        const ranks = new Map(shown.map(({ item }, rank) => [item, rank]));
        const credit = creditOf(shown, (item) => random() < chance(ranks.get(item)!));
        if (credit.a !== credit.b) won[credit.a > credit.b ? 'a' : 'b'] += 1;
      }
      const lists = won.a + won.b;
      const error = Math.sqrt(0.25 / Math.max(1, lists));
      expect(Math.abs(won.a / Math.max(1, lists) - (lists > 0 ? 0.5 : 0)), name).toBeLessThan(4 * error);
    }
  });

  test('teams have one size until the list is full, and every item is still shown', () => {
    fc.assert(
      fc.property(ranking, ranking, fc.integer(), (a, b, seed) => {
        const shown = teamDraft(a, b, { key, random: seededRandom(seed) });
        const of = (team: string) => shown.filter((one) => one.team === team).length;
        expect(of('a')).toBe(of('b'));
        expect(shown).toHaveLength(new Set([...a, ...b]).size);
        const firstLoose = shown.findIndex(({ team }) => team === undefined);
        if (firstLoose >= 0) expect(shown.slice(firstLoose).every(({ team }) => team === undefined)).toBe(true);
      }),
    );
  });
});

describe('the sign test', () => {
  test.each([
    [0, 0, 1],
    [5, 5, 1],
    [5, 0, 2 / 32],
    [1, 7, (2 * (1 + 8)) / 256],
    [9, 1, (2 * (1 + 10)) / 1024],
  ])('of %d to %d is the binomial tail', (won, lost, p) => {
    expect(signTest(won, lost)).toBeCloseTo(p, 12);
    expect(signTest(lost, won)).toBeCloseTo(p, 12);
  });

  test('reports the preferred ranking, or that no preference is shown', () => {
    const credits = [...Array<object>(14)].map((_, k) =>
      k < 11 ? { a: 0, b: 2 } : k < 13 ? { a: 1, b: 0 } : { a: 1, b: 1 },
    );
    expect(compareInterleaved(credits)).toMatchObject({
      a: 2,
      b: 11,
      ties: 1,
      share: 11 / 13,
      verdict: 'b is preferred',
    });
    expect(compareInterleaved(credits.slice(8)).verdict).toBe('no difference shown');
    expect(compareInterleaved([])).toMatchObject({ p: 1, verdict: 'no difference shown' });
  });

  // A user who likes the top of one ranking: with simulated clicks, that ranking wins.
  test('finds the ranking that clicks favour', () => {
    const random = seededRandom(5);
    const credits = Array.from({ length: 200 }, () => {
      const shown = teamDraft(['good', 'fair', 'bad'], ['bad', 'fair', 'good'], { key, length: 2, random });
      return creditOf(shown, (item) => random() < (item === 'good' ? 0.8 : item === 'fair' ? 0.3 : 0.1));
    });
    expect(compareInterleaved(credits).verdict).toBe('a is preferred');
  });
});
