import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkExpression, evaluateExpression } from '../../src/expression/parse-expression.js';
import { ExpressionError, ExpressionStepsError } from '../../src/expression/scope.js';
import { evaluate, reportOf } from './cel.js';

/** CEL's own tests are in test/conformance/cel.test.ts. These are about absence, hostile input and data. */

describe('an operand that decides', () => {
  it.each([
    ['candidate.t < 1 && false', false],
    ['candidate.t < 1 || true', true],
    ['candidate.t && candidate.no || true', true],
    ['candidate.t && candidate.n == 0', false],
    ['false && 32', false],
    ['candidate.xs.all(x, x > 1)', false],
    ['candidate.xs.exists(x, x >= 1)', true],
  ])('makes the error of another irrelevant: %s', (source, expected) => {
    expect(evaluate(source, { t: 'text', n: 1, xs: ['a', 1] })).toBe(expected);
  });

  it('does not hide an error that nothing decides, or the end of the steps', () => {
    expect(() => evaluate('candidate.t < 1 && true', { t: 'text' })).toThrow('< needs two numbers');
    expect(() => evaluate('candidate.xs.all(x, x < 9)', { xs: ['a', 1] })).toThrow('< needs two numbers');
    const xs = Array.from({ length: 2000 }, (_, n) => n);
    expect(() => evaluate('candidate.xs.all(x, candidate.xs.all(y, true)) || true', { xs })).toThrow(
      ExpressionStepsError,
    );
  });
});

describe('optional values and names', () => {
  it.each([
    ['candidate.?no.or(candidate.?n).value()', 3],
    ['candidate.?no.optMap(x, x + 1)', undefined],
    ['candidate.?n.optMap(x, x + 1).orValue(0)', 4],
    ['candidate.?no == optional.none()', true],
    ['candidate.?n == optional.of(3)', true],
    ['candidate.?n != candidate.?no', true],
    ['[?candidate.?no, candidate.n, ?candidate.?n]', [3, 3]],
    ['optional.ofNonZeroValue(candidate.zero).hasValue()', false],
    ['cel.bind(x, candidate.n * 2, x + x)', 12],
    ['cel.bind(x, candidate.no, has(x) ? 1 : 2)', 2],
    ['cel.bind(x, candidate.no, x + 1)', undefined],
    ['candidate.`a-b`', 7],
    ['has(candidate.`a/b`)', false],
  ])('%s is %j', (source, expected) => {
    expect(evaluate(source, { n: 3, zero: 0, 'a-b': 7 })).toStrictEqual(expected);
  });

  it('read nothing that a value inherits', () => {
    expect(evaluate('{1: 2}.toJSON')).toBeUndefined();
    expect(evaluate('{1: 2, "__proto__": 5}.__proto__')).toBe(5);
    expect(evaluate('candidate.xs.transformMapEntry(i, x, {"__proto__": x}).polluted', { xs: [{ polluted: 1 }] })).toBe(
      undefined,
    );
    expect(reportOf('math.constructor(1)')).toContain('unknown function "math.constructor"');
    expect(reportOf('"a".__proto__()')).toContain('unknown function "__proto__"');
  });
});

describe('macros with two variables', () => {
  it('leave out absent values', () => {
    const candidate = { xs: [{ n: 1 }, {}, { n: 3 }], by: { a: { n: 1 }, b: {} } };
    expect(evaluate('candidate.xs.transformList(i, x, x.n * i)', candidate)).toEqual([0, 6]);
    expect(evaluate('candidate.by.transformMap(k, x, x.n) == {"a": 1}', candidate)).toBe(true);
    expect(evaluate('candidate.by.exists(k, x, k == "b" && !has(x.n))', candidate)).toBe(true);
    expect(evaluate('candidate.no.all(i, x, true)', candidate)).toBeUndefined();
  });

  it('spend steps', () => {
    const xs = Array.from({ length: 2000 }, (_, n) => n);
    for (const body of ['xs.transformMap(j, y, y)', 'xs.transformList(j, y, xs)', 'xs.all(j, y, true)'])
      expect(() => evaluateExpression(`xs.transformList(i, x, ${body})`, { xs })).toThrow(ExpressionStepsError);
  });
});

