import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { columns, createPipeline, type ProfileInput } from 'assize';
import { scorer } from 'assize/sdk';
import { duckDbEngine, rankWith } from 'assize/sql';
import { temporaryFolder } from '../temporary-folder.js';
import { messageOf, told } from './problems-of.js';

const entry = (rest: string): string => `tier2_scorers:\n  - { id: a, ${rest} }\n`;

describe('the range of an expression', () => {
  test('is two numbers in ascending order, in every list', async () => {
    expect(await told(entry('expr: candidate.a, range: [1, 0]'))).toMatchInlineSnapshot(`
      "
      p.yaml:2:40 error ASZ202 expected two numbers [least, most] in ascending order, found [1, 0]
        2 |   - { id: a, expr: candidate.a, range: [1, 0] }
          |                                        ^
      "
    `);
    expect(await told(entry('expr: candidate.a, range: [0]'))).toMatchInlineSnapshot(`
      "
      p.yaml:2:40 error ASZ202 expected a list of at least 2, found a list of 1
        2 |   - { id: a, expr: candidate.a, range: [0] }
          |                                        ^
      "
    `);
    expect(await told(entry('expr: candidate.a, range: 1'))).toMatchInlineSnapshot(`
      "
      p.yaml:2:40 error ASZ202 expected two numbers [least, most], found the number 1
        2 |   - { id: a, expr: candidate.a, range: 1 }
          |                                        ^
      "
    `);
    expect(await told(entry('expr: candidate.a, range: "0 to 1"'))).toMatchInlineSnapshot(`
      "
      p.yaml:2:40 error ASZ202 expected two numbers [least, most], found the string "0 to 1"
        2 |   - { id: a, expr: candidate.a, range: "0 to 1" }
          |                                        ^
      "
    `);
    expect(await told(entry('expr: candidate.a, range: [0, .nan]'))).toMatchInlineSnapshot(`
      "
      p.yaml:2:44 error ASZ202 expected a finite number, found NaN
        2 |   - { id: a, expr: candidate.a, range: [0, .nan] }
          |                                            ^
      "
    `);
    expect(await told(entry('expr: candidate.a, range: [0, "1"]'))).toMatchInlineSnapshot(`
      "
      p.yaml:2:44 error ASZ202 expected a number, found the string "1"
        2 |   - { id: a, expr: candidate.a, range: [0, "1"] }
          |                                            ^
      "
    `);
    expect(await told(`measures: [{ id: m, expr: candidate.a, range: [1, 0] }]`)).toMatchInlineSnapshot(`
      "
      p.yaml:1:47 error ASZ202 expected two numbers [least, most] in ascending order, found [1, 0]
        1 | measures: [{ id: m, expr: candidate.a, range: [1, 0] }]
          |                                               ^
      "
    `);
    expect(
      await told(entry('class: ScaledScorer, params: { scorer: { expr: candidate.a, range: [1, 0] } }')),
    ).toMatchInlineSnapshot(`
      "
      p.yaml:2:81 error ASZ202 expected two numbers [least, most] in ascending order, found [1, 0]
        2 |   - { id: a, class: ScaledScorer, params: { scorer: { expr: candidate.a, range: [1, 0] } } }
          |                                                                                 ^
      "
    `);
    const tier2_scorers = [{ id: 'a', expr: 'candidate.a', range: [Number.NaN, 1] }];
    expect(await messageOf({ tier2_scorers })).toMatchInlineSnapshot(`
      "
      tier2_scorers[0].range[0] error ASZ202 expected a finite number, found NaN
      "
    `);
  });

  test('is that of a class where there is one, and a veto has none', async () => {
    expect(await told(entry('class: CountScorer, params: { items: b }, range: [0, 1]'))).toMatchInlineSnapshot(`
      "
      p.yaml:2:63 error ASZ202 a class declares its own range; an entry declares one only with expr
        2 |   - { id: a, class: CountScorer, params: { items: b }, range: [0, 1] }
          |                                                               ^
      "
    `);
    expect(
      await told(
        entry('class: ScaledScorer, params: { scorer: { class: CountScorer, params: { items: b }, range: [0, 1] } }'),
      ),
    ).toMatchInlineSnapshot(`
      "
      p.yaml:2:104 error ASZ202 a class declares its own range; an entry declares one only with expr
        2 |   - { id: a, class: ScaledScorer, params: { scorer: { class: CountScorer, params: { items: b }, range: [0, 1] } } }
          |                                                                                                        ^
      "
    `);
    expect(await told('tier1_scorers: [{ id: v, expr: candidate.a, range: [0, 1] }]')).toContain('unknown key range');
  });

  test('is valid for measures and for entries inside others', async () => {
    const profile: ProfileInput = {
      measures: [{ id: 'm', expr: 'candidate.a', range: [0, 1] }],
      tier2_scorers: [{ id: 's', class: 'ScaledScorer', params: { scorer: { expr: 'measures.m', range: [0, 1] } } }],
    };
    expect((await createPipeline<object>(profile)).rankSync([{ a: 0.2 }, { a: 0.9 }]).selected[0]?.index).toBe(1);
  });

  test('goes with its expression when a profile replaces that', async () => {
    const base = 'tier2_scorers: [{ id: a, expr: candidate.a, range: [0, 1], out_of_range: clamp }]';
    const over = 'extends: [./base.yaml]\ntier2_scorers: [{ id: a, class: CountScorer, params: { items: b } }]';
    expect(await told(over, { 'base.yaml': base })).toBe('it is valid');
  });
});

