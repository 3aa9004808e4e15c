/** Zod for authors of units. A file of its own, so that the lists of exports beside it can export `z` as one name. */
export * as z from './zod-names.js';
