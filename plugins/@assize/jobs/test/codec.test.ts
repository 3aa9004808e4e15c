import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decode, encode } from '../src/codec.js';

const special = fc.constantFrom<unknown>(
  Number.NaN,
  -0,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  5e-324,
  undefined,
  12345678901234567890n,
  new Date(0),
  new Date(Number.NaN),
  '\ud800',
);
const key = fc.oneof(fc.constantFrom('$', 'is', '__proto__', ''), fc.string());
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    special,
    fc.jsonValue(),
    fc.double(),
    fc.float64Array({ maxLength: 4 }),
    fc.uint32Array({ maxLength: 4 }),
    fc.uint8Array({ maxLength: 4 }),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
    fc.array(fc.tuple(tie('tree'), tie('tree')), { maxLength: 3 }).map((pairs) => new Map(pairs)),
  ),
}));

test('plain data round-trips to the bit', () => {
  fc.assert(
    fc.property(tree, (value) => {
      const text = encode(value);
      expect(text).not.toContain('\n');
      expect(decode(text)).toStrictEqual(value);
      expect(encode(decode(text))).toBe(text);
    }),
    { numRuns: 500 },
  );
});

describe('data that is not plain is named by its path', () => {
  const circle: Record<string, unknown> = {};
  circle['of'] = { circle };
  test.each([
    [{ a: [1, { b: () => 1 }] }, 'a[1].b is a function'],
    [{ set: new Set() }, 'set is'],
    [{ s: Symbol('x') }, 's is a symbol'],
    [{ m: new Map([['k', /x/]]) }, 'm.k is'],
    [circle, 'of.circle is a circular reference'],
  ])('%o', (value, message) => {
    expect(() => encode(value)).toThrow(message);
  });
});

test.each([
  '',
  'nothing',
  '{"$":"function"}',
  '{"$":"map","is":1}',
  '{"$":"map","is":[[1]]}',
  '{"$":"bigint","is":"x"}',
])('rejects a text that was not encoded: %s', (text) => {
  expect(() => decode(text)).toThrow(SyntaxError);
});
