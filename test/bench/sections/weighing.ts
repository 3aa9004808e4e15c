import type { Section } from '../section.js';
import { matrix } from '../weighing/matrix.js';
import { reweigh } from '../weighing/reweigh.js';

export const weighing: Section = {
  name: 'weighing',
  title: 'All scores, and reweighting',
  about: `The matrix is read for the first time after a ranking: every scorer runs again, and 180 MB are filled. A ranking is
reweighted with other weights at each call; by hand this is one loop over eight columns and the best ten by insertion.`,
  async *run(effort) {
    yield* matrix(effort);
    yield* reweigh(effort);
  },
};
