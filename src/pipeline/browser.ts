import type { ProfileSource } from '../profile/index.js';
import type { ComposeOptions } from './container.js';
import type { Pipeline } from './pipeline.js';

/** The options of `createPipeline` in `assize/browser`: those of the main entry, without `folder`. */
export type BrowserPipelineOptions = ComposeOptions;

/**
 * Loads a profile and compiles it. The first call loads the engine, so that a page starts without it.
 *
 * @param profile a preset's name, the profile itself, or its text: `{ yaml, name }`
 * @throws AssizeError with every problem of the profile, each with its place; if it names a file, a package, or a
 *   service that needs Node (ASZ110)
 */
export async function createBrowserPipeline<T = unknown>(
  profile: ProfileSource,
  options: BrowserPipelineOptions = {},
): Promise<Pipeline<T>> {
  const { createPagePipeline } = await import('./page-pipeline.js');
  return createPagePipeline<T>(profile, options);
}
