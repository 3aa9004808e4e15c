import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { conditionIn, conditionText, conditionWords, type Operator } from '../../src/page/add/conditions.js';
import {
  criterionIn,
  criterionKeys,
  criterionWords,
  proposedCriterion,
  SHAPES,
} from '../../src/page/add/criterion-shapes.js';
import { labelKeys } from '../../src/page/add/entry-label.js';
import { type FieldFacts, fieldFacts, fieldNote } from '../../src/page/add/field-facts.js';
import { countMatches } from '../../src/page/add/count-matches.js';
import type { JsonMap } from '../../src/save/data-edit.js';
import { effectOf, effectWords } from '../../src/page/add/effect.js';

const candidates = [
  { id: 'a', stars: 1, 'No. of votes': 10, kind: 'Old', tags: ['x', 'y'], at: '2020-01-01', deep: { in: 5 }, ok: true },
  {
    id: 'b',
    stars: 5,
    'No. of votes': -20,
    kind: 'new "one"',
    tags: ['y'],
    at: '2024-06-01T12:00:00Z',
    deep: {},
    ok: false,
  },
  { id: 'c', stars: 9, kind: 'Old', tags: [], at: '2022-01-01', deep: { in: 7 } },
  { id: 'd', stars: null },
];
const fields = fieldFacts(candidates);
const field = (name: string): FieldFacts => fields.find((one) => one.name === name)!;
const now = Date.parse('2025-01-01');

test('the inventory of fields: types, shares, ranges and frequent values, also of nested fields', () => {
  expect(fields.map(({ name, type, present }) => [name, type, present])).toEqual([
    ['id', 'text', 1],
    ['stars', 'number', 0.75],
    ['No. of votes', 'number', 0.5],
    ['kind', 'text', 0.75],
    ['tags', 'list', 0.75],
    ['at', 'date', 0.75],
    ['deep.in', 'number', 0.5],
    ['ok', 'yes/no', 0.5],
  ]);
  expect(field('stars').range).toEqual([1, 9]);
  expect(field('kind').frequent[0]).toEqual({ value: 'Old', count: 2 });
  expect(field('tags').frequent[0]).toEqual({ value: 'y', count: 2 });
  expect(fieldNote(field('at'))).toBe('date; 2020-01-01 to 2024-06-01; 75 % have it');
  expect(fieldFacts(candidates)).toBe(fields);
});

