import { byCandidates } from '../growth/by-candidates.js';
import { byScorers } from '../growth/by-scorers.js';
import { memory } from '../growth/memory.js';
import type { Section } from '../section.js';

export const growth: Section = {
  name: 'growth',
  title: 'How it grows',
  about: `The power of N that fits best: 1 is linear. A pass ranks a million candidates, in lists of each size. Scorers
are formulas over eight fields; their growth is that of the time beyond the same profile without one. Memory is measured after a full
collection.`,
  async *run(effort) {
    yield* byCandidates(effort);
    yield* byScorers(effort);
    yield* memory(effort);
  },
};
