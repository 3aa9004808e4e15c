import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { idSchema } from '../../../src/profile/schema/entry-schemas.js';
import { describeExpected } from '../../../src/profile/schema/schema-problems.js';

const expected = (schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map(describeExpected) ?? [];

describe('the expected value of a schema follows from the codes of its issues', () => {
  test.each<[string, z.ZodType, unknown, string]>([
    ['a type', z.number(), 'a', 'a number'],
    ['a list of values', z.literal(['skip', 'refuse']), 'a', 'skip or refuse'],
    ['a bound', z.number().min(2), 1, 'a number of at least 2'],
    ['a pattern', z.string().regex(/^a/), 'b', 'a string that matches /^a/'],
    ['a format', z.email(), 'b', 'a string that matches'],
    ['a divisor', z.number().multipleOf(5), 3, 'a multiple of 5'],
    ['its own message', idSchema, 'A', 'a lower-case name such as my_entry: a letter, then letters, digits and _'],
    ['a union', z.union([z.number(), z.literal('auto')]), 'b', 'a number or auto'],
  ])('%s', (_, schema, value, words) => {
    expect(expected(schema, value)[0]).toContain(words);
  });
});
