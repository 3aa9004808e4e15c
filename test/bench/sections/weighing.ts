import type { Section } from '../section.js';
import { matrix } from '../weighing/matrix.js';
import { reweigh } from '../weighing/reweigh.js';

export const weighing: Section = {
  name: 'weighing',
  title: 'The scores in bulk, and weighed again',
  about: `The matrix is read for the first time after a ranking: every scorer runs again, and 180 MB are filled. A ranking weighed again
has other weights at each call, as from a slider; by hand it is one loop over eight columns and the best ten by insertion,
with the same numbers, which is checked.`,
  async *run(effort) {
    yield* matrix(effort);
    yield* reweigh(effort);
  },
};
