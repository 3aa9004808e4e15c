import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareInterleaved, creditOf, seededRandom, signTest, teamDraft } from '../../../src/evaluate/index.js';

const key = (item: string): string => item;
const ranking = fc.uniqueArray(fc.constantFrom(...'abcdefgh'.split('')), { maxLength: 8 });

describe('team draft', () => {
  test('shows each item once, best first of each ranking, and teams of one size', () => {
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

  test('gives both rankings each place as often', () => {
    const random = seededRandom(1);
    let first = 0;
    for (let k = 0; k < 4000; k++) first += teamDraft(['x', 'y'], ['y', 'x'], { key, random })[0]!.team === 'a' ? 1 : 0;
    expect(first / 4000).toBeCloseTo(0.5, 1);
  });

  test('clicks speak for who brought the item', () => {
    const shown = teamDraft(['x', 'y', 'z'], ['p', 'q', 'x'], { key, random: () => 0 });
    expect(shown.map(({ item, team }) => item + team)).toEqual(['xa', 'pb', 'ya', 'qb', 'za']);
    expect(creditOf(shown, (item) => ['x', 'q', 'z', 'elsewhere'].includes(item))).toEqual({ a: 2, b: 1 });
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

  test('says which ranking people preferred, or that none was shown to be', () => {
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

  // A user who likes what one ranking has first: simulated clicks, and the ranking that she likes wins.
  test('finds the ranking that clicks favour', () => {
    const random = seededRandom(5);
    const credits = Array.from({ length: 200 }, () => {
      const shown = teamDraft(['good', 'fair', 'bad'], ['bad', 'fair', 'good'], { key, length: 2, random });
      return creditOf(shown, (item) => random() < (item === 'good' ? 0.8 : item === 'fair' ? 0.3 : 0.1));
    });
    expect(compareInterleaved(credits).verdict).toBe('a is preferred');
  });
});
