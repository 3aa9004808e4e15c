import { evaluate as reference } from '@marcbachmann/cel-js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExpressionEvaluationError } from '../../src/expression/scope.js';
import { parseExpression } from '../../src/expression/parse-expression.js';
import { evaluate, scope } from './cel.js';

const candidate = {
  n: 3,
  text: 'Héllo😀',
  tags: ['a', 'b', 'a'],
  nested: { list: [[1], [1], { k: [2] }] },
  at: new Date(5000),
  dates: [new Date(1000), new Date(5000)],
  never: new Date(Number.NaN),
  constructorless: {},
};

describe('values', () => {
  it.each([
    ['1 / 4', 0.25],
    ['1 / 0', Number.POSITIVE_INFINITY],
    ['candidate.n / 0 - candidate.n / 0', Number.NaN],
    ['7.5 % 2', 1.5],
    ['10 - 3 - 2', 5],
    ['16 / 4 / 2', 2],
    ['2 + 3 * 4', 14],
    ['0x10 + 5u', 21],
    ['-candidate.n', -3],
    ['"a" + "b" + candidate.text.lower()', 'abhéllo😀'],
    ['[1] + [2, 3]', [1, 2, 3]],
    ['candidate.tags + ["c"]', ['a', 'b', 'a', 'c']],
    ['1 == 1.0', true],
    ['1 == "1"', false],
    ['1 != "1"', true],
    ['candidate.nested.list == [[1], [1], {"k": [2]}]', true],
    ['candidate.nested.list != [[1]]', true],
    ['"a" < "b"', true],
    ['"Z" < "a"', true],
    ['candidate.n >= 3', true],
    ['"a" in candidate.tags', true],
    ['[1] in candidate.nested.list', true],
    ['"list" in candidate.nested', true],
    ['"toString" in candidate.nested', false],
    ['size(candidate.text)', 6],
    ['candidate.tags.distinct().size()', 2],
    ['distinct(candidate.nested.list).size()', 2],
    ['size(candidate.nested)', 1],
    ['candidate.text.contains("llo") && candidate.text.startsWith("H") && candidate.text.endsWith("😀")', true],
    ['int("-2.9")', -2],
    ['double("1e3")', 1000],
    ['string(1.5) + string(true)', '1.5true'],
    ['min([3, 1, 2]) + max(1, 2, 3)', 4],
    ['min([])', undefined],
    ['sum([1, 2, 3])', 6],
    ['sum([])', 0],
    ['clamp(5, 0, 1)', 1],
    ['abs(-1) + floor(1.5) + ceil(1.5) + sqrt(4) + exp(0) + ln(1) + log2(8) + pow(2, 3)', 18],
    ['now - timestamp("1970-01-01T00:00:00.500Z")', 500],
    ['timestamp(candidate.at) / duration("1s")', 5],
    ['candidate.at > now && candidate.at == timestamp(5000) && candidate.at in [5000]', true],
    ['candidate.at - duration("2s")', 3000],
    ['candidate.at in candidate.dates && candidate.dates.exists(d, d == candidate.at)', true],
    ['candidate.dates[1] - candidate.dates[0]', 4000],
    ['candidate.dates == [timestamp(1000), candidate.at]', true],
    ['max(candidate.dates)', 5000],
    ['timestamp("1969-12-31T23:59:58.999Z").getSeconds()', 58],
    ['timestamp("2023-12-31").getDayOfYear() + timestamp("1969-01-01T23:00:00Z").getDayOfYear()', 364],
    ['candidate.n > 5 ? "big" : candidate.n > 2 ? "mid" : "small"', 'mid'],
    ['signals.phase.name', 'early'],
    ['measures["tools"] + 1', 4],
    ['candidate.tags[candidate.n - 2]', 'b'],
    ['{"x": {"y": 1}}.x.y', 1],
    ['candidate.tags.filter(t, t != "b")[1]', 'a'],
    ['null', undefined],
  ])('%s is %j', (source, expected) => {
    expect(evaluate(source, candidate)).toStrictEqual(expected);
  });
});

