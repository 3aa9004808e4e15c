/* Probable mistakes that the values of candidates show: their types are not those that the profile expects. */
import { describe, expect, test } from 'vitest';
import type { ProfileInput, Ranking } from 'assize';
import { rankBy } from '../properties/ranked.js';

const textsOf = ({ scoreWarnings }: Ranking<object>): readonly string[] =>
  scoreWarnings.map(({ code, message, hint }) => [code, message, hint].filter(Boolean).join('; '));
const codesOf = (ranking: Ranking<object>): readonly string[] => textsOf(ranking).map((text) => text.slice(0, 6));

describe('an entry that fails on many candidates', () => {
  const ages = (texts: number, numbers: number): readonly object[] =>
    Array.from({ length: texts + numbers }, (_, i) => ({
      id: `c${i}`,
      age: i < texts ? `${i} years` : i,
      stars: i % 3,
    }));
  const profile: ProfileInput = {
    tier1_scorers: [{ id: 'old', expr: 'candidate.age > 90 || candidate.age.startsWith("x")' }],
    tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }],
  };

  test('is named with each cause, its count and its first candidate, if others remain', async () => {
    const veto: ProfileInput = { ...profile, tier1_scorers: [{ id: 'old', expr: 'candidate.age > 90' }] };
    const mixed = [...ages(6, 4), { id: 'true', age: true, stars: 4 }];
    const ranking = await rankBy(veto, mixed);
    expect(ranking.ranked.length).toBe(4);
    expect(textsOf(ranking)).toMatchInlineSnapshot(`
      [
        "ASZ747; old fails on 7 of 11 candidates, and refuses them: c0: > needs two numbers or two strings, found the string "0 years" and the number 90 (6); true: > needs two numbers or two strings, found true and the number 90 (1); fix or convert the values that it reads: double(…), string(…), date(…); or set on_error: pass to keep them",
      ]
    `);
  });

  test('is named also if its candidates are kept, or a scorer or measure fails', async () => {
    const kept = await rankBy(
      {
        tier1_scorers: [{ id: 'old', expr: 'candidate.age > 90', on_error: 'pass' }],
        measures: [{ id: 'half', expr: 'candidate.age / 2' }],
        tier2_scorers: [
          { id: 'stars', expr: 'candidate.stars' },
          { id: 'twice', expr: 'candidate.age * 2', on_error: 'skip' },
        ],
        combine: 'max',
      },
      ages(6, 4),
    );
    expect(textsOf(kept)).toMatchInlineSnapshot(`
      [
        "ASZ747; old fails on 6 of 10 candidates: > needs two numbers or two strings, found the string "0 years" and the number 90; fix or convert the values that it reads: double(…), string(…), date(…)",
        "ASZ747; half fails on 6 of 10 candidates: / needs numbers, found the string "0 years"; fix or convert the values that it reads: double(…), string(…), date(…)",
        "ASZ747; twice fails on 6 of 10 candidates: * needs numbers, found the string "0 years"; fix or convert the values that it reads: double(…), string(…), date(…)",
      ]
    `);
  });

  test('is not named for few candidates, and once if nothing is ranked', async () => {
    const veto: ProfileInput = { ...profile, tier1_scorers: [{ id: 'old', expr: 'candidate.age > 90' }] };
    expect(codesOf(await rankBy(veto, ages(4, 96)))).not.toContain('ASZ747');
    expect(codesOf(await rankBy(veto, ages(5, 75)))).toContain('ASZ747');
    const none = await rankBy(veto, ages(6, 0));
    expect(none.warnings[0]?.code).toBe('ASZ721');
    expect(codesOf(none)).not.toContain('ASZ747');
  });
});