it('a time that the text shows keeps its meaning in names, lists and macros', () => {
  const candidate = { d: '2026-01-01', n: 5 };
  expect(evaluate('string(candidate.n > 1 ? timestamp(0) : timestamp(1))', candidate)).toBe('1970-01-01T00:00:00Z');
  expect(evaluate('[timestamp(candidate.d)].filter(t, true).map(t, int(t))', candidate)).toEqual([1_767_225_600]);
  expect(evaluate('[candidate.d].map(d, timestamp(d)).map(t, string(t))', candidate)).toEqual(['2026-01-01T00:00:00Z']);
  expect(evaluate('cel.bind(t, timestamp(candidate.d) + duration("1h30m"), string(t))', candidate)).toBe(
    '2026-01-01T01:30:00Z',
  );
  expect(evaluate('string(timestamp(candidate.d) - timestamp(0))', candidate)).toBe('1767225600s');
  expect(evaluate('int(now)', candidate)).toBe(1000);
});

describe('texts', () => {
  it.each([
    ['"%.101f".format([1.0])', 'format() has at most 100 digits'],
    ['"%d".format([1.5])', '%d needs a whole number'],
    ['"%d %d".format([1])', 'format() has 1 values'],
    ['"%".format([])', 'needs a letter after %'],
    ['"abc".charAt(4)', 'charAt() needs positions from 0 to 3'],
    ['base64.decode("/w==")', 'base64.decode() needs the base64 of a text'],
    ['timestamp(0).getHours("Mars/Phobos")', 'expected a time zone'],
  ])('%s fails', (source, message) => {
    expect(() => evaluateExpression(source)).toThrow(message);
  });

  it('terminates on a list that contains itself, and on a text that would grow without limit', () => {
    const loop: unknown[] = [];
    loop.push(loop);
    expect(() => evaluateExpression('"%s".format([x])', { x: loop })).toThrow('contains itself');
    const text = 'x'.repeat(5_000_000);
    expect(() => evaluateExpression('"%s%s%s%s".format([x, x, x, x])', { x: text })).toThrow(ExpressionStepsError);
  });

  it('round trip', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20_000 }), (text) => {
        expect(evaluateExpression('base64.decode(base64.encode(x))', { x: text })).toBe(text);
        expect(evaluateExpression('x.reverse().reverse()', { x: text })).toBe(text);
        expect(evaluateExpression(evaluateExpression('strings.quote(x)', { x: text }) as string)).toBe(text);
      }),
    );
  });

  it('rounds as the exact decimal digits say', () => {
    const texts = ['2.5', '0.125', '1e21', '-0.5', '1.005'].map((x) =>
      evaluateExpression(`"%.2f|%.0f".format([${x}, ${x}])`),
    );
    expect(texts).toEqual([
      '2.50|2',
      '0.12|0',
      '1000000000000000000000.00|1000000000000000000000',
      '-0.50|-0',
      '1.00|1',
    ]);
  });
});

describe('one expression', () => {
  it('is evaluated with variables', () => {
    expect(evaluateExpression('price * 2 > 3', { price: 2 })).toBe(true);
    expect(evaluateExpression('x == null', { x: null })).toBe(true);
    expect(evaluateExpression('[{1: true}, x.no]', { x: {} })).toBeUndefined();
    expect(evaluateExpression('[{1: true}]')).toEqual([new Map([[1, true]])]);
    expect(() => evaluateExpression('__proto__ + 1', { ['__proto__']: 1 })).toThrow(ExpressionError);
    expect(() => evaluateExpression('constructor')).toThrow(ExpressionError);
  });

  it('is checked, with warnings where standard CEL differs', () => {
    expect(checkExpression('a.b > 1')).toEqual([]);
    expect(checkExpression('a.b > 1', ['b'])).toMatchObject([
      { kind: 'type', message: expect.stringContaining('"a"') },
    ]);
    expect(checkExpression('1 +')).toMatchObject([{ kind: 'syntax', offset: 2 }]);
    expect(checkExpression('1 + 7 / 2')).toMatchObject([
      { kind: 'warning', message: '7 / 2 is 3.5; standard CEL divides integers and gives 3', offset: 4, length: 5 },
    ]);
    expect(checkExpression('7 / 0')).toMatchObject([{ kind: 'warning' }]);
    expect(checkExpression('5u - 6u')).toMatchObject([{ kind: 'warning' }]);
    for (const source of ['6 / 2', '7.0 / 2.0', 'x / 2', '7 % 2']) expect(checkExpression(source)).toEqual([]);
  });
});
