import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as core from '../plugins/core/index.js';
import type { LoadedPlugin, Progress, ServiceBinding } from './contract/index.js';
import {
  ANYTHING,
  BOOLEAN,
  checkOptions,
  FUNCTION,
  LIST,
  type OptionTypes,
  STRING,
  toAssizeError,
} from './diagnostics/index.js';
import { type CompiledProfile, compileProfile, type Instantiate } from './engine/index.js';
import { Pipeline } from './pipeline.js';
import { type LoadedProfile, loadProfile, type ProfileInput, unitsOf } from './profile/index.js';
import { loadPlugin, type PluginHost, readPlugin, serviceProblems, type ShippedPlugins } from './registry/index.js';
import { ServiceContainer } from './service-container.js';
import { noProgress } from './services/index.js';

/** The plugins that ship besides `core`, by the name that a profile's `plugins` uses. */
const SHIPPED: ShippedPlugins = {
  agentcards: () => import('../plugins/agentcards/index.js'),
  cupel: () => import('../plugins/cupel/index.js'),
  interview: () => import('../plugins/interview/index.js'),
};

/** What `createPipeline` may be given besides the profile. */
export interface PipelineOptions {
  /** Units given in code, by class name: `{ Stars: scorer((repo) => repo.stars / 1000) }`. */
  readonly units?: Readonly<Record<string, unknown>>;
  /** Services given in code; they replace those of plugins and the built-in ones. */
  readonly services?: readonly ServiceBinding[];
  /** What relative paths start from; the working directory when not given. */
  readonly folder?: string;
  /** false: never generate code, as under --disallow-code-generation-from-strings. Same results, slower. */
  readonly codegen?: boolean;
  /** Called with each step of what takes long: a model that loads, texts that are embedded. */
  readonly progress?: Progress;
}

/** The types of the options. Units and services are checked one by one when they are read. */
export const PIPELINE_OPTIONS: OptionTypes = {
  units: ANYTHING,
  services: LIST,
  folder: STRING,
  codegen: BOOLEAN,
  progress: FUNCTION,
};

/** The module that plugins import as `assize/sdk`: beside this one, in the sources as in the build. */
const sdkFile = (): string =>
  fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './sdk.ts' : './sdk.js', import.meta.url));

const corePlugin: LoadedPlugin = readPlugin('core', core);

const PLUGIN_HOST: PluginHost = { shipped: SHIPPED, sdk: sdkFile() };

const load = (
  profile: string | ProfileInput,
  units: LoadedPlugin | undefined,
  folder = process.cwd(),
): Promise<LoadedProfile> =>
  loadProfile(profile, {
    loadPlugin: (spec, from, loaded) => loadPlugin(spec, from, PLUGIN_HOST, loaded),
    core: corePlugin,
    units,
    folder,
  });

/**
 * A profile with all that it extends, as one file. Its values know the places that they come from.
 *
 * @param profile  as for `createPipeline`
 * @param defaults whether defaults are written out too
 * @throws AssizeError with every problem of the profile
 */
export async function effectiveProfile(profile: string, defaults: boolean): Promise<Readonly<Record<string, unknown>>> {
  return (await load(profile, undefined)).effective(defaults);
}

/**
 * Loads a profile and compiles it.
 *
 * @param profile a preset's name, a path (it has a slash, or ends in .yaml, .yml or .json), or the profile itself
 * @throws AssizeError with every problem of the profile, each with its file, line and column
 */
export async function createPipeline<T = unknown>(
  profile: string | ProfileInput,
  options: PipelineOptions = {},
): Promise<Pipeline<T>> {
  checkOptions('createPipeline', options, PIPELINE_OPTIONS);
  return new Pipeline<T>(await createCompiledProfile(profile, options));
}

/** The compiled profile alone, for a caller that runs it in another way than a `Pipeline` does. */
export async function createCompiledProfile(
  profile: string | ProfileInput,
  options: PipelineOptions = {},
): Promise<CompiledProfile> {
  const units = options.units && readPlugin('units', options.units);
  const problems = serviceProblems('createPipeline', options.services ?? []);
  if (problems.length > 0) throw toAssizeError(problems);
  const loaded = await load(profile, units, options.folder);
  const services = new ServiceContainer(
    [...loaded.services, ...(options.services ?? [])],
    options.progress ?? noProgress,
  );
  await services.prepare(unitsOf(loaded.profile));
  const instantiate: Instantiate = (unit) => services.instantiate(unit);
  const compile = (source: LoadedProfile): CompiledProfile => ({
    plan: compileProfile(source.profile, instantiate, services.clock(), options.codegen ?? true),
    warnings: source.warnings,
    applyChange: (change) => compile(source.applyChange(change)),
  });
  return compile(loaded);
}

/**
 * The plugins that ship, `core` first.
 *
 * @param spec   for one plugin alone: its name, or what a profile's `plugins` would say
 * @param folder what a relative path starts from
 * @throws AssizeError when there is no such plugin
 */
export async function loadPlugins(spec: string | undefined, folder = process.cwd()): Promise<readonly LoadedPlugin[]> {
  if (spec === corePlugin.name) return [corePlugin];
  const plugin = (name: string): Promise<LoadedPlugin> => loadPlugin(name, join(folder, 'profile'), PLUGIN_HOST);
  if (spec !== undefined) return [await plugin(spec)];
  return [corePlugin, ...(await Promise.all(Object.keys(SHIPPED).map(plugin)))];
}
