import * as core from '../plugins/core/index.js';
import type { LoadedPlugin, Progress, ServiceBinding, Tracer } from './contract/index.js';
import { ANYTHING, BOOLEAN, FUNCTION, LIST, type OptionTypes, toAssizeError } from './diagnostics/index.js';
import { type CompiledProfile, compileProfile, type Instantiate } from './engine/index.js';
import {
  type LoadedProfile,
  loadProfile,
  type PluginLoader,
  type ProfileFiles,
  type ProfileSource,
  unitsOf,
} from './profile/index.js';
import { readPlugin, serviceProblems, type ShippedPlugins } from './registry/index.js';
import { ServiceContainer } from './service-container.js';
import { type MemoryFiles, noProgress } from './services/index.js';

/**
 * The place that a pipeline runs in: what it can only do by means that not every place has. An entry point gives its
 * own: Node's has files and packages, a page's has none.
 */
export interface Host {
  readonly files: ProfileFiles;
  readonly memoryFiles: MemoryFiles;
  readonly loadPlugin: PluginLoader;
  /** Tells those who follow runs what is done. */
  readonly tracer: Tracer;
  /** The services that are built in here, besides those that are everywhere. */
  readonly services: readonly ServiceBinding[];
}

/** What a pipeline may be given besides the profile, wherever it runs. */
export interface ComposeOptions {
  /** Units given in code, by class name: `{ Stars: scorer((repo) => repo.stars / 1000) }`. */
  readonly units?: Readonly<Record<string, unknown>>;
  /** Services given in code; they replace those of plugins and the built-in ones. */
  readonly services?: readonly ServiceBinding[];
  /** false: never generate code, as under --disallow-code-generation-from-strings. Same results, slower. */
  readonly codegen?: boolean;
  /** Called with each step of what takes long: a model that loads, texts that are embedded. */
  readonly progress?: Progress;
}

/** The types of the options. Units and services are checked one by one when they are read. */
export const COMPOSE_OPTIONS: OptionTypes = {
  units: ANYTHING,
  services: LIST,
  codegen: BOOLEAN,
  progress: FUNCTION,
};

/** The plugins that ship besides `core`, by the name that a profile's `plugins` uses. */
export const SHIPPED_PLUGINS: ShippedPlugins = {
  agentcards: () => import('../plugins/agentcards/index.js'),
  cupel: () => import('../plugins/cupel/index.js'),
  interview: () => import('../plugins/interview/index.js'),
};

/** The plugin that every profile sees. */
export const corePlugin: LoadedPlugin = readPlugin('core', core);

/**
 * Loads a profile.
 *
 * @param base a name in the folder that relative paths start from
 */
export const loadWithin = (
  { files, loadPlugin }: Host,
  profile: ProfileSource,
  base: string,
  units?: LoadedPlugin,
): Promise<LoadedProfile> => loadProfile(profile, { loadPlugin, core: corePlugin, units, files, base });

/**
 * Loads and compiles a profile.
 *
 * @throws AssizeError with every problem of the profile, of its units and services
 */
export async function composeProfile(
  host: Host,
  profile: ProfileSource,
  base: string,
  options: ComposeOptions,
): Promise<CompiledProfile> {
  const units = options.units && readPlugin('units', options.units);
  const problems = serviceProblems('createPipeline', options.services ?? []);
  if (problems.length > 0) throw toAssizeError(problems);
  const loaded = await loadWithin(host, profile, base, units);
  const services = new ServiceContainer(
    [...host.services, ...loaded.services, ...(options.services ?? [])],
    options.progress ?? noProgress,
    host.tracer,
  );
  await services.prepare(unitsOf(loaded.profile));
  const instantiate: Instantiate = (unit) => services.instantiate(unit);
  const compileHost = {
    instantiate,
    clock: services.clock(),
    tracer: host.tracer,
    memoryFiles: host.memoryFiles,
    codegen: options.codegen ?? true,
  };
  const compile = (source: LoadedProfile): CompiledProfile => ({
    plan: compileProfile(source.profile, compileHost),
    warnings: source.warnings,
    entryTexts: () => source.entryTexts(),
    applyChange: (change) => compile(source.applyChange(change)),
  });
  return compile(loaded);
}
