import { UsearchGraphs } from '../../src/services/memory/usearch-graphs.js';
import { VectorMemory, type VectorIndexSettings } from '../../src/services/memory/vector-memory.js';
import { compare, type Compared, line, random } from './pair.js';

const DIMENSIONS = 384;
const INDEX: VectorIndexSettings = { above: 0, m: 16, efConstruction: 128, efSearch: 64 };

/** Topics, and texts about one of them: about as alike as the traces of agents are, and as their nearest ones. */
function texts(next: () => number, topics: number): () => Float32Array {
  const vector = () => Float32Array.from({ length: DIMENSIONS }, () => next() - 0.5);
  const centres = Array.from({ length: topics }, vector);
  return () => {
    const centre = centres[Math.floor(next() * 0.999_999 * topics)] ?? vector();
    return vector().map((value, i) => value + (centre[i] ?? 0));
  };
}

/** The greatest cosine by a plain loop over one array of 32-bit floats, in doubles. */
function plainLoop(stored: readonly Float32Array[]): (query: Float32Array) => number {
  const flat = new Float32Array(stored.length * DIMENSIONS);
  for (const [k, one] of stored.entries()) flat.set(one, k * DIMENSIONS);
  const lengthOf = (one: Float32Array) => Math.sqrt(one.reduce((sum, value) => sum + value * value, 0));
  const lengths = Float64Array.from(stored, lengthOf);
  return (query) => {
    const length = lengthOf(query);
    let best = -1;
    for (let k = 0, at = 0; k < lengths.length; k++, at += DIMENSIONS) {
      let dot = 0;
      for (let i = 0; i < DIMENSIONS; i++) dot += flat[at + i]! * query[i]!;
      best = Math.max(best, dot / (length * lengths[k]!));
    }
    return best;
  };
}

/** One size of memory: each way against the plain loop, and what the index takes and gives. */
export interface NoveltyBench {
  readonly size: number;
  readonly exact: Compared;
  readonly approximate: Compared;
  /** Milliseconds to add one vector: without an index, and with it. */
  readonly add: { readonly exact: number; readonly approximate: number };
  /** The share of queries for which the index finds the most similar one. */
  readonly recall: number;
}

/** The most similar of `size` vectors of 384 dimensions: by the memory as it is, and with an index. */
export async function measureNovelty(size: number): Promise<NoveltyBench> {
  const make = texts(random(), Math.ceil(size / 20));
  const stored = Array.from({ length: size }, make);
  const filled = (index?: VectorIndexSettings, graphs?: UsearchGraphs) => {
    let memory = VectorMemory.empty({ maxElements: size, index });
    const start = performance.now();
    for (const one of stored) memory = memory.add(one, 0, graphs);
    return { memory, add: (performance.now() - start) / size };
  };
  const [plain, exact, indexed] = [plainLoop(stored), filled(), filled(INDEX, new UsearchGraphs())];
  const ours = (query: Float32Array) => exact.memory.maxCosineSimilarity(query, 0);
  const approximate = (query: Float32Array) => indexed.memory.maxCosineSimilarity(query, 0);
  const queries = Array.from({ length: 64 }, make);
  if (queries.some((query) => Math.abs((ours(query) ?? Number.NaN) - plain(query)) > 1e-12))
    throw new Error('the two sides differ');
  return {
    size,
    exact: await compare(ours, plain, queries.slice(0, 16)),
    approximate: await compare(approximate, plain, queries.slice(0, 16)),
    add: { exact: exact.add, approximate: indexed.add },
    recall: queries.filter((query) => approximate(query) === ours(query)).length / queries.length,
  };
}

/** A memory of vectors of three sizes. An index is worth its price where the scan is no longer. */
export async function* benchNovelty(): AsyncGenerator<string> {
  for (const size of [1000, 10_000, 100_000]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other: the processors are few
    const { exact, approximate, add, recall } = await measureNovelty(size);
    const name = `the nearest of ${size.toLocaleString('en')} × ${DIMENSIONS}`;
    yield line(name, exact);
    yield line(`${name}, approximate`, approximate);
    yield `    finds ${(100 * recall).toFixed(0)} % of the nearest; adding one takes ${add.exact.toFixed(3)} ms, with the index ${add.approximate.toFixed(3)} ms`;
  }
}