const rows = [
  { id: 'over', a: 1.5, b: 0.1 },
  { id: 'in', a: 0.9, b: 0.6 },
  { id: 'under', a: -1, b: 0.2 },
];
const profileOf = (out_of_range: 'warn' | 'clamp' | 'fail'): ProfileInput => ({
  tier2_scorers: [
    { id: 'a', expr: 'candidate.a', range: [0, 1], out_of_range },
    { id: 'b', expr: 'candidate.b', range: [0, 1] },
  ],
  select: { top: 2 },
});

/** The selected candidates and their scores, by objects, columns, a stream and SQL. */
async function rankEverywhere(profile: ProfileInput) {
  const pipeline = await createPipeline<object>(profile);
  const file = join(temporaryFolder('range-'), 'rows.jsonl');
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const engine = await duckDbEngine([file], { threads: 1 });
  try {
    const rankings = [
      await pipeline.rank(rows),
      await pipeline.rank(
        columns({
          id: rows.map(({ id }) => id),
          a: Float64Array.from(rows, ({ a }) => a),
          b: Float64Array.from(rows, ({ b }) => b),
        }),
      ),
      await pipeline.rankStream(rows),
      await rankWith(profile, engine),
    ];
    return rankings.map(({ selected, warnings }) => ({
      selected: selected.map(({ id, score }) => [id, score]),
      warnings: warnings.map(({ code, message }) => `${code} ${message}`),
    }));
  } finally {
    await engine.close();
  }
}

describe('a score outside the range of its expression', () => {
  test('warns, and counts as it is', async () => {
    for (const { selected, warnings } of await rankEverywhere(profileOf('warn'))) {
      expect(selected).toEqual([
        ['over', 0.8],
        ['in', 0.75],
      ]);
      expect(warnings).toEqual(['ASZ713 a was outside its range of 0 to 1 for 1 of the first selected: 1.5 for over']);
    }
  });

  test('is clamped', async () => {
    for (const { selected, warnings } of await rankEverywhere(profileOf('clamp'))) {
      expect(selected).toEqual([
        ['in', 0.75],
        ['over', 0.55],
      ]);
      expect(warnings).toEqual([]);
    }
  });

  test('fails the run', async () => {
    await expect(rankEverywhere(profileOf('fail'))).rejects.toThrow('it returned 1.5, outside its range of 0 to 1');
  });
});

