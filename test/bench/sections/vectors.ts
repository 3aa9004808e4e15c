import { type VectorIndexSettings, VectorMemory } from 'assize/sdk';
import { UsearchGraphs } from '../../../src/services/vector-memory/usearch-graphs.js';
import { measure } from '../measure.js';
import { random } from '../random.js';
import type { Result } from '../result.js';
import type { Effort, Section } from '../section.js';

const DIMENSIONS = 384;
const INDEX: VectorIndexSettings = { above: 0, m: 16, efConstruction: 128, efSearch: 64 };
const SIZES = [1000, 10_000, 100_000] as const;
const QUERIES = 64;
/** A pass over all queries at the largest sizes would take seconds. */
const ASKED = 8;

/** Topics, and texts about one of them: about as similar as traces of agents and their nearest neighbours. */
function texts(next: () => number, topics: number): () => Float32Array {
  const vector = () => Float32Array.from({ length: DIMENSIONS }, () => next() - 0.5);
  const centres = Array.from({ length: topics }, vector);
  return () => {
    const centre = centres[Math.floor(next() * 0.999_999 * topics)] ?? vector();
    return vector().map((value, i) => value + (centre[i] ?? 0));
  };
}

/** The greatest cosine by a plain loop over one 32-bit float array, in doubles; lengths are known. */
function plainLoop(stored: readonly Float32Array[]): (query: Float32Array) => number {
  const flat = new Float32Array(stored.length * DIMENSIONS);
  for (const [k, one] of stored.entries()) flat.set(one, k * DIMENSIONS);
  const lengthOf = (one: Float32Array): number => Math.sqrt(one.reduce((sum, value) => sum + value * value, 0));
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

type Find = (query: Float32Array) => number;

/** A memory of all vectors, and the average nanoseconds to add one. */
function filled(stored: readonly Float32Array[], index?: VectorIndexSettings): { find: Find; nanos: number } {
  const graphs = index && new UsearchGraphs();
  let memory = VectorMemory.empty({ maxElements: stored.length, index });
  const start = performance.now();
  for (const one of stored) memory = memory.add(one, 0, graphs);
  const nanos = ((performance.now() - start) * 1e6) / stored.length;
  return { find: (query) => memory.maxCosineSimilarity(query, 0) ?? Number.NaN, nanos };
}

const NAMES = ['plain loop', 'Assize', 'Assize, approximate'] as const;

async function* bySize(size: number, effort: Effort): AsyncGenerator<Result> {
  const count = effort.of(size);
  const make = texts(random(), Math.ceil(count / 20));
  const stored = Array.from({ length: count }, make);
  const queries = Array.from({ length: effort.of(QUERIES) }, make);
  const loop = plainLoop(stored);
  const exact = filled(stored);
  const indexed = filled(stored, INDEX);
  for (const query of queries) {
    const [ours, theirs] = [exact.find(query), loop(query)];
    if (!(Math.abs(ours - theirs) <= 1e-12)) throw new Error(`the greatest cosine is ${theirs}, and ours ${ours}`);
    if (indexed.find(query) > ours)
      throw new Error(`an index found ${indexed.find(query)}, and the greatest is ${ours}`);
  }
  const found = queries.filter((query) => indexed.find(query) === exact.find(query)).length / queries.length;

  const asked = queries.slice(0, size >= 100_000 ? ASKED / 2 : ASKED);
  const subject = (name: string, find: Find) => ({ name, per: asked.length, pass: () => asked.map(find) });
  const finds = [loop, exact.find, indexed.find];
  const times = await measure(
    NAMES.map((name, k) => subject(name, finds[k] ?? loop)),
    effort,
  );
  for (const name of NAMES) {
    const to = name === NAMES[0] ? undefined : NAMES[0];
    const result = { ...times.result('By the number of vectors', name, 'query', to), size };
    if (name === 'Assize' && size === 1000) yield { ...result, goal: { atMost: 1 } };
    else if (name === 'Assize') yield result;
    else if (to === undefined) yield result;
    else
      yield {
        ...result,
        note: `finds the most similar for ${(100 * found).toFixed(0)} % of ${queries.length} queries`,
      };
  }
  for (const [name, { nanos }] of [
    ['Assize', exact],
    ['Assize, approximate', indexed],
  ] as const) {
    const amount = { median: nanos, low: nanos, high: nanos };
    yield {
      work: 'Adding one vector',
      subject: name,
      size,
      amount,
      unit: 'ns',
      per: 'vector',
      note: 'the mean of all',
    };
  }
}

export const vectors: Section = {
  name: 'vectors',
  title: 'The most similar vector of a memory',
  about: `The greatest cosine of a query and a number of vectors of 384 numbers, as novelty needs it for each candidate, compared with a plain loop
in doubles. By default it compares with every vector; with \`index\` it searches a graph (HNSW, \`ef_search\` 64), which may miss
the most similar one.`,
  packages: ['usearch'],
  async *run(effort) {
    for (const size of SIZES) yield* bySize(size, effort);
  },
};
