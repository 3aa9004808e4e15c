import type { VectorMemoryLimits } from '../../../src/services/vector-memory/vector-memory.js';

/** The definition: every vector, one term after the other, in double precision. */
export const cosine = (a: Float32Array, b: Float32Array): number => {
  let [dot, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    aa += a[i]! * a[i]!;
    bb += b[i]! * b[i]!;
  }
  return aa === 0 || bb === 0 ? 0 : dot / (Math.sqrt(aa) * Math.sqrt(bb));
};

type Entry = { readonly vector: Float32Array; readonly at: number };

/** A memory as a plain list. */
export class NaiveMemory {
  constructor(
    readonly limits: VectorMemoryLimits,
    readonly entries: readonly Entry[] = [],
  ) {}
  seen(now: number) {
    const { ttlMs } = this.limits;
    return this.entries.filter((entry) => ttlMs === undefined || now - entry.at <= ttlMs);
  }
  max(query: Float32Array, now: number) {
    const all = this.seen(now).map((entry) => cosine(query, entry.vector));
    return all.length === 0 ? undefined : Math.max(-1, ...all);
  }
  add(vector: Float32Array, now: number) {
    const kept = this.seen(now);
    return new NaiveMemory(this.limits, [
      ...kept.slice(Math.max(0, kept.length - this.limits.maxElements + 1)),
      { vector: vector.slice(), at: now },
    ]);
  }
}
