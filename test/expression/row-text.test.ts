import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExpression } from '../../src/expression/parse-expression.js';
import { RowText } from '../../src/expression/cel/row-text.js';
import { type RowFormula, TextNames, isPlainName } from '../../src/expression/cel/row-writer.js';

const scope = { name: 'a test', variables: { candidate: 'map', context: 'dyn', now: 'number' } } as const;
const bindings = { now: () => 1_700_000_000_000, context: () => ({ user: 'eve', limit: 40, tags: ['a'], none: null }) };

/** The text of an expression as a function of a candidate: its number, or true, false or undefined if it is a test. */
function textOf(source: string): { readonly run: (candidate: object) => unknown } | undefined {
  const { tree } = parseExpression(source, scope);
  const formula: RowFormula = { tree, bindings, finite: false, children: new Map() };
  const names = new TextNames();
  const row = new RowText(names, {
    field: (key) => (isPlainName(key) ? { value: `c.${key}`, isNumber: false } : undefined),
    candidate: 'c',
    index: '0',
  });
  const text =
    tree.type === 'bool'
      ? row.test(formula, 'return true;', 'return false;', 'return undefined;')
      : `return ${row.number(formula) ?? ''};`;
  if (text === undefined || text === 'return ;') return undefined;
  const slots = names.slots.map((_, n) => `const _${n}=S[${n}];`).join('');
  // oxlint-disable-next-line no-implied-eval -- the text under test
  const make = new Function('S', `"use strict";${slots}${row.before}return (c)=>{${row.take()}${text}}`) as (
    slots: readonly unknown[],
  ) => (candidate: object) => unknown;
  return { run: make(names.slots) };
}

/** The value of the expression's closure; an error is a value, too. */
function closureOf(source: string, candidate: object): unknown {
  try {
    return parseExpression(source, scope).bind(bindings)(candidate, 0);
  } catch {
    return 'error';
  }
}

const DECIDED: readonly (readonly [source: string, candidate: object])[] = [
  ['candidate.a + candidate.b * 2 - -3', { a: 1, b: 2 }],
  ['-candidate.a / candidate.b % 4', { a: 9, b: 2 }],
  ['min(candidate.a, 3) + max(candidate.a, candidate.b, 7) + clamp(candidate.a, 0, 2)', { a: 5, b: 6 }],
  ['sqrt(candidate.a) + exp(candidate.b) + ln(candidate.a) + log2(candidate.a)', { a: 5, b: 0.1 }],
  ['pow(candidate.a, candidate.b) + abs(candidate.a) + floor(candidate.b) + ceil(candidate.b)', { a: -2, b: 3 }],
  ['candidate.a > 3 ? candidate.a : candidate.b > 3 ? candidate.b : 0', { a: 2, b: 9 }],
  ['(candidate.a > 3 ? candidate.a : 1) + (candidate.b > 3 ? candidate.b : 1)', { a: 9, b: 9 }],
  ['candidate.?a.orValue(7) * 2', {}],
  ['candidate.?a.orValue(7) * 2', { a: null }],
  ['has(candidate.a) ? candidate.a : 0.5', {}],
  ['candidate.outer.inner * 2', { outer: { inner: 4 } }],
  ['candidate["two words"] * 2', { 'two words': 4 }],
  ['candidate.length * 2', { length: 4 }],
  ['candidate.list[1] + 1', { list: [1, 2] }],
  ['size(candidate.list) * 2', { list: [1, 2] }],
  ['(now - timestamp(candidate.at)) / 1000', { at: '2023-01-01T00:00:00Z' }],
  ['(now - candidate.at) / 1000', { at: new Date(5) }],
  ['candidate.a * context.limit', { a: 2 }],
  ['candidate.a > 3', { a: 4 }],
  ['candidate.a > 3 && candidate.b < 3 || candidate.c == "x"', { a: 1, b: 1, c: 'x' }],
  ['(candidate.a > 3 || candidate.b < 3) && !(candidate.c == "x")', { a: 1, b: 1, c: 'y' }],
  ['candidate.a >= 1 && (candidate.b <= 3 ? 1 : 0) == 1', { a: 1, b: 1 }],
  ['candidate.c in ["x", "y"]', { c: 'y' }],
  ['candidate.c in ["a", "b", "c", "d", "e", "f"]', { c: 'f' }],
  ['candidate.c == context.user', { c: 'eve' }],
  ['candidate.c != "x"', { c: 'y' }],
  ['candidate.c < "m"', { c: 'b' }],
  ['candidate.a == 3', { a: 3 }],
  ['candidate.a == candidate.b', { a: 3, b: 4 }],
  ['candidate.flag && candidate.a != 3', { flag: true, a: 4 }],
  ['candidate.none == null', {}],
  ['has(candidate.a) || candidate.b > 2', { b: 3 }],
];