describe('a range of an expression bounds', () => {
  /** Reads a list, of which no other value can be tried. */
  const counted = 'double(size(candidate.tags)) / 4.0';
  const tagged = [
    { id: 'first', a: 0.9, tags: ['x', 'y', 'z'] },
    { id: 'last', a: 0.1, tags: ['x'] },
  ];
  const by = (range?: readonly [number, number]): ProfileInput => ({
    tier2_scorers: [
      { id: 'a', expr: 'candidate.a' },
      { id: 'tags', expr: counted, ...(range && { range }) },
    ],
  });
  const flipOf = async (range?: readonly [number, number]) =>
    (await (await createPipeline<object>(by(range))).rank(tagged))
      .compare('first', 'last')
      .then(({ flips }) => flips?.values.find(({ id }) => id === 'tags'));

  test('counterfactuals', async () => {
    expect(await flipOf()).toMatchObject({ because: 'it does not declare the range of its scores' });
    expect(await flipOf([0, 1])).toMatchObject({ state: 'none', within: { least: 0, most: 1 } });
    expect(await flipOf([0, 4])).toMatchObject({ state: 'flips', threshold: expect.closeTo(1.55) });
  });

  test('the totals of pruning: a clamped number counts as clamped in the bounds', async () => {
    let calls = 0;
    const Grade = scorer(({ grade }: { readonly grade: number }) => ((calls += 1), grade), {
      range: [0, 1],
      cost: 1_000_000,
    });
    const profile: ProfileInput = {
      tier2_scorers: [
        { id: 'a', expr: 'candidate.a', range: [0, 1], out_of_range: 'clamp' },
        { id: 'grade', class: 'Grade' },
      ],
      select: { top: 3 },
    };
    // Unclamped, the first hundred would be far ahead of the others whatever their grade.
    const many = Array.from({ length: 300 }, (_, k) => ({ id: k, a: k < 100 ? 5 : k / 300, grade: (k % 7) / 7 }));
    const pipeline = await createPipeline<object>(profile, { units: { Grade } });
    const pruned = await pipeline.rank(many);
    const callsOfPruned = calls;
    const whole = await pipeline.rank(many, {}, { prune: false });
    const scoresOf = (ranking: typeof whole) => ranking.selected.map(({ id, score }) => [id, score]);
    expect(scoresOf(pruned)).toEqual(scoresOf(whole));
    expect(pruned.pruned).toMatchObject({ exact: true, entries: [{ entry: 'grade', evaluated: callsOfPruned }] });
    expect(callsOfPruned).toBeLessThan(300);
  });

  test('warnings of a profile: a range that outweighs another', async () => {
    const tier2_scorers = [
      { id: 'a', expr: 'candidate.a', range: [0, 100] as const },
      { id: 'b', expr: 'candidate.b', range: [0, 1] as const },
    ];
    const { warnings } = await createPipeline<object>({ tier2_scorers, combine: 'weighted_sum' });
    expect(warnings.map(({ code }) => code)).toContain('ASZ705');
  });

  test('ends close to its bounds, however wide it is', async () => {
    const outside = async (range: readonly [number, number], a: number): Promise<boolean> => {
      const tier2_scorers = [{ id: 'a', expr: 'candidate.a', range, out_of_range: 'fail' as const }];
      const pipeline = await createPipeline<object>({ tier2_scorers });
      try {
        pipeline.rankSync([{ id: 'x', a }]);
        return false;
      } catch {
        return true;
      }
    };
    expect(await outside([0, 1e12], -5)).toBe(true);
    expect(await outside([0, Number.MAX_VALUE], -5)).toBe(true);
    expect(await outside([-Number.MAX_VALUE, 0], 1e-6)).toBe(true);
    expect(await outside([0, 1e12], 1.001e12)).toBe(true);
    expect(await outside([0, 1], 1.00001)).toBe(true);
    expect(await outside([1000, 1000.001], 1000.0011)).toBe(true);
    // Rounding is not outside.
    expect(await outside([0, 1], -2.2e-16)).toBe(false);
    expect(await outside([0, 1e12], 1e12 + 1e-3)).toBe(false);
    expect(await outside([-Number.MAX_VALUE, Number.MAX_VALUE], Number.MAX_VALUE)).toBe(false);
  });
});
