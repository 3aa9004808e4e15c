import { describe, expect, it } from 'vitest';
import { columns, createPipeline, type Pipeline } from 'assize';
import { defineScorer, z } from 'assize/sdk';
import { ExpressionEvaluationError } from '../../src/expression/scope.js';
import { evaluate } from './cel.js';

const candidate = {
  yes: true,
  n: 2,
  nothing: null,
  text: 'abc',
  xs: [{ v: 1 }, {}, { v: null }, { v: 3 }, null],
  map: { a: 1, b: null },
};
const absent = undefined;

/** A prepared scorer: a run with it is staged. */
class Prepared {
  static readonly meta = defineScorer({
    summary: 'Scores each candidate 1.',
    params: z.strictObject({}),
    scope: 'candidate',
  });
  prepare() {
    return () => 1;
  }
}

describe('an absent field', () => {
  it.each([
    ['candidate.no', absent],
    ['candidate.nothing', absent],
    ['candidate.no.deeper.still', absent],
    ['candidate.text.size', absent],
    ['candidate.map["b"]', absent],
    ['candidate.xs[9]', absent],
    ['candidate.xs[candidate.no]', absent],
    ['context.limit', absent],
    ['measures.size', absent],
    ['candidate.no + 1', absent],
    ['1 - candidate.no', absent],
    ['2 * candidate.no', absent],
    ['2 / candidate.no', absent],
    ['candidate.no % 2', absent],
    ['-candidate.no', absent],
    ['candidate.no > 1', absent],
    ['candidate.no + 1 > 1', absent],
    ['candidate.no == 1', absent],
    ['candidate.no != 1', absent],
    ['candidate.no in [1]', absent],
    ['1 in candidate.no', absent],
    ['!candidate.no', absent],
    ['candidate.no ? 1 : 2', absent],
    ['candidate.yes ? candidate.no : 2', absent],
    ['candidate.yes ? 1 : candidate.no', 1],
    ['min(1, candidate.no)', absent],
    ['max(3, 2, candidate.no)', absent],
    ['clamp(candidate.no, 0, 1)', absent],
    ['exp(candidate.no)', absent],
    ['pow(candidate.no, 0)', absent],
    ['size(candidate.no)', absent],
    ['candidate.no.lower()', absent],
    ['candidate.no.contains("a")', absent],
    ['[1, candidate.no]', absent],
    ['{"a": candidate.no}', absent],
    ['candidate.no.filter(x, x > 1)', absent],
    ['sum([1, candidate.no])', absent],
  ])('%s is %s', (source, expected) => {
    expect(evaluate(source, candidate)).toStrictEqual(expected);
  });
});

describe('absence and logic', () => {
  it.each([
    ['true || candidate.no', true],
    ['candidate.no || true', true],
    ['false || candidate.no', absent],
    ['candidate.no || false', absent],
    ['candidate.no || candidate.no', absent],
    ['false && candidate.no', false],
    ['candidate.no && false', false],
    ['true && candidate.no', absent],
    ['candidate.no && true', absent],
    ['candidate.no && candidate.yes && false', false],
    ['candidate.yes && candidate.no && candidate.yes', absent],
    ['candidate.no || candidate.no || candidate.yes', true],
  ])('%s is %s', (source, expected) => {
    expect(evaluate(source, candidate)).toBe(expected);
  });

  it('does not hide a value that is not a bool', () => {
    expect(() => evaluate('candidate.n && true', candidate)).toThrow(ExpressionEvaluationError);
    expect(() => evaluate('candidate.no || candidate.n', candidate)).toThrow(
      '|| needs true or false, found the number 2',
    );
  });
});

describe('testing for absence', () => {
  it.each([
    ['has(candidate.n)', true],
    ['has(candidate.no)', false],
    ['has(candidate.nothing)', false],
    ['has(candidate.no.deeper)', false],
    ['has(candidate["n"])', true],
    ['has(measures.size)', false],
    ['candidate.?n.orValue(7)', 2],
    ['candidate.?no.orValue(7)', 7],
    ['candidate.?no.?deeper.orValue(7)', 7],
    ['candidate.?map.?a.orValue(7)', 1],
    ['candidate.map[?"b"].orValue(7)', 7],
    ['candidate.?no.hasValue()', false],
    ['candidate.?n.hasValue()', true],
    ['candidate.?no.orValue(candidate.n) + 1', 3],
    ['candidate.?no.orValue(candidate.no)', absent],
  ])('%s is %s', (source, expected) => {
    expect(evaluate(source, candidate)).toBe(expected);
  });
});