describe('failures', () => {
  it.each([
    ['candidate.text * 2', '* needs numbers, found the string "Héllo😀"'],
    ['1 + candidate.text', '+ needs two numbers, strings or lists, found the number 1 and the string "Héllo😀"'],
    ['candidate.tags > 1', '> needs two numbers or two strings, found a list and the number 1'],
    ['candidate.never < now', '< needs two numbers or two strings, found an invalid Date and the number 1000'],
    [
      'candidate.text.getFullYear()',
      'getFullYear() needs a date; timestamp(x) reads one from a text, found the string "Héllo😀"',
    ],
    ['size(candidate.n)', 'size() needs a string, a list or a map, found the number 3'],
    ['candidate.n ? 1 : 2', '? : needs true or false, found the number 3'],
    ['candidate.tags.contains("a")', 'contains() needs strings (for a list write: value in list), found a list'],
    ['candidate.tags.exists(t, t)', 'the test of exists() needs true or false, found the string "a"'],
    ['exp(candidate.tags)', 'exp() needs a number, found a list'],
    ['-candidate.text', '- needs a number, found the string "Héllo😀"'],
    ['1 in candidate.n', 'in needs a list or a map on its right, found the number 3'],
  ])('%s', (source, message) => {
    expect(() => evaluate(source, candidate)).toThrow(new ExpressionEvaluationError(message));
  });

  it('checks the type of the result', () => {
    expect(() => evaluate('candidate.n', candidate, 'bool')).toThrow('the expression needs a bool, found the number 3');
    expect(() => evaluate('candidate.text', candidate, 'number')).toThrow('needs a number');
    expect(evaluate('candidate.no', candidate, 'number')).toBeUndefined();
  });

  it('terminates on a value that contains itself', () => {
    const loop: unknown[] = [];
    loop.push(loop);
    const other: unknown[] = [];
    other.push(other);
    expect(() => evaluate('candidate.a == candidate.b', { a: loop, b: other })).toThrow(ExpressionEvaluationError);
    expect(() => evaluate('distinct(candidate.a)', { a: loop })).toThrow(ExpressionEvaluationError);
  });
});

describe('the metadata of an expression', () => {
  it('names what it reads', () => {
    const facts = parseExpression(
      'candidate.a.b > 1 && has(candidate.m["x:y"]) && measures.tools > now && candidate.s.exists(x, x.z)',
      scope,
    );
    expect(facts).toMatchObject({
      constant: false,
      readsCandidate: true,
      candidatePaths: ['a.b', 'm["x:y"]', 's'],
      optionalPaths: ['m["x:y"]'],
      reads: ['candidate', 'measures.tools', 'now'],
    });
    expect(parseExpression('1 + 2', scope).constant).toBe(true);
  });

  it('needs a binding for each root that it reads, except the candidate', () => {
    expect(() => parseExpression('measures.tools', scope).bind({})).toThrow('no binding for measures.tools');
    expect(parseExpression('candidate', scope).bind({})(5, 0)).toBe(5);
  });

  it('passes the index to its roots', () => {
    const bound = parseExpression('measures.tools * 2', scope).bind({
      measures: { tools: (_, index) => [7, 8][index] },
    });
    expect(bound({}, 1)).toBe(16);
  });
});

const double = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const numeric = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom('candidate.a', 'candidate.b', 'candidate.c', '2.5', '0.5'),
    fc.tuple(tie('tree'), fc.constantFrom('+', '-', '*', '/'), tie('tree')).map(([a, op, b]) => `(${a} ${op} ${b})`),
    tie('tree').map((a) => `(-${a})`),
    fc.tuple(tie('tree'), tie('tree'), tie('tree')).map(([a, b, c]) => `(${a} > ${b} ? ${b} : ${c})`),
  ),
})).tree;
const comparison = fc
  .tuple(numeric, fc.constantFrom('<', '<=', '>', '>=', '==', '!='), numeric)
  .map((parts) => `(${parts.join(' ')})`);
const boolean = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    comparison,
    fc.tuple(tie('tree'), fc.constantFrom('&&', '||'), tie('tree')).map(([a, op, b]) => `(${a} ${op} ${b})`),
    tie('tree').map((a) => `!${a}`),
  ),
})).tree;

describe('on doubles that are present', () => {
  it('gives the results of the reference implementation', () => {
    fc.assert(
      fc.property(fc.oneof(numeric, boolean), double, double, double, (source, a, b, c) => {
        const row = { a, b, c };
        expect(evaluate(source, row)).toStrictEqual(reference(source, { candidate: row }));
      }),
      { numRuns: 1000 },
    );
  });
});
