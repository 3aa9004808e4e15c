import { describe, expect, test } from 'vitest';
import type { JudgedQuery } from '@assize/evaluate';
import { leakWarnings, overlapOf, readSketch, sketchOf, tunedOnWarning } from '../../src/dataset/leaks.js';
import { seededRandom } from '../../src/significance/distributions.js';
import { tunedYaml, tuneWeights } from '@assize/evaluate/tune';
import { madeQueries } from '../tune/made-queries.js';

const labelled = (candidates: readonly object[], grades: readonly number[], more: Partial<JudgedQuery> = {}) => ({
  queries: [{ id: 'all', candidates, grades, ...more } as JudgedQuery<object>],
  hasQueries: false,
});
const messages = (dataset: Parameters<typeof leakWarnings>[0]) =>
  leakWarnings(dataset).map(({ code, message, hint }) => `${code} ${message}; ${hint}`);

/** People with several rows: their features with noise, and their label. */
function peopleRows(people: number, each: number, noise: number) {
  const random = seededRandom(6);
  const rows = Array.from({ length: people }, (_, who) => {
    const own = [random(), random(), random(), random()];
    const grade = random() < 0.5 ? 1 : 0;
    return Array.from({ length: each }, () => {
      const [a, b, c, d] = own.map((x) => x + noise * (random() - 0.5));
      return { row: { a, b, c, d }, who: `p${who}`, grade };
    });
  }).flat();
  return rows;
}

describe('rows that belong together', () => {
  const rows = peopleRows(60, 4, 0.01);
  const grades = rows.map(({ grade }) => grade);

  test('are found by a field with a name that suggests an owner', () => {
    const named = rows.map(({ row, who }) => ({ ...row, meta: { user_id: who } }));
    expect(messages(labelled(named, grades))).toEqual([
      'ASZ738 240 rows share meta.user_id with others, and each of the 240 rows counts as independent; add --group-by meta.user_id to keep related ones together',
    ]);
    expect(messages(labelled(named, grades, { candidateGroups: rows.map(({ who }) => who) }))).toEqual([]);
  });

  test('are found by a field that determines the others, whatever its name', () => {
    expect(
      messages(
        labelled(
          rows.map(({ row, who }) => ({ ...row, who })),
          grades,
        ),
      )[0],
    ).toContain('--group-by who');
  });

  test('are found as near-duplicates if no field identifies them', () => {
    expect(
      messages(
        labelled(
          rows.map(({ row }) => row),
          grades,
        ),
      )[0],
    ).toMatch(/^ASZ738 2\d\d rows are nearly the same as another/);
  });

  test('are found by repeated ids', () => {
    const random = seededRandom(2);
    const twice = rows.map((_, k) => ({ id: `r${k >> 1}`, x: random() }));
    expect(messages(labelled(twice, grades))[0]).toContain('240 rows share id with others');
  });

  test.each([
    ['independent rows', () => peopleRows(240, 1, 0).map(({ row }) => row)],
    ['independent rows with ids', () => peopleRows(240, 1, 0).map(({ row }, k) => ({ id: `r${k}`, ...row }))],
    [
      'rows with categories',
      () => peopleRows(240, 1, 0).map(({ row }, k) => ({ ...row, genre: `g${k % 12}`, year: 1990 + (k % 30) })),
    ],
    [
      'rows of few values',
      () =>
        peopleRows(240, 1, 0).map(({ row }) => ({
          a: Math.round(row.a ?? 0),
          b: Math.round(row.b ?? 0),
          c: Math.round(row.c ?? 0),
        })),
    ],
    [
      'correlated rows',
      () =>
        peopleRows(240, 1, 0).map(({ row }) => ({
          a: row.a,
          b: (row.a ?? 0) + 0.3 * (row.b ?? 0),
          c: (row.a ?? 0) + 0.3 * (row.c ?? 0),
        })),
    ],
  ])('are not found among %s', (_name, make) => {
    expect(messages(labelled(make(), grades))).toEqual([]);
  });
});

describe('queries that belong together', () => {
  const queries: readonly JudgedQuery<object>[] = madeQueries(40);

  test('are found if they have the same candidates and grades, or one user', () => {
    const copies = [...queries.slice(0, 20), ...queries.slice(0, 20).map((one) => ({ ...one, id: `again ${one.id}` }))];
    expect(messages({ queries: copies, hasQueries: true })[0]).toContain('40 queries are nearly the same as another');
    const ofUsers = queries.map((one, q) => ({ ...one, context: { user: `u${q % 10}` } }));
    expect(messages({ queries: ofUsers, hasQueries: true })[0]).toContain('--group-by user');
  });

  test('are not found among others, or if all rank the same candidates', () => {
    expect(messages({ queries, hasQueries: true })).toEqual([]);
    const [{ candidates } = { candidates: [] }] = queries;
    const pool = queries.map(({ id, grades }) => ({ id, candidates, grades, context: { text: id } }));
    expect(messages({ queries: pool, hasQueries: true })).toEqual([]);
  });
});

describe('a profile that was tuned', () => {
  const queries: readonly JudgedQuery<object>[] = madeQueries(60);
  const profile = {
    name: 'items',
    tier2_scorers: [
      { id: 'good', expr: 'candidate.good' },
      { id: 'noise', expr: 'candidate.noise' },
    ],
  };

  test('is recognised on the data that it was tuned on, and on a part of it, but not on other data', async () => {
    const tuning = await tuneWeights(profile, queries.slice(0, 40), { measure: 'nDCG@5', repeats: 1 });
    const yaml = tunedYaml(tuning, { extends: './items.yaml' });
    expect(readSketch(yaml)).toEqual(tuning.data);
    const warned = (some: readonly JudgedQuery<object>[]) =>
      tunedOnWarning('tuned', yaml, { queries: some, hasQueries: true }).map(({ message }) => message);
    expect(warned(queries.slice(0, 40))).toEqual([
      'tuned is evaluated on the data that it was tuned on: its values are too good',
    ]);
    expect(warned(queries)[0]).toContain('the data');
    expect(warned(queries.slice(0, 25))[0]).toMatch(/about \d+ % of the data/);
    expect(warned(queries.slice(40))).toEqual([]);
    expect(tunedOnWarning('plain', 'name: plain\n', { queries, hasQueries: true })).toEqual([]);
  });

  test('has a sketch that estimates the share of its data that is present', () => {
    const rows = Array.from({ length: 4000 }, (_, k) => ({ x: k }));
    const whole = { queries: [{ id: 'all', candidates: rows, grades: rows.map((_, k) => k % 2) }], hasQueries: false };
    const half = {
      queries: [{ id: 'all', candidates: rows.slice(0, 2000), grades: rows.slice(0, 2000).map((_, k) => k % 2) }],
      hasQueries: false,
    };
    expect(overlapOf(sketchOf(whole), whole)).toBe(1);
    expect(overlapOf(sketchOf(half), whole)).toBe(1);
    expect(Math.abs(overlapOf(sketchOf(whole), half) - 0.5)).toBeLessThan(0.35);
  });
});
