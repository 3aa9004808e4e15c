import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AssizeError } from 'assize';
import type { NeighbourGraphs } from '../../../src/services/vector-memory/vector-index.js';
import { UsearchGraphs } from '../../../src/services/vector-memory/usearch-graphs.js';
import { VectorMemory, type VectorMemoryLimits } from '../../../src/services/vector-memory/vector-memory.js';
import { cosine, NaiveMemory } from './naive-memory.js';

const graphs = new UsearchGraphs();

/** More neighbours, and a wider search, than vectors in a graph: it finds them all. */
const wide = { above: 0, m: 200, efConstruction: 500, efSearch: 500 };
/** The smallest possible settings: it misses many. */
const narrow = { above: 0, m: 2, efConstruction: 1, efSearch: 1 };

const sourceOf = (seed: number) => {
  let state = seed | 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  };
};
const vectorOf = (random: () => number, dimensions = 8) => Float32Array.from({ length: dimensions }, random);

/** A long history: mostly the newest memory is extended, and sometimes an old one. */
const histories = fc.record({
  seed: fc.integer(),
  maxElements: fc.integer({ min: 70, max: 300 }),
  ttlMs: fc.option(fc.integer({ min: 50, max: 400 }), { nil: undefined }),
  steps: fc.integer({ min: 100, max: 500 }),
  forks: fc.constantFrom(0, 0.02, 0.3),
});

type View = { readonly memory: VectorMemory; readonly naive: NaiveMemory };

/** Replays a history on a memory with an index and on a plain list: every view, and when the last one is queried. */
function play(
  { seed, steps, forks, ...limits }: typeof histories extends fc.Arbitrary<infer H> ? H : never,
  index = wide,
) {
  const random = sourceOf(seed);
  const start: View = { memory: VectorMemory.empty({ ...limits, index }), naive: new NaiveMemory(limits) };
  const views = [start];
  let now = 1000;
  for (let i = 0; i < steps; i++) {
    const back = Math.abs(random()) < forks ? Math.floor(Math.abs(random()) * Math.min(views.length, 150)) : 0;
    const { memory, naive } = views[views.length - 1 - back] ?? start;
    now += Math.abs(random()) < 0.5 ? 1 : 0;
    const vector = Math.abs(random()) < 0.02 ? new Float32Array(8) : vectorOf(random);
    views.push({ memory: memory.add(vector, now, graphs), naive: naive.add(vector, now) });
  }
  return { views, now, random };
}

/** Some of the views, the last one among them. */
const some = <V>(views: readonly V[], random: () => number): readonly V[] => [
  ...Array.from({ length: 20 }, () => views[Math.floor(Math.abs(random()) * views.length)]).filter(
    (one) => one !== undefined,
  ),
  ...views.slice(-1),
];

describe('a memory with an index', () => {
  it('equals a plain list to the bit if the search is wide, through forks, evictions and expiry', () => {
    let searched = 0;
    fc.assert(
      fc.property(histories, (history) => {
        const { views, now, random } = play(history);
        for (const { memory, naive } of some(views, random)) {
          const query = vectorOf(random);
          expect(memory.maxCosineSimilarity(query, now)).toBe(naive.max(query, now));
          expect([memory.size(), memory.size(now)]).toEqual([naive.entries.length, naive.seen(now).length]);
          searched += memory.exact ? 0 : 1;
        }
      }),
      { numRuns: 40 },
    );
    expect(searched).toBeGreaterThan(100);
  });

  it('always returns the similarity of a stored vector, even if the search is narrow', () => {
    let [missed, asked] = [0, 0];
    fc.assert(
      fc.property(histories, (history) => {
        const { views, now, random } = play(history, narrow);
        for (const { memory, naive } of some(views, random)) {
          const query = vectorOf(random);
          const found = memory.maxCosineSimilarity(query, now);
          const all = naive.seen(now).map(({ vector }) => cosine(query, vector));
          if (all.length === 0) expect(found).toBeUndefined();
          else expect(all).toContain(found);
          asked += 1;
          missed += found === naive.max(query, now) ? 0 : 1;
        }
      }),
      { numRuns: 40 },
    );
    expect(missed).toBeGreaterThan(asked / 100);
  });

  it('compares with all while it has at most the configured number', () => {
    const random = sourceOf(1);
    let memory = VectorMemory.empty({ maxElements: 400, index: { ...narrow, above: 300 } });
    const exact: boolean[] = [];
    for (let i = 0; i < 400; i++) {
      memory = memory.add(vectorOf(random), 0, graphs);
      exact.push(memory.exact);
    }
    expect(exact.slice(0, 300).every(Boolean)).toBe(true);
    expect(exact.at(-1)).toBe(false);
  });

  it('compares with all if no index can be created for it', () => {
    const random = sourceOf(1);
    let memory = VectorMemory.empty({ maxElements: 400, index: wide });
    for (let i = 0; i < 400; i++) memory = memory.add(vectorOf(random), 0);
    expect(memory.exact).toBe(true);
  });

  it('rejects a negative bound', () => {
    expect(() => VectorMemory.empty({ maxElements: 4, index: { ...wide, above: -1 } })).toThrow('index.above');
  });
});

/** Graphs that record their vectors, and find the configured ones. */
function pretending(find: (keys: readonly number[], graph: number) => readonly number[]) {
  const filed: number[][] = [];
  const made: NeighbourGraphs = {
    check: () => {},
    open: () => {
      const keys: number[] = [];
      const graph = filed.push(keys) - 1;
      return { add: (key) => void keys.push(key), search: () => find(keys, graph) };
    },
  };
  return { made, filed, count: () => filed.reduce((sum, keys) => sum + keys.length, 0) };
}