describe('comparing with the literal null', () => {
  it.each([
    ['candidate.no == null', true],
    ['candidate.nothing == null', true],
    ['candidate.n == null', false],
    ['candidate.no != null', false],
    ['candidate.nothing != null', false],
    ['candidate.n != null', true],
    ['null == candidate.nothing', true],
    ['null != candidate.no', false],
    ['candidate["nothing"] == null', true],
    ['candidate.no.deeper == null', true],
    ['candidate.map.b == null', true],
    ['candidate.xs[4] == null', true],
    ['candidate.xs[9] == null', true],
    ['candidate.xs[candidate.n].v == null', true],
    ['candidate.xs[candidate.no] == null', true],
    ['candidate.n + candidate.no == null', true],
    ['(candidate.no > 1) == null', true],
    ['context.limit == null', true],
    ['context.query != null', true],
    ['context.other == null', true],
    ['measures.size == null', true],
    ['measures.tools == null', false],
    ['signals.phase.name != null', true],
    ['signals.phase.other == null', true],
    ['candidate.?no == null', true],
    ['candidate.?no.orValue(1) == null', false],
    ['!(candidate.no == null)', false],
    ['candidate.no == null || candidate.no > 1', true],
    ['candidate.no != null && candidate.no > 1', false],
    ['candidate.no == null ? 0 : candidate.no', 0],
    ['candidate.xs.filter(x, x == null).size()', 1],
    ['candidate.xs.filter(x, x.v == null).size()', 3],
    ['candidate.xs.filter(x, null != x.v).map(x, x.v)', [1, 3]],
    ['null == null', true],
    ['null != null', false],
    ['1 == null', false],
    ['"" != null', true],
    ['[1][5] == null', true],
  ])('%s is %j', (source, expected) => {
    expect(evaluate(source, candidate)).toStrictEqual(expected);
  });

  it.each([
    ['by objects', async (pipeline: Pipeline, rows: readonly object[]) => pipeline.rank(rows)],
    ['by a stream', async (pipeline: Pipeline, rows: readonly object[]) => pipeline.rankStream(rows)],
    [
      'by columns',
      async (pipeline: Pipeline) => pipeline.rank(columns({ id: ['a', 'b', 'c'], price: [1, null, undefined] })),
    ],
  ])('lets a veto refuse a null and a missing field, %s', async (_, rank) => {
    const rows = [{ id: 'a', price: 1 }, { id: 'b', price: null }, { id: 'c' }];
    for (const staged of [false, true]) {
      const pipeline = await createPipeline(
        {
          tier1_scorers: [{ id: 'unpriced', expr: 'candidate.price == null' }],
          tier2_scorers: [staged ? { id: 's', class: 'Prepared' } : { id: 's', expr: '1.0' }],
          select: { top: 10 },
        },
        { units: { Prepared } },
      );
      const { counts } = await rank(pipeline, rows);
      expect(counts).toMatchObject({ given: 3, refused: 2 });
    }
  });

  it('is supported: there is no warning that no candidate has the field', async () => {
    const pipeline = await createPipeline({ tier1_scorers: [{ id: 'unpriced', expr: 'candidate.price != null' }] });
    expect((await pipeline.rank([{ id: 1 }])).warnings.filter(({ code }) => code === 'ASZ712')).toEqual([]);
  });
});

describe('absence in a macro', () => {
  it.each([
    ['candidate.xs.all(x, x.v > 0)', false],
    ['candidate.xs.exists(x, x.v > 2)', true],
    ['candidate.xs.exists(x, x.v > 9)', false],
    ['candidate.xs.exists_one(x, x.v > 2)', true],
    ['candidate.xs.filter(x, x.v > 0).size()', 2],
    ['candidate.xs.map(x, x.v)', [1, 3]],
    ['candidate.xs.map(x, x.v > 1, x.v * 2)', [6]],
    ['candidate.xs.exists(x, x.v == candidate.no)', false],
    ['candidate.xs.filter(x, has(x.v)).map(x, x.v)', [1, 3]],
    [
      '[1, 2].map(x, [10, 20].map(y, x * y))',
      [
        [10, 20],
        [20, 40],
      ],
    ],
    ['{"a": 1, "b": 2}.exists(k, k == "b")', true],
    ['[].all(x, x > 1)', true],
  ])('%s is %j', (source, expected) => {
    expect(evaluate(source, candidate)).toStrictEqual(expected);
  });
});