test.each(DECIDED)('%s decides for %j without its closure', (source, candidate) => {
  const decided = textOf(source)?.run(candidate);
  expect(decided).not.toBeNaN();
  expect(decided).toBeDefined();
  expect(decided).toBe(closureOf(source, candidate));
});

describe('leaves to the closure', () => {
  test.each([
    ['an absent number', 'candidate.a + 1', {}],
    ['a number of another type', 'candidate.a + 1', { a: '5' }],
    ['0 / 0', 'candidate.a / candidate.a', { a: 0 }],
    ['an absent condition', 'candidate.a > 1 ? 2 : 3', {}],
    ['a list in place of numbers', 'min(candidate.a)', { a: [1, 2] }],
    ['a number in place of a list', 'min(candidate.a)', { a: 5 }],
  ])('%s', (_, source, candidate) => {
    expect(textOf(source)?.run(candidate) ?? Number.NaN).toBeNaN();
  });

  test.each([
    ['an absent field', 'candidate.a > 1', {}],
    ['another type', 'candidate.a == "x"', { a: 5 }],
    ['not a boolean', 'candidate.a && candidate.b', { a: 1, b: true }],
  ])('a test of %s', (_, source, candidate) => {
    expect(textOf(source)?.run(candidate)).toBeUndefined();
  });

  test('a macro, whose steps are counted', () => {
    expect(textOf('candidate.list.exists(x, x > 1)')).toBeUndefined();
  });
});

const field = fc.constantFrom('a', 'b', 'length', 'two words').map((name) => `candidate[${JSON.stringify(name)}]`);
const constant = fc.constantFrom('0', '1', '-2.5', '1e300', '0.1', '3');
const { number } = fc.letrec<{ number: string; test: string }>((tie) => ({
  number: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    field,
    constant,
    fc
      .tuple(tie('number'), fc.constantFrom('+', '-', '*', '/', '%'), tie('number'))
      .map(([a, by, b]) => `(${a} ${by} ${b})`),
    fc.tuple(fc.constantFrom('min', 'max', 'pow'), tie('number'), tie('number')).map(([f, a, b]) => `${f}(${a}, ${b})`),
    fc.tuple(fc.constantFrom('sqrt', 'exp', 'abs', 'floor', '-'), tie('number')).map(([f, a]) => `${f}(${a})`),
    fc.tuple(tie('test'), tie('number'), tie('number')).map(([c, a, b]) => `(${c} ? ${a} : ${b})`),
    field.map((path) => path.replace('[', '[?')).map((path) => `${path}.orValue(2)`),
  ),
  test: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .tuple(tie('number'), fc.constantFrom('<', '<=', '>', '>=', '==', '!='), tie('number'))
      .map((part) => `(${part.join(' ')})`),
    fc.tuple(field, fc.constantFrom('"x"', 'true')).map(([path, value]) => `(${path} == ${value})`),
    field.map((path) => `(${path} in ["x", "y"])`),
    field.map((path) => `has(${path})`),
    field,
    fc.tuple(tie('test'), fc.constantFrom('&&', '||'), tie('test')).map(([a, by, b]) => `(${a} ${by} ${b})`),
    tie('test').map((a) => `!${a}`),
  ),
}));

const value = fc.oneof(
  { weight: 6, arbitrary: fc.double({ noNaN: true, min: -100, max: 100 }) },
  fc.constantFrom(
    0,
    -0,
    Number.NaN,
    Infinity,
    -Infinity,
    2 ** 60,
    null,
    undefined,
    '5',
    'x',
    true,
    [1],
    {},
    new Date(7),
  ),
);
const candidate = fc.record({ a: value, b: value, length: value, 'two words': value }, { requiredKeys: [] });

test('whatever the text decides, it is the value of the closure', () => {
  let decided = 0;
  fc.assert(
    fc.property(number, fc.array(candidate, { minLength: 1, maxLength: 5 }), (source, candidates) => {
      let text: ReturnType<typeof textOf>;
      try {
        text = textOf(source);
      } catch (error) {
        fc.pre(error instanceof Error && error.name === 'ExpressionError');
      }
      for (const one of text ? candidates : []) {
        const found = text!.run(one);
        if (Number.isNaN(found)) continue;
        decided += 1;
        expect(found).toBe(closureOf(source, one));
      }
    }),
    { numRuns: process.env['FUZZ'] === undefined ? 1000 : 100_000 },
  );
  expect(decided).toBeGreaterThan(500);
});
