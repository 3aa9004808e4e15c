/* The caller chooses how much of a request is wrong: only the problems that are listed may be described. */
import { beforeEach, expect, test, vi } from 'vitest';
import { AssizeError, createPipeline } from '../../src/index.js';
import { ENVELOPES, parseEnvelope } from '../../src/serve/operations.js';

const described = vi.hoisted(() => ({ count: 0 }));
vi.mock('../../src/base/did-you-mean.js', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/base/did-you-mean.js')>();
  const didYouMean = new Proxy(original.didYouMean, {
    apply: (target, self, given) => {
      described.count += 1;
      return Reflect.apply(target, self, given);
    },
  });
  return { ...original, didYouMean };
});

beforeEach(() => {
  described.count = 0;
});

const MANY = 5000;
const named = (value: unknown) => Object.fromEntries(Array.from({ length: MANY }, (_, k) => [`key${k}`, value]));

test.each([
  ['unknown keys', { ...named(1) }, 'unknown key key0', MANY],
  ['unknown parts', { include: Array.from({ length: MANY }, (_, k) => `part${k}`) }, 'expected terms', MANY],
  ['unknown keys and a wrong one', { ...named(1), top: 'x' }, 'expected a number', MANY + 1],
  ['wrong weights', { weights: named('x') }, 'expected a number', MANY],
])('an envelope with many %s', (_, wrong, start, count) => {
  const data = { profile: 'p', candidates: [], ...wrong };
  expect(() => parseEnvelope(ENVELOPES.rank, data)).toThrow(AssizeError);
  try {
    parseEnvelope(ENVELOPES.rank, data);
  } catch (error) {
    const { problems } = error as AssizeError;
    expect(problems).toHaveLength(100);
    expect(problems[0]!.message).toContain(start);
    expect(problems.at(-1)!.message).toBe(`and ${count - 99} more`);
    expect(problems.every(({ code }) => code === 'ASZ590')).toBe(true);
  }
  expect(described.count).toBeLessThanOrEqual(200);
});

test('weights of many unknown scorers', async () => {
  const pipeline = await createPipeline({ tier2_scorers: [{ id: 'stars', expr: '1' }] });
  described.count = 0;
  const weights = named(1) as Record<string, number>;
  await expect(pipeline.rank([{}], {}, { weights })).rejects.toThrow('the profile has no scorer key0');
  expect(described.count).toBe(100);
});
