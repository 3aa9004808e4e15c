import { existsSync, readFileSync } from 'node:fs';
import type { ProfileInput } from 'assize';
import { decodeSnapshot } from '../../../src/services/memory-file/memory-envelope.js';
import { decodeRecords } from '../../../src/services/memory-file/memory-log.js';
import { VectorMemory } from '../../../src/services/vector-memory/vector-memory.js';

/** A profile that stores the vectors of its candidates in a file. */
export const rememberingIn = (memory: string): ProfileInput => ({
  tier2_scorers: [
    { id: 'novelty', class: 'NoveltyScorer', params: { vector: 'v', max_elements: 1e6 }, memory, on_absent: 1 },
  ],
});

const owner = { unit: 'core/NoveltyScorer', version: 2, madeWith: 'vectors of candidates' };

/** The memory in a file; throws if it is damaged. An incomplete last record is ignored. */
export function storedMemory(file: string): VectorMemory {
  const bytes = readFileSync(file);
  const snapshot = decodeSnapshot(bytes, owner);
  if ('code' in snapshot) throw new Error(snapshot.message);
  const { contents, damaged } = decodeRecords(bytes.subarray(snapshot.end), snapshot.digest);
  if (damaged) throw new Error('the log is damaged');
  const start = VectorMemory.fromBytes(snapshot.memory, { maxElements: 1e6 });
  return contents.reduce((memory, changes) => memory.withChanges(changes), start);
}

/** The number of vectors in a file of such a memory; throws if it is damaged. */
export const storedVectors = (file: string): number => (existsSync(file) ? storedMemory(file).size() : 0);
