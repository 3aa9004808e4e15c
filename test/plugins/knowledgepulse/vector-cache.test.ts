import { describe, expect, it } from 'vitest';
import { VectorCache } from '../../../plugins/knowledgepulse/vector-cache.js';

const axis = (i: number) => Float32Array.from({ length: 384 }, (_, n) => (n === i % 384 ? 1 : 0));

describe('VectorCache', () => {
  it('returns 0 while it is empty, then the greatest cosine', () => {
    const cache = new VectorCache({ dimensions: 2 });
    expect(cache.maxCosineSimilarity([1, 0])).toBe(0);
    cache.add([0, 2]);
    cache.add([3, 4]);
    expect(cache.maxCosineSimilarity([1, 0])).toBe(0.6);
    expect(cache.size).toBe(2);
    cache.clear();
    expect([cache.size, cache.maxCosineSimilarity([1, 0])]).toEqual([0, 0]);
  });

  it('returns a negative value if all its vectors point away, and never less than -1', () => {
    const cache = new VectorCache({ dimensions: 3 });
    const vector = [0.1, 0.2, 0.3];
    cache.add(vector);
    expect(cache.maxCosineSimilarity(vector.map((x) => -x))).toBeCloseTo(-1, 12);
    for (let i = 1; i < 500; i++) {
      cache.clear();
      cache.add([i, 1 / i, 7]);
      expect(cache.maxCosineSimilarity([-i, -1 / i, -7])).toBeGreaterThanOrEqual(-1);
    }
  });

  it('holds 1,000 vectors of 384 dimensions by default, and drops the oldest first', () => {
    const whole = new VectorCache();
    for (let i = 0; i < 1001; i++) whole.add(axis(i));
    expect(whole.size).toBe(1000);
    const two = new VectorCache({ maxElements: 2 });
    for (let i = 0; i < 3; i++) two.add(axis(i));
    expect([0, 1, 2].map((i) => two.maxCosineSimilarity(axis(i)))).toEqual([0, 1, 1]);
  });

  it('forgets vectors older than its time to live', () => {
    let now = 0;
    const cache = new VectorCache({ dimensions: 2, ttlMs: 1000, now: () => now });
    cache.add([1, 0]);
    now = 600;
    cache.add([0, 1]);
    now = 1000;
    expect([cache.size, cache.maxCosineSimilarity([1, 0])]).toEqual([2, 1]);
    now = 1001;
    expect([cache.size, cache.maxCosineSimilarity([1, 0])]).toEqual([1, 0]);
    now = 5000;
    expect([cache.size, cache.maxCosineSimilarity([0, 1])]).toEqual([0, 0]);
  });

  it('copies its input', () => {
    const cache = new VectorCache({ dimensions: 2 });
    const buffer = Float32Array.of(1, 0);
    cache.add(buffer);
    buffer.set([0, 1]);
    cache.add(buffer);
    buffer.fill(-1);
    expect([cache.maxCosineSimilarity([1, 0]), cache.maxCosineSimilarity([0, 1])]).toEqual([1, 1]);
  });

  it('rejects other dimensions, also of the query, and numbers that are not finite', () => {
    const cache = new VectorCache();
    expect(() => cache.add([1, 2, 3])).toThrow(new RangeError('Expected 384 dimensions, got 3'));
    expect(() => cache.maxCosineSimilarity([1, 2, 3])).toThrow(new RangeError('Expected 384 dimensions, got 3'));
    expect(() => cache.add(new Float32Array(384).fill(Number.NaN))).toThrow('finite');
    expect(cache.size).toBe(0);
  });
});