describe('conditions', () => {
  test.each<readonly [string, Operator, readonly string[], string]>([
    ['stars', 'less', ['5'], 'a'],
    ['stars', 'more', ['4.5'], 'bc'],
    ['stars', 'missing', [], 'd'],
    ['No. of votes', 'is', ['-20'], 'b'],
    ['No. of votes', 'missing', [], 'cd'],
    ['kind', 'is', ['Old', 'new "one"'], 'abc'],
    ['kind', 'is', ['new "one"'], 'b'],
    ['kind', 'is not', ['Old'], 'b'],
    ['kind', 'contains', ['old', 'zzz'], 'ac'],
    ['tags', 'contains', ['x'], 'a'],
    ['tags', 'contains', ['x', 'y'], 'ab'],
    ['at', 'before', ['2022-01-02'], 'ac'],
    ['at', 'after', ['2024-01-01'], 'b'],
    ['deep.in', 'missing', [], 'bd'],
    ['deep.in', 'more', ['6'], 'c'],
    ['ok', 'yes', [], 'a'],
    ['ok', 'no', [], 'b'],
    ['ok', 'missing', [], 'cd'],
  ])('%s %s %j refuses %s, and is read again', async (name, operator, values, refused) => {
    const condition = { field: field(name), operator, values };
    const expr = conditionText(condition)!;
    const pipeline = await createPipeline<{ id: string }>({
      tier1_scorers: [{ id: 'veto', expr }],
      tier2_scorers: [{ id: 'one', expr: '1.0' }],
    });
    const ranking = await pipeline.rank(candidates, {});
    expect(
      ranking.refused
        .map(({ id }) => id)
        .toSorted()
        .join(''),
    ).toBe(refused);
    expect(await countMatches(candidates, {}, expr)).toBe(refused.length);
    expect(conditionIn(expr, fields)).toEqual(condition);
    expect(conditionWords(condition)).toContain(name);
  });

  test('any texts are quoted, so that a condition stays one comparison', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 3 }),
        async (values) => {
          const all = values.map((kind, k) => ({ id: `v${k}`, kind }));
          const [kind] = fieldFacts([...all, { id: 'z', kind: 'not in it: \u0000' }]).filter(
            ({ name }) => name === 'kind',
          );
          const expr = conditionText({ field: { ...kind!, type: 'text' }, operator: 'is', values })!;
          expect(await countMatches(all, {}, expr)).toBe(all.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('an incomplete condition has no expression, and an expression of a person is not a condition', () => {
    expect(conditionText({ field: field('stars'), operator: 'less', values: ['x'] })).toBeUndefined();
    expect(conditionText({ field: field('kind'), operator: 'is', values: [] })).toBeUndefined();
    expect(conditionIn('candidate.stars * 2 > 5', fields)).toBeUndefined();
  });
});

describe('criteria', () => {
  const every = fields.flatMap((one) => SHAPES[one.type].map((shape) => ({ ...proposedCriterion(one, now), shape })));

  test.each(every.map((one) => [`${one.field.name}: ${one.shape}`, one] as const))(
    '%s ranks from 0 to 1, and is read again',
    async (_name, criterion) => {
      const keys = criterionKeys(criterion)!;
      const pipeline = await createPipeline<object>({ tier2_scorers: [{ id: 'new', ...keys }] });
      const { ranked } = await pipeline.rank(candidates, { now });
      expect(ranked.length).toBeGreaterThan(1);
      const isNegative = criterion.shape === 'value' && (criterion.field.range?.[0] ?? 0) < 0;
      for (const { score } of ranked) expect(score).toBeGreaterThanOrEqual(isNegative ? -1 : 0);
      for (const { score } of ranked) expect(score).toBeLessThanOrEqual(1);
      expect(criterionKeys(criterionIn({ id: 'new', ...keys }, fields, now)!)).toEqual(keys);
      expect(criterionWords(criterion)).toContain(criterion.field.name);
    },
  );

  test('the proposed shape depends on the type and the name', () => {
    const shapeOf = (name: string) => proposedCriterion(field(name), now).shape;
    expect([shapeOf('stars'), shapeOf('at'), shapeOf('kind'), shapeOf('ok')]).toEqual([
      'more',
      'newer',
      'one of',
      'yes',
    ]);
    expect(proposedCriterion({ ...field('stars'), name: 'price' }, now).shape).toBe('less');
    expect(criterionIn({ id: 'x', expr: 'candidate.stars * candidate.stars' }, fields, now)).toBeUndefined();
  });
});

describe('criteria in a file', () => {
  const read = (entry: JsonMap) => criterionIn({ id: 'x', ...entry }, fields, now);

  test.each([
    { field: 'at', curve: { type: 'exponential', half_life: '90d' } },
    { curve: { scale: '2w', type: 'linear', offset: '1d', decay: 0.3 }, field: 'at', null_timestamp_score: 0.2 },
    { field: 'at', format: 'yyyy-MM-dd', curve: { type: 'gaussian', scale: '24h' }, null_timestamp_score: 'abstain' },
    { field: 'at', curve: { type: 'window', max_age: '1y' } },
  ])('a decay is read with all of its params: %j', (params) => {
    const criterion = read({ class: 'core/DecayScorer', params })!;
    expect(criterion.shape).toBe('newer');
    expect(criterionKeys(criterion)).toEqual({ class: 'DecayScorer', params });
    const faster = criterionKeys({ ...criterion, decay: { ...criterion.decay, amount: 7 } })!;
    expect(JSON.stringify(faster['params'])).toMatch(/"7[dhwy]"/);
  });

  test('a decay by steps, and one of an unknown field, have no form', () => {
    const windows = [{ max_age: '1h', score: 1 }];
    expect(read({ class: 'DecayScorer', params: { field: 'at', curve: { type: 'step', windows } } })).toBeUndefined();
    const curve = { type: 'window', max_age: '1y' };
    expect(read({ class: 'DecayScorer', params: { field: 'elsewhere', curve } })).toBeUndefined();
  });

  test.each([
    ['candidate.stars / 5', '/', 5],
    ['candidate.stars*0.5', '*', 0.5],
    ['candidate.stars', '/', 1],
    ['candidate.deep["in"] - (-2)', '-', -2],
    ['candidate["No. of votes"] + 3', '+', 3],
  ] as const)('%s is a field and a number, and stays as it is written', (expr, sign, number) => {
    const criterion = read({ expr })!;
    expect(criterion).toMatchObject({ shape: 'value', sign, number });
    expect(criterionKeys(criterion)).toEqual({ expr });
    expect(criterionWords(criterion)).toContain(criterion.field.name);
  });
});

test('an entry has a label if its id does not say the same', () => {
  expect(labelKeys('rating_is_less_than_4', '', 'rating is less than 4')).toEqual({});
  const words = 'IMDB Rating is less than 7.5';
  expect(labelKeys('imdb_rating_is_less_than_7_5', '', words)).toEqual({ label: words });
  expect(labelKeys('poor', '', undefined)).toEqual({});
  expect(labelKeys('poor', 'poor', words)).toEqual({});
  expect(labelKeys('poor', 'Bad ones', words)).toEqual({ label: 'Bad ones' });
  expect(labelKeys('long', '', 'x'.repeat(81))).toEqual({});
});

test('the effect counts the candidates that enter and leave the top', () => {
  const snapshot = (order: readonly number[], selected: readonly number[]) => ({
    order: Int32Array.from(order),
    ranks: Int32Array.from([0, 1, 2, 3, 4].map((position) => order.indexOf(position) + 1)),
    selected: new Set(selected),
    ordered: { order: Int32Array.from(order), scoreAt: () => 0 },
  });
  const effect = effectOf(snapshot([0, 1, 2, 3, 4], [0, 1]), snapshot([2, 0, 1, 3], [2, 0]));
  expect(effect).toEqual({ top: 2, isResized: false, entered: [2], left: [1], ranked: -1, moved: 3 });
  expect(effectWords(effect)).toBe('1 enters the top 2, 1 leaves; 1 fewer are ranked; 3 change their rank');
});
