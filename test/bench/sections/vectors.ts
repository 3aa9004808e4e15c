import { VectorMemory } from '../../../src/services/memory/vector-memory.js';
import { measure } from '../measure.js';
import { random } from '../random.js';
import type { Section } from '../section.js';

const DIMENSIONS = 384;
const SIZES = [1000, 10_000, 100_000] as const;
const QUERIES = 16;

/** In doubles, over arrays as an embedder gives them; their lengths are known. */
function plain(stored: readonly Float32Array[]): (query: Float32Array) => number {
  const lengths = stored.map((one) => Math.hypot(...one));
  return (query) => {
    const length = Math.hypot(...query);
    let best = -1;
    for (const [k, one] of stored.entries()) {
      let dot = 0;
      for (let i = 0; i < DIMENSIONS; i++) dot += one[i]! * query[i]!;
      best = Math.max(best, dot / (length * lengths[k]!));
    }
    return best;
  };
}

export const vectors: Section = {
  name: 'vectors',
  title: 'The most similar vector of a memory',
  about: `The greatest cosine of a query and so many vectors of ${DIMENSIONS} numbers, as novelty asks it for every candidate, beside a plain
loop in doubles. Both answer alike, to 1e-6: ours multiplies in single precision and looks again at what comes close.`,
  async *run(effort) {
    const next = random();
    const vector = (): Float32Array => Float32Array.from({ length: DIMENSIONS }, () => next() - 0.5);
    const all = Array.from({ length: effort.of(SIZES.at(-1) ?? 0) }, vector);
    const queries = Array.from({ length: effort.of(QUERIES) }, vector);
    for (const size of SIZES) {
      const stored = all.slice(0, effort.of(size));
      const loop = plain(stored);
      let memory = VectorMemory.empty({ maxElements: stored.length });
      for (const one of stored) memory = memory.add(one, 0);
      const ours = (query: Float32Array): number => memory.maxCosineSimilarity(query, 0) ?? Number.NaN;
      for (const query of queries) {
        if (Math.abs(ours(query) - loop(query)) <= 1e-6) continue;
        throw new Error(`the greatest cosine is ${loop(query)}, and the memory says ${ours(query)}`);
      }
      // A pass over all queries at the largest size would take seconds.
      const asked = queries.slice(0, size >= 100_000 ? 2 : queries.length);
      const pass = (find: (query: Float32Array) => number) => () => asked.map(find);
      const subjects = [
        { name: 'plain loop', per: asked.length, pass: pass(loop) },
        { name: 'Assize', per: asked.length, pass: pass(ours) },
      ];
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const times = await measure(subjects, effort);
      const work = 'By the number of vectors';
      yield { ...times.result(work, 'plain loop', 'query'), size };
      const result = { ...times.result(work, 'Assize', 'query', 'plain loop'), size };
      yield size === 1000 ? { ...result, goal: { atMost: 1 } } : result;
    }
  },
};
