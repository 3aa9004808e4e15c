import { existsSync, readFileSync } from 'node:fs';
import type { ProfileInput } from 'assize';
import { decodeEnvelope } from '../../../src/services/memory-file/memory-envelope.js';
import { VectorMemory } from '../../../src/services/vector-memory/vector-memory.js';

/** A profile that stores the vectors of its candidates in a file. */
export const rememberingIn = (memory: string): ProfileInput => ({
  tier2_scorers: [
    { id: 'novelty', class: 'NoveltyScorer', params: { vector: 'v', max_elements: 1e6 }, memory, on_absent: 1 },
  ],
});

const owner = { unit: 'core/NoveltyScorer', version: 1, madeWith: 'vectors of candidates' };

/** The number of vectors in a file of such a memory; throws if it is damaged. */
export function storedVectors(file: string): number {
  if (!existsSync(file)) return 0;
  const content = decodeEnvelope(readFileSync(file), owner);
  if ('code' in content) throw new Error(content.message);
  return VectorMemory.fromBytes(content.memory, { maxElements: 1e6 }).size();
}
