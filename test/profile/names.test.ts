import { describe, expect, test } from 'vitest';
import { columns, createPipeline, type PipelineOptions, type ProfileInput } from 'assize';
import { messageOf, told } from './problems-of.js';

describe('let and stats: problems', () => {
  test('have the place of the name or of its reader', async () => {
    const yaml = `let:
  a: b + 1
  b: a
  now: '3'
  popular: candidate.stars > 3
  most: stats.price.max
stats: { price: candidate.price, x: stats.y.max, y: stats.x.max }
tier1_scorers: [{ id: off, expr: most > 2 }]
measures: [{ id: m, expr: stats.price.max }]
tier2_scorers:
  - { id: popular, expr: stats.price.medain }
  - { id: other, expr: stats.prize.mean + stats.price, when: popular }
`;
    expect(await told(yaml)).toMatchInlineSnapshot(`
      "
      p.yaml:2:6 error ASZ206 the name a reads itself: a → b → a
        2 |   a: b + 1
          |      ^
      p.yaml:4:3 error ASZ204 the name now is reserved
        4 |   now: '3'
          |   ^
        it has another meaning
      p.yaml:5:3 error ASZ203 the name popular is taken
        5 |   popular: candidate.stars > 3
          |   ^
        a scorer has this id, which a formula reads by the same name
      p.yaml:7:37 error ASZ206 the statistic x reads itself: stats.x → stats.y → stats.x
        7 | stats: { price: candidate.price, x: stats.y.max, y: stats.x.max }
          |                                     ^
      p.yaml:8:34 error ASZ402 most cannot be read in a veto: unknown name "stats"
        8 | tier1_scorers: [{ id: off, expr: most > 2 }]
          |                                  ^
        stats is available in Tier 2, the formula, rules and select, which run after the vetoes
      p.yaml:9:27 error ASZ402 unknown name "stats" in a measure
        9 | measures: [{ id: m, expr: stats.price.max }]
          |                           ^
        stats is available in Tier 2, the formula, rules and select, which run after the vetoes
      p.yaml:11:38 error ASZ402 unknown field "medain" of stats.price
        11 |   - { id: popular, expr: stats.price.medain }
           |                                      ^
        did you mean mean?
      p.yaml:12:30 error ASZ402 unknown field "prize" of stats
        12 |   - { id: other, expr: stats.prize.mean + stats.price, when: popular }
           |                              ^
        did you mean price?
      p.yaml:12:43 error ASZ402 stats.price cannot be read as a whole
        12 |   - { id: other, expr: stats.prize.mean + stats.price, when: popular }
           |                                           ^
        there are stats.price.min, stats.price.max, stats.price.sum, stats.price.mean, stats.price.count, stats.price.stddev, stats.price.stddev_sample
      p.yaml:12:62 error ASZ402 popular cannot be read in an expression evaluated once per run: unknown name "candidate"
        12 |   - { id: other, expr: stats.prize.mean + stats.price, when: popular }
           |                                                              ^
        candidate is available in vetoes, measures, scorers, rules and select
      10 problems
      "
    `);
  });

  test('of an unknown name suggest one of them', async () => {
    const profile = { let: { age_days: 'candidate.age' }, tier2_scorers: [{ id: 'a', expr: 'age_day / 2' }] };
    expect(await messageOf(profile)).toContain('unknown name "age_day" in a scorer\n  did you mean age_days?');
  });

  test('a name that is invalid is reported once', async () => {
    const profile = {
      let: { bad: 'candidate.x +' },
      tier2_scorers: [
        { id: 'a', expr: 'bad / 2' },
        { id: 'b', expr: 'bad * 2' },
      ],
    };
    expect((await messageOf(profile)).match(/ASZ/g)).toHaveLength(1);
  });

  test('names that stand for too much are an error, and soon', async () => {
    const doubled = Object.fromEntries(
      Array.from({ length: 25 }, (_, k) => [`a${k}`, k === 0 ? 'candidate.x' : `a${k - 1} + a${k - 1}`]),
    );
    const profile = { let: doubled, tier2_scorers: [{ id: 's', expr: 'a20' }] };
    expect(await messageOf(profile)).toContain('the names in it stand for more than 100000 characters');
    const chain = Object.fromEntries(
      Array.from({ length: 300 }, (_, k) => [`a${k}`, k === 299 ? 'candidate.x' : `a${k + 1} + 1`]),
    );
    const nested = { let: chain, tier2_scorers: [{ id: 's', expr: 'a0' }] };
    expect(await messageOf(nested)).toContain('names are nested too deeply; the maximum is 50');
  });

  test('a scorer with the id stats is an error only if the profile has statistics', async () => {
    const scorers = [{ id: 'stats', expr: 'candidate.x' }];
    const plain: ProfileInput = { tier2_scorers: scorers, combine: { formula: 'stats * 2' } };
    expect(await messageOf(plain)).toBe('it is valid');
    expect(await messageOf({ ...plain, stats: { x: 'candidate.x' } })).toContain('ASZ203 the name stats is taken');
  });

  test('what nothing reads is a warning', async () => {
    const { warnings } = await createPipeline({
      let: { a: 'candidate.x', b: 'a + 1', c: 'b' },
      stats: { x: 'b', y: 'candidate.y' },
      tier2_scorers: [{ id: 's', expr: 'stats.x.max' }],
    });
    expect(warnings.map(({ code, path, message }) => `${code} ${path}: ${message}`)).toEqual([
      'ASZ702 let.c: no expression reads c',
      'ASZ702 stats.y: no expression reads stats.y',
    ]);
  });
});

