import * as core from '../plugins/core/index.js';
import type { LoadedPlugin, Progress, ServiceBinding } from './contract/index.js';
import { ANYTHING, BOOLEAN, FUNCTION, LIST, oneOf, type OptionTypes, toAssizeError } from './diagnostics/index.js';
import { type CompiledProfile, compilePlan, type Instantiate } from './engine/index.js';
import type { Host } from './host.js';
import { type LoadedProfile, loadProfile, type ProfileSource, type Trust, unitsOf } from './profile/index.js';
import { readPlugin, serviceProblems, type ShippedPlugins } from './registry/index.js';
import { ServiceContainer } from './service-container.js';
import { noProgress } from './services/index.js';
import { untrustedHost } from './untrusted-host.js';

/** What a pipeline may be given besides the profile, wherever it runs. */
export interface ComposeOptions {
  /** Units given in code, by class name: `{ Stars: scorer((repo) => repo.stars / 1000) }`. */
  readonly units?: Readonly<Record<string, unknown>>;
  /** Services given in code; they replace those of plugins and the built-in ones. */
  readonly services?: readonly ServiceBinding[];
  /** false: never generate code, as under --disallow-code-generation-from-strings. Same results, slower. */
  readonly codegen?: boolean;
  /**
   * `none` for a profile that a stranger wrote: then it may reach nothing outside of itself and its candidates, and what
   * it asks for is bounded. It can name presets, plugins that ship, the units that are given here, and what the services
   * given here provide; files, plugins that are files or packages, memories, addresses, environment variables and
   * built-in models are problems (ASZ111), and what is too much is one (ASZ112). Give the text or the object itself: a
   * string is a preset's name, or a path that the caller has chosen. `full` when not given.
   */
  readonly trust?: Trust;
  /** Called with each step of what takes long: a model that loads, texts that are embedded. */
  readonly progress?: Progress;
}

/** The types of the options. Units and services are checked one by one when they are read. */
export const COMPOSE_OPTIONS: OptionTypes = {
  units: ANYTHING,
  services: LIST,
  codegen: BOOLEAN,
  trust: oneOf(['full', 'none']),
  progress: FUNCTION,
};

/** The plugins that ship besides `core`, by the name that a profile's `plugins` uses. */
export const SHIPPED_PLUGINS: ShippedPlugins = {
  agentcards: () => import('../plugins/agentcards/index.js'),
  cupel: () => import('../plugins/cupel/index.js'),
  interview: () => import('../plugins/interview/index.js'),
  rerank: () => import('../plugins/rerank/index.js'),
};

/** The plugin that every profile sees. */
export const corePlugin: LoadedPlugin = readPlugin('core', core);

/** Where a profile runs: one that is not trusted has no means to reach outside. */
const placeOf = (host: Host, trust: Trust | undefined): Host =>
  trust === 'none' ? untrustedHost(host, SHIPPED_PLUGINS) : host;

/**
 * Loads a profile.
 *
 * @param base a name in the folder that relative paths start from
 */
export function loadWithin(
  host: Host,
  profile: ProfileSource,
  base: string,
  { units, services = [], trust = 'full' }: Pick<ComposeOptions, 'units' | 'services' | 'trust'> = {},
): Promise<LoadedProfile> {
  const { files, loadPlugin } = placeOf(host, trust);
  const inCode = units && readPlugin('units', units);
  const given = new Set(services.map(({ token }) => token));
  return loadProfile(profile, { loadPlugin, core: corePlugin, units: inCode, files, base, trust, given });
}

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
  const problems = serviceProblems('createPipeline', options.services ?? []);
  if (problems.length > 0) throw toAssizeError(problems);
  const place = placeOf(host, options.trust);
  const loaded = await loadWithin(host, profile, base, options);
  const services = new ServiceContainer(
    [...place.services, ...loaded.services, ...(options.services ?? [])],
    options.progress ?? noProgress,
    host.tracer,
  );
  await services.prepare(unitsOf(loaded.profile));
  const instantiate: Instantiate = (unit) => services.instantiate(unit);
  const compileHost = {
    instantiate,
    clock: services.clock(),
    tracer: host.tracer,
    memoryFiles: place.memoryFiles,
    codegen: options.codegen ?? true,
  };
  const compile = (source: LoadedProfile): CompiledProfile => ({
    plan: compilePlan(source.profile, compileHost),
    warnings: source.warnings,
    entryTexts: () => source.entryTexts(),
    applyChange: (change) => compile(source.applyChange(change)),
  });
  return compile(loaded);
}
