import { createPipeline } from '../../container.js';
import type { ServedPipeline } from '../profiles/index.js';

/**
 * Makes the pipeline of a profile that a call brings: an object, or a text as `{ yaml }`. It is a stranger's: it reaches no
 * file, no plugin but those that ship, no network and no model, and what it asks for is bounded.
 *
 * @throws AssizeError with every problem of the profile, each with its place
 */
export const createInlinePipeline = (profile: object): Promise<ServedPipeline> =>
  createPipeline<object>(profile, { trust: 'none' });
