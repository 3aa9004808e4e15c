/**
 * Assize without Node: for pages, workers of pages and edge runtimes. Presets, the plugins that ship, and profiles given
 * as objects or texts; no files, no threads.
 *
 * @module
 */
import { COMPOSE_OPTIONS, type ComposeOptions, composeProfile } from '../container.js';
import { checkOptions } from '../diagnostics/index.js';
import { Pipeline } from '../pipeline.js';
import type { ProfileSource } from '../profile/index.js';
import { PAGE } from './host.js';

/** What `createPipeline` may be given besides the profile: what the main entry takes, without a folder. */
export type PipelineOptions = ComposeOptions;

/**
 * Loads a profile and compiles it.
 *
 * @param profile a preset's name, the profile itself, or its text: `{ yaml, name }`
 * @throws AssizeError with every problem of the profile, each with its place; where it names a file, a package, or a
 *   service that needs Node (ASZ110)
 */
export async function createPipeline<T = unknown>(
  profile: ProfileSource,
  options: PipelineOptions = {},
): Promise<Pipeline<T>> {
  checkOptions('createPipeline', options, COMPOSE_OPTIONS);
  return new Pipeline<T>(await composeProfile(PAGE, profile, 'profile', options));
}

export * from '../portable.js';
