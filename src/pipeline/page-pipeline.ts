import type { ProfileSource } from '../profile/index.js';
import type { ComposeOptions } from './container.js';
import { corePlugin } from './core-plugin.js';
import { createHostedPipeline } from './page-host.js';
import type { Pipeline } from './pipeline.js';

/** Loads a profile and compiles it, as `createPipeline` of `assize/browser` specifies. */
export const createPagePipeline = <T>(profile: ProfileSource, options: ComposeOptions): Promise<Pipeline<T>> =>
  createHostedPipeline<T>(profile, options, corePlugin);
