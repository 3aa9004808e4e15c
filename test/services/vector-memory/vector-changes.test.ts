import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VectorMemory } from '../../../src/services/vector-memory/vector-memory.js';

interface Step {
  readonly id: string | undefined;
  readonly vector: readonly number[];
  readonly later: number;
}

const steps = fc.array(
  fc.record<Step>({
    id: fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'é'), { nil: undefined }),
    vector: fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 1, max: 3 })),
    later: fc.nat(9),
  }),
  { maxLength: 80 },
);
const limits = fc.record({
  maxElements: fc.integer({ min: 1, max: 12 }),
  ttlMs: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
});

/** As `NoveltyScorer` does it. */
function see(memory: VectorMemory, { id, vector }: Step, now: number): VectorMemory {
  if (id !== undefined && memory.recall(id, vector, now)) return memory;
  const similarity = memory.maxCosineSimilarity(vector, now, id);
  return memory.add(vector, now, undefined, id === undefined ? undefined : { id, similarity });
}

/** The same with a plain list. */
class NaiveMemory {
  #list: { id: string | undefined; vector: readonly number[]; time: number; similarity: number | undefined }[] = [];
  constructor(private readonly bounds: { readonly maxElements: number; readonly ttlMs: number | undefined }) {}

  #alive = (now: number) => this.#list.filter(({ time }) => now - time <= (this.bounds.ttlMs ?? Infinity));

  greatest(vector: readonly number[], now: number, except?: string): number | undefined {
    const cosines = this.#alive(now)
      .filter(({ id }) => id === undefined || id !== except)
      .map((one) => dot(one.vector, vector) / Math.sqrt(dot(one.vector, one.vector) * dot(vector, vector)));
    return cosines.length === 0 ? undefined : Math.max(...cosines);
  }

  see({ id, vector }: Step, now: number): void {
    const known = id === undefined ? undefined : this.#alive(now).find((one) => one.id === id);
    if (known && dot(known.vector, vector) ** 2 > 0.999999 * dot(known.vector, known.vector) * dot(vector, vector)) {
      if (dot(known.vector, vector) > 0) return;
    }
    const similarity = this.greatest(vector, now, id);
    if (id !== undefined) this.#list = this.#list.filter((one) => one.id !== id);
    while (this.#list.length >= this.bounds.maxElements) this.#list.shift();
    while (this.#list[0] && now - this.#list[0].time > (this.bounds.ttlMs ?? Infinity)) this.#list.shift();
    this.#list.push({ id, vector, time: now, similarity });
  }

  size = (now: number): number => this.#alive(now).length;
}

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);

const answers = (memory: VectorMemory, now: number) => [
  memory.size(),
  memory.size(now),
  ...[
    [1, 2],
    [-2, 1],
  ].map((query) => memory.maxCosineSimilarity(query, now)),
  ...['a', 'b', 'c', 'd', 'é'].map((id) => memory.maxCosineSimilarity([1, 1], now, id)),
];

describe('a memory of vectors with ids', () => {
  it('gives the answers of a plain list', () => {
    fc.assert(
      fc.property(limits, steps, (bounds, list) => {
        let [memory, now] = [VectorMemory.empty(bounds), 1e12];
        const naive = new NaiveMemory(bounds);
        for (const step of list) {
          now += step.later;
          memory = see(memory, step, now);
          naive.see(step, now);
          expect(memory.size(now)).toBe(naive.size(now));
          for (const id of ['a', undefined]) {
            const expected = naive.greatest([1, 2], now, id);
            const found = memory.maxCosineSimilarity([1, 2], now, id);
            if (expected === undefined) expect(found).toBeUndefined();
            else expect(found).toBeCloseTo(expected, 6);
          }
        }
      }),
    );
  });

  it('is the same after its changes were stored and applied, and after it was stored as a whole', () => {
    fc.assert(
      fc.property(limits, steps, fc.nat(80), fc.integer({ min: 1, max: 9 }), (bounds, list, split, batch) => {
        let [memory, now] = [VectorMemory.empty(bounds), 1e12];
        for (const step of list.slice(0, split)) memory = see(memory, step, (now += step.later));
        let copy = VectorMemory.fromBytes(memory.toBytes(), bounds);
        expect(answers(copy, now)).toEqual(answers(memory, now));
        const rest = list.slice(split);
        while (rest.length > 0) {
          const before = memory;
          for (const step of rest.splice(0, batch)) memory = see(memory, step, (now += step.later));
          const changes = memory.changesSince(before);
          copy = changes ? copy.withChanges(changes) : VectorMemory.fromBytes(memory.toBytes(), bounds);
          expect(answers(copy, now)).toEqual(answers(memory, now));
        }
        const restored = VectorMemory.fromBytes(memory.toBytes(), bounds);
        expect(answers(restored, now)).toEqual(answers(memory, now));
        for (const id of ['a', 'b', 'é'])
          for (const vector of [
            [1, 1],
            [0, 2],
          ])
            expect(restored.recall(id, vector, now)).toEqual(memory.recall(id, vector, now));
      }),
    );
  });

  it('does not change when a newer one replaces its vectors, many times', () => {
    let memory = VectorMemory.empty({ maxElements: 50 });
    for (let i = 0; i < 50; i++) memory = memory.add([i, 1], i, undefined, { id: `${i}`, similarity: undefined });
    const before = answers(memory, 50);
    let next = memory;
    for (let k = 0; k < 1000; k++) {
      next = next.add([k, -1], 50, undefined, { id: `${k % 40}`, similarity: undefined });
      expect(next.size()).toBe(50);
    }
    expect(answers(memory, 50)).toEqual(before);
    expect(memory.recall('7', [7, 1], 50)).toEqual({ id: '7', similarity: undefined });
    expect(next.recall('7', [967, -1], 50)).toEqual({ id: '7', similarity: undefined });
    expect(next.changesSince(memory)).toBeUndefined(); // it was copied in between
  });
});
