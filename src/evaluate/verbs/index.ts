/**
 * The commands that this package adds to `assize`, and what `assize studio` shares with them.
 *
 * @module
 */

import type { OutputStyle, Verb } from '../../verbs.js';
import { ask } from './ask.js';
import { evaluate } from './evaluate.js';
import type { readCliDataset } from './judged.js';
import { tune } from './tune.js';

export { type DatasetVerbOptions, withQueries } from './dataset-options.js';

export const verbs: readonly Verb[] = [evaluate, tune, ask];

/** Reads the queries and judgements of a verb with the options of `withQueries`. */
export const readVerbDataset: typeof readCliDataset = async (...args) =>
  (await import('./judged.js')).readCliDataset(...args);

/** The text of `assize help measures`. */
export const helpTopics = {
  measures: async (style: OutputStyle): Promise<string> => (await import('./evaluation-text.js')).measuresText(style),
};
