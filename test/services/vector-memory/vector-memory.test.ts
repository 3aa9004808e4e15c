import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VectorMemory } from '../../../src/services/vector-memory/vector-memory.js';
import { cosine, NaiveMemory } from './naive-memory.js';

const vectors = (dimensions: number) => {
  const value = fc.oneof(
    { weight: 6, arbitrary: fc.float({ min: -1, max: 1, noNaN: true }) },
    { weight: 1, arbitrary: fc.float({ noNaN: true, noDefaultInfinity: true }) },
    { weight: 1, arbitrary: fc.constantFrom(0, -0, 1, -1, 1e-45, 3e38, -3e38, 1e-30) },
  );
  return fc.array(value, { minLength: dimensions, maxLength: dimensions }).map((list) => Float32Array.from(list));
};

/** Adds and queries on any earlier view: `from` picks one. */
const histories = fc.integer({ min: 1, max: 40 }).chain((dimensions) =>
  fc.record({
    limits: fc.record({
      maxElements: fc.integer({ min: 1, max: 50 }),
      ttlMs: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
    }),
    steps: fc.array(
      fc.record({
        from: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(200) }),
        later: fc.nat(5),
        vector: vectors(dimensions),
        query: vectors(dimensions),
      }),
      { maxLength: 200, size: 'max' },
    ),
  }),
);

describe('VectorMemory', () => {
  it('equals a plain list to the bit, through forks, evictions and expiry', () => {
    fc.assert(
      fc.property(histories, ({ limits, steps }) => {
        const views = [{ memory: VectorMemory.empty(limits), naive: new NaiveMemory(limits) }];
        let now = 1_700_000_000_000;
        for (const { from, later, vector, query } of steps) {
          now += later;
          const { memory, naive } = views[Math.max(0, views.length - 1 - from)]!;
          expect(memory.maxCosineSimilarity(query, now)).toBe(naive.max(query, now));
          expect(memory.maxCosineSimilarity(vector, now)).toBe(naive.max(vector, now));
          views.push({ memory: memory.add(vector, now), naive: naive.add(vector, now) });
        }
        for (const { memory, naive } of views) {
          expect(memory.size()).toBe(naive.entries.length);
          expect(memory.size(now)).toBe(naive.seen(now).length);
          for (const { query } of steps.slice(0, 3))
            expect(memory.maxCosineSimilarity(query, now)).toBe(naive.max(query, now));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is exact to the bit on near ties, with the size of a real model and over several blocks', () => {
    const dimensions = 384;
    const seeds = fc.record({
      seed: fc.integer(),
      count: fc.integer({ min: 1, max: 2500 }),
      noise: fc.constantFrom(0, 1e-7, 1e-4, 1),
    });
    fc.assert(
      fc.property(seeds, ({ seed, count, noise }) => {
        let state = seed | 0;
        const random = () => {
          state = (Math.imul(state, 1664525) + 1013904223) | 0;
          return state / 2 ** 31;
        };
        const base = Float32Array.from({ length: dimensions }, random);
        const near = () => base.map((x) => x + noise * random());
        const list = Array.from({ length: count }, near);
        let memory = VectorMemory.empty({ maxElements: 3000, dimensions });
        for (const vector of list) memory = memory.add(vector, 0);
        const query = near();
        expect(memory.maxCosineSimilarity(query, 0)).toBe(
          list.reduce((most, vector) => Math.max(most, cosine(query, vector)), -1),
        );
      }),
      { numRuns: 25 },
    );
  });

  it('is immutable: additions to an old one are in neither the old one nor the newer one', () => {
    const [east, north, up] = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as const;
    const empty = VectorMemory.empty({ maxElements: 10 });
    const one = empty.add(east, 0);
    const two = one.add(north, 0);
    const fork = one.add(up, 0);
    expect([empty, one, two, fork].map((memory) => memory.size())).toEqual([0, 1, 2, 2]);
    expect([one, two, fork].map((memory) => memory.maxCosineSimilarity(north, 0))).toEqual([0, 1, 0]);
    expect([one, two, fork].map((memory) => memory.maxCosineSimilarity(up, 0))).toEqual([0, 0, 1]);
    expect(empty.maxCosineSimilarity(up, 0)).toBeUndefined();
  });

  it("copies the caller's array", () => {
    const vector = Float32Array.of(1, 0);
    const memory = VectorMemory.empty({ maxElements: 2 }).add(vector, 0);
    vector.set([0, 1]);
    expect(memory.maxCosineSimilarity([1, 0], 0)).toBe(1);
  });

  it('a vector of length 0 is similar to nothing, including itself', () => {
    const memory = VectorMemory.empty({ maxElements: 2 }).add([0, 0], 0);
    expect(memory.maxCosineSimilarity([0, 0], 0)).toBe(0);
    expect(memory.maxCosineSimilarity([1, 0], 0)).toBe(0);
  });

  it('forgets by age: invisible after the time to live, removed with the next vector', () => {
    const memory = VectorMemory.empty({ maxElements: 10, ttlMs: 100 }).add([1, 0], 1000);
    expect(memory.maxCosineSimilarity([1, 0], 1100)).toBe(1);
    expect(memory.maxCosineSimilarity([1, 0], 1101)).toBeUndefined();
    expect([memory.size(), memory.size(1101)]).toEqual([1, 0]);
    expect(memory.add([0, 1], 1101).size()).toBe(1);
  });

  it('rejects another width, numbers that are not finite, and invalid limits', () => {
    const memory = VectorMemory.empty({ maxElements: 2, dimensions: 3 });
    expect(() => memory.add([1, 2], 0)).toThrow(new RangeError('Expected 3 dimensions, got 2'));
    expect(() => memory.maxCosineSimilarity([1, 2, 3, 4], 0)).toThrow(new RangeError('Expected 3 dimensions, got 4'));
    const decided = VectorMemory.empty({ maxElements: 2 }).add([1, 2], 0);
    expect(decided.dimensions).toBe(2);
    expect(() => decided.add([1], 0)).toThrow(new RangeError('Expected 2 dimensions, got 1'));
    expect(() => memory.add([1, Number.NaN, 0], 0)).toThrow('finite');
    expect(() => memory.add([1, Number.POSITIVE_INFINITY, 0], 0)).toThrow('finite');
    expect(() => VectorMemory.empty({ maxElements: 2 }).add([], 0)).toThrow('at least one number');
    expect(() => VectorMemory.empty({ maxElements: 0 })).toThrow('maxElements');
    expect(() => VectorMemory.empty({ maxElements: 1, dimensions: 1.5 })).toThrow('dimensions');
    expect(() => VectorMemory.empty({ maxElements: 1, ttlMs: -1 })).toThrow('ttlMs');
  });
});
