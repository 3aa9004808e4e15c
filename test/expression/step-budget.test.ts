import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExpressionStepsError } from '../../src/expression/scope.js';
import { parseExpression } from '../../src/expression/parse-expression.js';
import { evaluate, scope } from './cel.js';

/** Wraps an expression in others, this many times. */
const nested = (depth: number, wrap: (inner: string, level: number) => string, start: string): string =>
  Array.from({ length: depth }, (_, level) => level).reduce(wrap, start);

const TEN = '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]';

describe('an evaluation has a budget of steps', () => {
  test.each([
    ['macros in macros', nested(20, (inner, k) => `${TEN}.all(x${k}, ${inner})`, 'true')],
    ['with exists', nested(20, (inner, k) => `${TEN}.exists(x${k}, ${inner})`, 'false')],
    ['with exists_one', nested(20, (inner, k) => `${TEN}.exists_one(x${k}, ${inner})`, 'true')],
    ['with filter', nested(20, (inner, k) => `size(${TEN}.filter(x${k}, ${inner})) > 0`, 'true')],
    ['a list that doubles', nested(50, (inner, k) => `[${inner}].map(x${k}, x${k} + x${k})[0]`, TEN)],
    ['a text that doubles', nested(50, (inner, k) => `[${inner}].map(x${k}, x${k} + x${k})[0]`, '"abcdefgh"')],
    [
      'a long chain of one text',
      `${TEN}.map(x, ${nested(300, (inner) => `${inner} + candidate.text`, 'candidate.text')}) == []`,
    ],
    [
      'comparing lists that contain themselves many times',
      `${nested(40, (inner, k) => `[${inner}].map(x${k}, [x${k}, x${k}])[0]`, '1')} == ${nested(40, (inner, k) => `[${inner}].map(x${k}, [x${k}, x${k}])[0]`, '1')}`,
    ],
    [
      'distinct of such lists',
      `distinct([${nested(40, (inner, k) => `[${inner}].map(x${k}, [x${k}, x${k}])[0]`, '1')}])`,
    ],
    ['looking for a value in a list, again and again', 'candidate.many.all(x, !(-1 in candidate.many))'],
    ['summing a list, again and again', 'candidate.many.all(x, sum(candidate.many) > 0)'],
    ['reading a text, again and again', 'candidate.many.all(x, size(lower(candidate.text)) > 0)'],
    ['comparing texts, again and again', 'candidate.many.all(x, candidate.text != candidate.other)'],
  ])('%s', (_, source) => {
    const many = Array.from({ length: 5000 }, (_unused, n) => n);
    const candidate = { many, text: 'a'.repeat(100_000), other: `${'a'.repeat(99_999)}b` };
    expect(() => evaluate(source, candidate)).toThrow(ExpressionStepsError);
  });

  test('counts visited elements, and starts again for each evaluation', () => {
    const all = parseExpression('candidate.xs.all(x, x > 0)', scope).bind({}, 100);
    const xs = Array.from({ length: 100 }, () => 1);
    for (let n = 0; n < 10; n++) expect(all({ xs }, n)).toBe(true);
    expect(() => all({ xs: [...xs, 1] }, 0)).toThrow('the expression takes more than 100 steps');
    expect(all({ xs: [0, ...xs, 1] }, 0)).toBe(false); // it stops early
    expect(all({ xs }, 0)).toBe(true);
  });

  test('is shared with an expression that is read', () => {
    const bindings = { measures: { tools: (c: unknown) => inner(c, 0), size: () => 1 } };
    const inner = parseExpression('candidate.xs.all(x, x > 0) ? 1 : 0', scope).bind({}, 1000);
    const outer = parseExpression('candidate.xs.all(x, measures.tools == 1)', scope).bind(bindings, 1000);
    expect(outer({ xs: Array.from({ length: 30 }, () => 1) }, 0)).toBe(true);
    expect(() => outer({ xs: Array.from({ length: 40 }, () => 1) }, 0)).toThrow(ExpressionStepsError);
  });

  test('is not spent by an expression without a macro, however long the lists are', () => {
    const xs = Array.from({ length: 100_000 }, (_, n) => n);
    const found = parseExpression('-1 in candidate.xs || sum(candidate.xs) > 0', scope).bind({}, 1);
    expect(found({ xs }, 0)).toBe(true);
  });
});

/** A candidate that counts the reads of its field. */
function counted(value: unknown): { readonly candidate: object; readonly reads: () => number } {
  let count = 0;
  const candidate = {
    get x(): unknown {
      count += 1;
      return value;
    },
    get list(): unknown {
      count += 1;
      return [value];
    },
  };
  return { candidate, reads: () => count };
}

/** Wraps a value in each kind of node, so that it is computed with. */
const WRAPS: readonly ((inner: string, level: number) => string)[] = [
  (inner) => `abs({"a": ${inner}}.a)`,
  (inner) => `[${inner}][0] + 1`,
  (inner) => `(${inner} > 0 ? 1 : 2) * 2`,
  (inner) => `([${inner}][0] > 1 ? 1 : candidate.none) + 1`,
  (inner) => `(size([${inner}]) + candidate.none).orValue(1)`,
  (inner) => `-(has(candidate.none) ? 1 : [${inner}][0] - 1)`,
  (inner) => `min(1, [1].map(v, ${inner})[0])`,
  (inner, k) => `sum([1].map(v${k}, {"a": ${inner}}.a * 2)) / 3`,
  (inner) => `double(string({"a": ${inner}}.a)) % 7`,
];

describe('evaluation is linear in the depth of nesting', () => {
  test.each([1, undefined, 'text', Number.NaN])('with the innermost value %s', (value) => {
    const wrap = constantFrom(...WRAPS);
    assert(
      property(array(wrap, { minLength: 1, maxLength: 12 }), (wraps) => {
        const source = wraps.reduce((inner, one, level) => one(inner, level), 'candidate.x');
        const { candidate, reads } = counted(value);
        try {
          evaluate(source, candidate);
        } catch (error) {
          expect(error).toHaveProperty('name', 'ExpressionEvaluationError');
        }
        // Once for a plain number, and once for any other value.
        expect(reads()).toBeLessThanOrEqual(2);
      }),
    );
  });

  test.each(WRAPS.map((wrap, n) => [n, wrap] as const))('wrapped the same way many times (%i)', (_, wrap) => {
    const source = nested(16, wrap, 'candidate.x');
    for (const value of [1, undefined, 'text', Number.NaN]) {
      const { candidate, reads } = counted(value);
      try {
        evaluate(source, candidate);
      } catch (error) {
        expect(error).toHaveProperty('name', 'ExpressionEvaluationError');
      }
      expect(reads()).toBeLessThanOrEqual(2);
    }
  });
});
