import type { VerbPackage } from '../verb.js';

/** The packages whose verbs are still in this repository's `src`. */
export const BUILT_IN: Readonly<Record<string, () => Promise<VerbPackage>>> = {
  '@assize/evaluate': () => import('../../evaluate/verbs/index.js'),
  '@assize/jobs': () => import('../../jobs/verbs/index.js'),
  '@assize/serve': () => import('../../serve/verbs/index.js'),
  '@assize/studio': () => import('../../studio/verbs/index.js'),
};
