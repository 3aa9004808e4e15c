import { VectorMemory } from '../../src/services/memory/vector-memory.js';
import { compare, line, random } from './pair.js';

const DIMENSIONS = 384;
const SIZE = 1000;

/** The most similar of 1,000 vectors of 384 dimensions: against a loop over arrays in doubles. */
export async function* benchNovelty(): AsyncGenerator<string> {
  const next = random();
  const vector = () => Float32Array.from({ length: DIMENSIONS }, () => next() - 0.5);
  const stored = Array.from({ length: SIZE }, vector);
  const lengths = stored.map((one) => Math.hypot(...one));
  let memory = VectorMemory.empty({ maxElements: SIZE });
  for (const one of stored) memory = memory.add(one, 0);
  const byHand = (query: Float32Array): number => {
    const length = Math.hypot(...query);
    let best = -1;
    for (const [k, one] of stored.entries()) {
      let dot = 0;
      for (let i = 0; i < DIMENSIONS; i++) dot += one[i]! * query[i]!;
      best = Math.max(best, dot / (length * lengths[k]!));
    }
    return best;
  };
  const ours = (query: Float32Array) => memory.maxCosineSimilarity(query, 0);
  yield line('the nearest of 1,000 × 384', await compare(ours, byHand, Array.from({ length: 16 }, vector)));
}