describe('a comparison that never holds', () => {
  const candidates = [
    { id: 'a', done: 'no', age: '12', level: 3, open: true, tags: ['x'] },
    { id: 'b', done: null, age: '3', level: 1, open: false },
    { id: 'c', done: 'yes', age: 'old', level: 2, open: true },
  ];
  const warningsOf = async (expr: string): Promise<readonly string[]> => {
    const ranking = await rankBy(
      { tier2_scorers: [{ id: 'one', expr: `${expr} ? candidate.level : candidate.level / 2` }] },
      candidates,
    );
    return textsOf(ranking).filter((text) => text.startsWith('ASZ748'));
  };

  test.each([
    [
      'candidate.done == false',
      'never',
      'a boolean, and the field is a text: "no" for a; compare with a text: == "no"',
    ],
    [
      'false != candidate.done',
      'always',
      'a boolean, and the field is a text: "no" for a; compare with a text: != "no"',
    ],
    [
      'candidate.age == 12',
      'never',
      'a number, and the field is a text: "12" for a; convert the text: double(candidate.age) == 12',
    ],
    [
      'candidate.level in ["1", "2"]',
      'never',
      'a text, and the field is a number: 3 for a; compare with a number: in [3]',
    ],
    [
      'candidate["open"] == "true"',
      'never',
      'a text, and the field is a boolean: true for a; compare with a boolean: == true',
    ],
  ])('%s', async (expr, holds, rest) => {
    const [warning = '', ...more] = await warningsOf(expr);
    expect(more).toEqual([]);
    expect(warning).toContain(` ${holds} holds: it compares with ${rest}`);
  });

  test.each([
    'candidate.done == "no"',
    'candidate.done == "maybe"',
    'candidate.level == 7',
    'candidate.absent == 7',
    'candidate.tags == "x"',
    '"x" in candidate.tags',
    'candidate.level in [7, "a"]',
    'candidate.done == candidate.level',
    'candidate.done != null',
  ])('is not %s', async (expr) => {
    expect(await warningsOf(expr)).toEqual([]);
  });

  test('is not one that holds for a candidate', async () => {
    const ranking = await rankBy({ tier2_scorers: [{ id: 'one', expr: 'candidate.done == false ? 1 : 0' }] }, [
      ...candidates,
      { id: 'd', done: false },
    ]);
    expect(codesOf(ranking)).not.toContain('ASZ748');
  });

  test('is found in vetoes, rules and named expressions', async () => {
    const profile: ProfileInput = {
      let: { strong: 'candidate.level == "3"' },
      tier1_scorers: [{ id: 'done', expr: 'candidate.done == true' }],
      tier2_scorers: [{ id: 'level', expr: 'strong ? candidate.level : 0' }],
      adjustments: [{ id: 'cap', when: 'candidate.open == "true"', max: 1 }],
    };
    const found = textsOf(await rankBy(profile, candidates)).filter((text) => text.startsWith('ASZ748'));
    expect(found.map((text) => /ASZ748; (\w+):/.exec(text)?.[1])).toEqual(['done', 'level', 'cap']);
  });
});

describe('scores outside of 0 to 1 next to scores inside', () => {
  const candidates = [0, 1, 2, 3].map((n) => ({ id: `c${n}`, stars: n * 60, rating: (n % 3) / 2, cost: n / 10 }));
  const expr = (id: string, text: string) => ({ id, expr: text });

  test('are one warning, because they are added as they are', async () => {
    const ranking = await rankBy(
      {
        tier2_scorers: [
          expr('stars', 'candidate.stars / 100'),
          expr('rating', 'candidate.rating'),
          expr('cost', '-candidate.cost'),
        ],
      },
      candidates,
    );
    expect(textsOf(ranking)).toMatchInlineSnapshot(`
      [
        "ASZ705; stars (0 to 1.8 here), cost (-0.3 to 0 here) leave 0 to 1, and rating (0 to 1 here) does not: scores are not normalized, so the larger one counts more than its weight; if it is not intended, scale the expression, or limit it: range: [0, 1], out_of_range: clamp",
      ]
    `);
  });

  test('are no warning if all are outside, a range is declared, or nothing is summed', async () => {
    const stars = expr('stars', 'candidate.stars / 100');
    const rating = expr('rating', 'candidate.rating');
    for (const profile of [
      { tier2_scorers: [stars] },
      { tier2_scorers: [stars, expr('rating', 'candidate.rating * 3')] },
      { tier2_scorers: [{ ...stars, range: [0, 1] as const, out_of_range: 'clamp' as const }, rating] },
      { tier2_scorers: [{ ...stars, range: [0, 5] as const }, rating] },
      { tier2_scorers: [stars, rating], combine: 'max' as const },
    ])
      expect(codesOf(await rankBy(profile, candidates))).toEqual([]);
  });
});
