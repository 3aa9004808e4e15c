/* The caller chooses how much of a request is wrong: only the problems that are listed may be described. */
import { expect, test } from 'vitest';
import { AssizeError } from 'assize';
import { ENVELOPES, parseEnvelope } from '../src/operations.js';

const MANY = 5000;

/** A description reads the value that it is about. This counts how often the items of a map or a list are read. */
function counted<T extends object>(items: T): { readonly items: T; readonly reads: () => number } {
  let reads = 0;
  const get = (target: T, key: string | symbol): unknown => {
    if (typeof key === 'string' && /\d/.test(key)) reads += 1;
    return Reflect.get(target, key);
  };
  return { items: new Proxy(items, { get }), reads: () => reads };
}

// A space in a key: its description reads the value, because it may be the rest of a text that was cut.
const named = (value: unknown) => Object.fromEntries(Array.from({ length: MANY }, (_, k) => [`a key ${k}`, value]));

/** The problems of an envelope that is wrong. */
function problemsOf(data: object): AssizeError['problems'] {
  try {
    parseEnvelope(ENVELOPES.rank, data);
  } catch (error) {
    if (error instanceof AssizeError) return error.problems;
  }
  throw new Error('expected problems');
}

const envelope = { profile: 'p', candidates: [] };
const parts = Array.from({ length: MANY }, (_, k) => `part${k}`);

test.each<[string, object, (items: object) => object, string, number]>([
  ['unknown keys', { ...envelope, ...named(1) }, (items) => items, 'unknown key a key 0', 0],
  ['unknown parts', parts, (include) => ({ ...envelope, include }), 'expected terms', MANY],
  ['wrong weights', named('x'), (weights) => ({ ...envelope, weights }), 'expected a number', MANY],
])('an envelope with many %s', (_, items, toData, start, readOnce) => {
  const { items: watched, reads } = counted(items);
  const problems = problemsOf(toData(watched));
  expect(problems).toHaveLength(100);
  expect(problems[0]!.message).toContain(start);
  expect(problems.at(-1)!.message).toBe(`and ${MANY - 99} more`);
  expect(problems.every(({ code }) => code === 'ASZ590')).toBe(true);
  expect(reads()).toBeLessThanOrEqual(readOnce + 400);
});
