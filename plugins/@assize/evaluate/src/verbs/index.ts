/**
 * The commands that this package adds to `assize`, and what `assize studio` shares with them.
 *
 * @module
 */

import type { OutputStyle, Verb } from 'assize/verbs';
import { ask } from './ask.js';
import { evaluate } from './evaluate.js';
import { tune } from './tune.js';

export { type DatasetVerbOptions, withQueries, readVerbDataset } from './dataset-options.js';

export const verbs: readonly Verb[] = [evaluate, tune, ask];

/** The text of `assize help measures`. */
export const helpTopics = {
  measures: async (style: OutputStyle): Promise<string> => (await import('./evaluation-text.js')).measuresText(style),
};