const scoresBy = async (
  profile: ProfileInput,
  candidates: readonly object[],
  options: PipelineOptions = { codegen: true },
) =>
  (await createPipeline<object>(profile, options))
    .rankSync(candidates, { bonus: 2 })
    .ranked.map(({ id, score }) => [id, score]);

test('names merge under extends, also those that are keys elsewhere; fields are renamed in them', async () => {
  const base =
    'let: { type: candidate.content, name: size(type), class: 1 }\nstats: { type: { of: name, by: type } }\n';
  const over = `extends: [./base.yaml]
fields: { content: text }
let: { class: 3, type: lower(candidate.content) }
stats: { type: name }
tier2_scorers: [{ id: s, expr: name + class + stats.type.sum }]
`;
  expect(await told(over, { 'base.yaml': base })).toBe('it is valid');
  const merged: ProfileInput = {
    fields: { content: 'text' },
    let: { type: 'lower(candidate.content)', name: 'size(type)', class: 3 },
    stats: { type: 'name' },
    tier2_scorers: [{ id: 's', expr: 'name + class + stats.type.sum' }],
  };
  const given = [
    { id: 'a', text: 'One' },
    { id: 'b', text: 'Three' },
  ];
  expect(await scoresBy(merged, given)).toEqual([
    ['b', 5 + 3 + 8],
    ['a', 3 + 3 + 8],
  ]);
});

test('the same numbers from objects, columns and without code generation, and with a context per run', async () => {
  const profile: ProfileInput = {
    let: {
      extra: 'context.bonus * 2',
      half: 'candidate.x / extra',
      low: 'half < 1',
      word: 'candidate.?w.orValue("none")',
    },
    signals: [{ id: 'twice', class: 'ExpressionSignal', params: { value: 'extra * 2' } }],
    tier1_scorers: [{ id: 'v', expr: 'low && word == "none"' }],
    tier2_scorers: [
      { id: 'a', expr: 'low ? half : half * 2' },
      { id: 'b', expr: 'half / (half + signals.twice)', when: 'extra > 3', weight: 'extra' },
      { id: 'c', expr: 'word in ["x", "y"] ? half : 0' },
    ],
    adjustments: [{ id: 'r', when: '!low', add: 'half / 10' }],
  };
  const stored = {
    id: Array.from({ length: 100 }, (_, i) => `c${i}`),
    x: Array.from({ length: 100 }, (_, i) => (i % 7 === 0 ? null : i / 3)),
    w: Array.from({ length: 100 }, (_, i) => (i % 3 === 0 ? null : ['x', 'z'][i % 2]!)),
  };
  const objects = stored.id.map((id, i) => ({ id, x: stored.x[i], w: stored.w[i] }));
  const found = await scoresBy(profile, objects);
  expect(found).toHaveLength(92); // 3 are refused by the veto, 5 have no score
  const { when: _when, weight: _weight, ...plain } = profile.tier2_scorers![1]!;
  const fused = { ...profile, tier2_scorers: [profile.tier2_scorers![0]!, plain, profile.tier2_scorers![2]!] };
  for (const one of [profile, fused]) {
    // oxlint-disable-next-line no-await-in-loop -- one after another
    const expected = await scoresBy(one, objects, { codegen: false });
    // oxlint-disable-next-line no-await-in-loop -- one after another
    expect(await scoresBy(one, objects)).toEqual(expected);
    // oxlint-disable-next-line no-await-in-loop -- one after another
    expect(await scoresBy(one, columns(stored))).toEqual(expected);
  }
  const pipeline = await createPipeline<object>(fused);
  const first = (bonus: number) => pipeline.rankSync(objects.slice(50, 51), { bonus }).ranked[0]?.score;
  expect(first(1)).not.toBe(first(2));
  expect(first(1)).toBe(first(1));
});

test('a candidate that changed after its ranking is detected through a name', async () => {
  const pipeline = await createPipeline<{ id: string; x: number }>({
    let: { twice: 'candidate.x * 2' },
    tier2_scorers: [{ id: 'a', expr: 'twice' }],
  });
  const given = [{ id: 'a', x: 1 }];
  const ranking = pipeline.rankSync(given);
  ranking.explain('a');
  given[0]!.x = 2;
  expect(() => ranking.explain('a')).toThrow('ASZ503');
});
