import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';
import { UsearchGraphs } from '../../src/services/vector-memory/usearch-graphs.js';
import { random } from '../bench/random.js';
import type { Evaluation } from './evaluation.js';

const DIMENSIONS = 384;
const NEAREST = 10;
/** Every fifth of the real vectors is a query. */
const REAL_STEP = 5;

/** Files of MiniLM's vectors, 32-bit floats one after the other. */
const FILES = ['traces/embeddings.minilm.f32', 'embeddings/fiori-docs-minilm/embeddings.bin'];

/** A set of vectors to search, and the queries, which are not among them. */
interface Case {
  readonly name: string;
  readonly stored: readonly Float32Array[];
  readonly queries: readonly Float32Array[];
}

/** The results of an index, and its time. */
interface Found {
  /** The share of queries whose most similar vector was found. */
  readonly first: number;
  /** The share of the ten most similar that were among the first ten found. */
  readonly ten: number;
  /** The excess of the novelty: on average, and in 99 of 100 queries at most. */
  readonly mean: number;
  readonly p99: number;
  /** The median milliseconds of a search. */
  readonly millis: number;
}

const readVectors = (file: string): readonly Float32Array[] => {
  const bytes = new Uint8Array(readFileSync(file));
  const floats = new Float32Array(bytes.buffer);
  return Array.from({ length: floats.length / DIMENSIONS }, (_, i) =>
    floats.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS),
  );
};

/** A loop, because it runs tens of millions of times. */
function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

const unit = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / length);
};

/** Repeatable: every `step`-th is a query, the rest is stored. */
function held(name: string, vectors: readonly Float32Array[], step: number): Case {
  return {
    name,
    stored: vectors.filter((_, i) => i % step !== 0),
    queries: vectors.filter((_, i) => i % step === 0),
  };
}

/** The requested number of vectors, each a mixture of two real ones with a little noise. */
function mixtures(vectors: readonly Float32Array[], count: number): readonly Float32Array[] {
  const next = random();
  const any = () => vectors[Math.floor(next() * 0.999_999 * vectors.length)] ?? new Float32Array(DIMENSIONS);
  return Array.from({ length: count }, () => {
    const [a, b, share] = [any(), any(), next()];
    return unit(a.map((value, i) => share * value + (1 - share) * (b[i] ?? 0) + 0.02 * (next() - 0.5)));
  });
}

/** A stored vector, and its cosine with a query: all have length 1. */
interface Neighbour {
  readonly key: number;
  readonly cosine: number;
}

/** The most similar ones of some vectors, first. */
const nearest = (query: Float32Array, stored: readonly Float32Array[], keys: Iterable<number>): readonly Neighbour[] =>
  Array.from(keys, (key): Neighbour => ({ key, cosine: dot(query, stored[key] ?? query) }))
    .sort((a, b) => b.cosine - a.cosine)
    .slice(0, NEAREST);

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
/** The value at a quantile. */
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(share * values.length)] ?? Number.NaN;

/** One graph of all stored vectors. A memory also scans its newest vectors, and misses less. */
function search({ stored, queries }: Case, truth: readonly (readonly Neighbour[])[], efSearch: number): Found {
  const graph = new UsearchGraphs().open({ dimensions: DIMENSIONS, m: 16, efConstruction: 128, efSearch });
  for (const [key, vector] of stored.entries()) graph.add(key, vector);
  const all = queries.map((query, q) => {
    const start = performance.now();
    const keys = graph.search(query);
    const millis = performance.now() - start;
    const found = nearest(query, stored, keys);
    const wanted = truth[q] ?? [];
    const missing = (wanted[0]?.cosine ?? Number.NaN) - (found[0]?.cosine ?? Number.NaN);
    const right = found.filter(({ key }) => wanted.some((one) => one.key === key));
    return { missing, ten: right.length / NEAREST, millis };
  });
  const missing = all.map((one) => one.missing);
  return {
    first: mean(missing.map((one) => (one === 0 ? 1 : 0))),
    ten: mean(all.map(({ ten }) => ten)),
    mean: mean(missing),
    p99: quantile(missing, 0.99),
    millis: quantile(
      all.map(({ millis }) => millis),
      0.5,
    ),
  };
}

/** The most similar ones by comparing with all. */
const truthOf = ({ stored, queries }: Case): readonly (readonly Neighbour[])[] =>
  queries.map((query) => nearest(query, stored, stored.keys()));

/**
 * The vectors of a real model, from the folder `../shared` or the one in ASSIZE_SHARED; or the reason why they are
 * missing.
 */
function realVectors(): readonly Float32Array[] | string {
  const folder = process.env['ASSIZE_SHARED'] ?? join(packageRoot(), '..', 'shared');
  const files = FILES.map((file) => join(folder, 'data', file));
  const gone = files.filter((file) => !existsSync(file));
  return gone.length > 0 ? `the vectors are not there: ${gone.join(', ')}` : files.flatMap(readVectors);
}

/** The misses of one graph on the real vectors themselves; undefined if they are missing. */
export function missedOfReal(efSearch: number): Found | undefined {
  const real = realVectors();
  if (typeof real === 'string') return undefined;
  const one = held('', real, REAL_STEP);
  return search(one, truthOf(one), efSearch);
}

/** The misses of the approximate index of a memory, on the vectors of a real model. */
export const vectorIndex: Evaluation = {
  name: 'vector-index',
  async *run() {
    const real = realVectors();
    if (typeof real === 'string') {
      yield `Not evaluated: ${real}.`;
      return;
    }
    const cases = [
      held('traces of agents and pages of documentation', real, REAL_STEP),
      held('mixtures of two of these', mixtures(real, 21_000), 21),
    ];
    for (const one of cases) {
      const truth = truthOf(one);
      yield `${one.stored.length} ${one.name}, ${one.queries.length} queries that are not among them:\n`;
      yield '| `ef_search` | recall@1 | recall@10 | novelty too great by, mean | 99th percentile | a search, ms |';
      yield '|---|---|---|---|---|---|';
      for (const efSearch of [16, 32, 64, 128, 256]) {
        const found = search(one, truth, efSearch);
        yield `| ${efSearch} | ${found.first.toFixed(3)} | ${found.ten.toFixed(3)} | ${found.mean.toFixed(4)} | ${found.p99.toFixed(3)} | ${found.millis.toFixed(2)} |`;
      }
      yield '';
    }
  },
};