describe('the index of a memory', () => {
  const limits: VectorMemoryLimits = { maxElements: 512, index: wide };
  const grown = (made: NeighbourGraphs, count: number, from = VectorMemory.empty(limits)) => {
    const random = sourceOf(count);
    let memory = from;
    for (let i = 0; i < count; i++) memory = memory.add(vectorOf(random), 0, made);
    return memory;
  };

  it.each([
    ['nothing', () => []],
    ['keys that were never added', () => [1e6, 12_345]],
    ['only the forgotten', (keys: readonly number[], graph: number) => (graph === 0 ? keys.slice(0, 3) : [])],
  ])('may find %s: then all are compared', (_, find) => {
    const { made } = pretending(find);
    const memory = grown(made, 700);
    const plain = VectorMemory.fromBytes(memory.toBytes(), { maxElements: 512 });
    const random = sourceOf(7);
    for (let i = 0; i < 20; i++) {
      const query = vectorOf(random);
      expect(memory.maxCosineSimilarity(query, 0)).toBe(plain.maxCosineSimilarity(query, 0));
    }
    expect(memory.exact).toBe(false);
  });

  it('keeps up: full blocks are indexed while the next one fills, each vector once', () => {
    const { made, filed, count } = pretending(() => []);
    const memory = grown(made, 512);
    expect(memory.size()).toBe(512);
    expect(count()).toBeGreaterThanOrEqual(512 - 2 * 64);
    for (const keys of filed) expect(keys).toEqual(keys.map((_key, i) => i));
  });

  it('is split into several graphs, so that forgotten vectors go with one of them', () => {
    const { made, filed } = pretending(() => []);
    grown(made, 1100);
    expect(filed.length).toBeGreaterThanOrEqual(4);
    for (const keys of filed) expect(keys.length).toBeLessThanOrEqual(256);
  });

  it('contains nothing of a fork whose block never filled', () => {
    const { made, count } = pretending(() => []);
    const memory = grown(made, 300);
    const before = count();
    for (let i = 0; i < 20; i++) memory.add(vectorOf(sourceOf(i)), 0, made);
    const full = Math.floor(300 / 64) * 64;
    expect(count() - before).toBeLessThanOrEqual(20);
    expect(count()).toBeLessThanOrEqual(full);
  });

  it('is not stored: a restored memory rebuilds it, in steps', () => {
    const { made, count } = pretending(() => []);
    const stored = grown(made, 512).toBytes();
    const before = count();
    const read = VectorMemory.fromBytes(stored, limits);
    expect(read.exact).toBe(true);
    const one = read.add(vectorOf(sourceOf(3)), 0, made);
    expect(count() - before).toBe(1);
    expect(grown(made, 500, one).exact).toBe(false);
    expect(count() - before).toBeGreaterThan(400);
  });

  it('catches up faster with more vectors to index', () => {
    const { made, count } = pretending(() => []);
    const large = { maxElements: 20_000, index: wide };
    const random = sourceOf(5);
    let memory = VectorMemory.empty(large);
    for (let i = 0; i < 20_000; i++) memory = memory.add(vectorOf(random, 2), 0);
    memory.add(vectorOf(random, 2), 0, made);
    expect(count()).toBe(1 + Math.floor(20_000 / 2048));
  });
});

describe('the graphs of usearch', () => {
  const refusedBy = (load: () => unknown): unknown => {
    try {
      new UsearchGraphs(load).check();
      return 'nothing';
    } catch (error) {
      return error instanceof AssizeError ? error.problems : error;
    }
  };
  const failing = (error: Error) => () => {
    throw error;
  };

  it('report the package to install if it is missing', () => {
    const missing = Object.assign(new Error("Cannot find module 'usearch'"), { code: 'MODULE_NOT_FOUND' });
    expect(refusedBy(failing(missing))).toEqual([
      { code: 'ASZ523', message: 'an index needs a package that is not installed: npm install usearch' },
    ]);
  });

  it('report the reason if it is present and unusable', () => {
    const broken = new Error('No native build was found', { cause: new Error('musl') });
    expect(refusedBy(failing(broken))).toEqual([
      { code: 'ASZ524', message: 'usearch cannot be loaded: No native build was found (musl)' },
    ]);
    expect(refusedBy(() => ({}))).toEqual([
      { code: 'ASZ524', message: 'usearch is installed, but its version has no Index' },
    ]);
  });

  it('find the nearest under their keys', () => {
    expect(refusedBy(() => graphs)).not.toBe('nothing');
    graphs.check();
    const graph = graphs.open({ dimensions: 3, m: 16, efConstruction: 64, efSearch: 2 });
    for (const [key, vector] of [
      [7, [1, 0, 0]],
      [2 ** 40, [0, 1, 0]],
      [0, [0, 0, 1]],
    ] as const)
      graph.add(key, Float32Array.from(vector));
    expect([...graph.search(Float32Array.of(0.1, 0.9, 0.3))].sort((a, b) => a - b)).toEqual([0, 2 ** 40]);
  });

  it('are equal each time', () => {
    const found = () => {
      const random = sourceOf(11);
      const graph = graphs.open({ dimensions: 8, m: 4, efConstruction: 8, efSearch: 4 });
      for (let key = 0; key < 500; key++) graph.add(key, vectorOf(random));
      return Array.from({ length: 50 }, () => [...graph.search(vectorOf(random))]);
    };
    expect(found()).toEqual(found());
  });
});
