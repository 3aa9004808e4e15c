import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPOSE_OPTIONS, type ComposeOptions, composeProfile, loadWithin, SHIPPED_PLUGINS } from './container.js';
import { corePlugin } from './core-plugin.js';
import { type Context, injectionOf, type LoadedPlugin, serviceName } from '../sdk/index.js';
import { diffRankings, type RankingDiff, type RankingDiffOptions } from '../ranking/index.js';
import { checkOptions, type OptionTypes, toAssizeError } from '../base/index.js';
import type { CompiledProfile } from '../engine/index.js';
import type { Host } from './host.js';
import { Pipeline } from './pipeline.js';
import { unitsOf, isFileSpec, type ProfileSource } from '../profile/index.js';
import { nodeFiles, isKeptForGood, loadPlugin, pluginFile, type PluginHost, pluginModules } from '../profile/node.js';
import {
  ANSWER_FOLDERS,
  embedderToken,
  CLOCK,
  LANGUAGE_MODELS,
  ONNX_MODELS,
  CROSS_ENCODERS,
  NEIGHBOUR_GRAPHS,
} from '../services/index.js';
import {
  OpenAiModels,
  sharedAnswerFolders,
  MemoryFile,
  MemoryLock,
  OnnxRuntime,
  traceChannels,
  TransformersCrossEncoders,
  TransformersProvider,
  UsearchGraphs,
} from '../services/node.js';

/** The options of `createPipeline`. */
export interface PipelineOptions extends ComposeOptions {
  /** The base of relative paths. Default: the working directory. */
  readonly folder?: string;
}

export type ProfileOrPipeline<T> = ProfileSource | Pipeline<T>;

/** A compiled profile with its source and options, so that threads and searches can load it again. */
interface OpenProfile {
  readonly compiled: CompiledProfile;
  readonly profile: ProfileSource;
  readonly options: PipelineOptions;
}

/** The compiled profile, source and options of each pipeline in this process. */
const openProfiles = new WeakMap<object, OpenProfile>();

function toPipeline<T>(open: OpenProfile): Pipeline<T> {
  const pipeline = new Pipeline<T>(open.compiled);
  openProfiles.set(pipeline, open);
  return pipeline;
}

export const PIPELINE_OPTIONS: OptionTypes = { ...COMPOSE_OPTIONS, folder: 'string' };

/** The URL of this file; undefined if a bundler has converted it to CommonJS. */
const here: string | undefined = import.meta.url;

/** The module that plugins import as `assize/sdk`. */
function sdkFile(): string | undefined {
  if (here === undefined) return undefined;
  const names = here.endsWith('.ts') ? ['../sdk.ts'] : ['./sdk.js', '../sdk.js']; // In the bundle, or built by tsc.
  return names.map((name) => fileURLToPath(new URL(name, here))).find((file) => existsSync(file));
}

const PLUGIN_HOST: PluginHost = { shipped: SHIPPED_PLUGINS, sdk: sdkFile };

const NODE: Host = {
  files: nodeFiles,
  memoryFiles: {
    open: (path, owner, named, older) => new MemoryFile(path, owner, named, older),
    lock: (files, options) => MemoryLock.acquire(files, options),
  },
  loadPlugin: (spec, from, loaded) => loadPlugin(spec, from, PLUGIN_HOST, loaded),
  core: corePlugin,
  tracer: traceChannels,
  services: [
    { token: embedderToken('transformers'), class: TransformersProvider },
    { token: CROSS_ENCODERS, class: TransformersCrossEncoders },
    { token: LANGUAGE_MODELS, class: OpenAiModels },
    { token: ANSWER_FOLDERS, value: sharedAnswerFolders },
    { token: NEIGHBOUR_GRAPHS, class: UsearchGraphs },
    { token: ONNX_MODELS, class: OnnxRuntime },
  ],
};

/** A file name in a folder, from which relative paths are resolved. */
const within = (folder = process.cwd()): string => join(folder, 'profile');

/** The options of `effectiveProfile`. */
interface EffectiveOptions extends Pick<PipelineOptions, 'folder' | 'units' | 'trust'> {
  readonly defaults?: boolean;
}

/**
 * Merges a profile with all profiles that it extends. The values keep the places that they come from.
 *
 * @param profile as for `createPipeline`
 * @param options `defaults`: whether to include defaults; the others as for `createPipeline`
 * @throws AssizeError with every problem of the profile
 */
export async function effectiveProfile(
  profile: ProfileSource,
  { defaults = false, folder, ...options }: EffectiveOptions = {},
): Promise<Readonly<Record<string, unknown>>> {
  return (await loadWithin(NODE, profile, within(folder), options)).effective(defaults);
}

/** Loads a profile and compiles it, as `createPipeline` of `assize` specifies. */
export async function createPipeline<T = unknown>(
  profile: ProfileSource,
  options: PipelineOptions = {},
): Promise<Pipeline<T>> {
  checkOptions('createPipeline', options, PIPELINE_OPTIONS);
  return toPipeline<T>({ compiled: await createCompiledProfile(profile, options), profile, options });
}

/**
 * Loads and compiles a profile, unless it is a pipeline: then the options are those of the pipeline.
 *
 * @throws AssizeError with every problem of the profile; ASZ533 if the pipeline was created in another way, as in a browser
 */
export async function openProfile<T>(given: ProfileOrPipeline<T>, options: PipelineOptions = {}): Promise<OpenProfile> {
  if (given instanceof Pipeline) {
    const open = openProfiles.get(given);
    if (open) return open;
    const message = 'the source of this pipeline is unknown; expected a profile, or a pipeline of createPipeline';
    throw toAssizeError([{ code: 'ASZ533', message }]);
  }
  return { compiled: await createCompiledProfile(given, options), profile: given, options };
}

/** Returns the given pipeline, or creates one from the given profile. */
export const openPipeline = async <T>(
  given: ProfileOrPipeline<T>,
  options: PipelineOptions = {},
): Promise<Pipeline<T>> => (given instanceof Pipeline ? given : createPipeline<T>(given, options));

/**
 * Creates a pipeline as `createPipeline` does, and records the files that the profile comes from, also if it fails.
 *
 * @throws AssizeError with every problem of the profile
 */
export async function createTrackedPipeline<T = unknown>(
  profile: ProfileSource,
  options: PipelineOptions,
  sources: ProfileSources,
): Promise<Pipeline<T>> {
  const { folder, ...composeOptions } = options;
  const host = trackedHost(NODE, sources, (file) => pluginModules(file, sdkFile()), isKeptForGood);
  const compiled = await composeProfile(host, profile, within(folder), composeOptions);
  const { vetoes, measures, scorers } = compiled.plan.profile;
  for (const { memory } of [...vetoes, ...measures, ...scorers]) if (memory) sources.memories.add(memory.file);
  sources.shared.clear();
  for (const name of sharedBy(compiled)) sources.shared.add(name);
  return toPipeline<T>({ compiled, profile, options });
}

/** The names of the resources that the runs of a profile share with other runs in this process. */
function sharedBy({ plan: { profile, units } }: CompiledProfile): readonly string[] {
  const services = unitsOf(profile).flatMap((unit) => injectionOf(unit)?.services ?? []);
  const names = services.flatMap(({ token }) => (token === CLOCK ? [] : [serviceName(token)]));
  return units.memories.store.any ? ['a memory', ...names] : names;
}

/** Compiles a profile for callers that do not run it through a `Pipeline`. */
export function createCompiledProfile(
  profile: ProfileSource,
  { folder, ...options }: PipelineOptions = {},
): Promise<CompiledProfile> {
  return composeProfile(NODE, profile, within(folder), options);
}

/**
 * Loads the plugins that ship, `core` first.
 *
 * @param spec loads only this plugin: its name or path, as in a profile's `plugins`
 * @param folder the base of relative paths
 * @throws AssizeError if the plugin does not exist
 */
export async function loadPlugins(spec: string | undefined, folder?: string): Promise<readonly LoadedPlugin[]> {
  if (spec === corePlugin.name) return [corePlugin];
  const plugin = (name: string): Promise<LoadedPlugin> => loadPlugin(name, within(folder), PLUGIN_HOST);
  if (spec !== undefined) return [await plugin(spec)];
  return [corePlugin, ...(await Promise.all(Object.keys(SHIPPED_PLUGINS).map(plugin)))];
}

/**
 * The modules of the plugins of a profile that do not ship, by their line in `plugins`.
 *
 * @param profile the result of `effectiveProfile`
 * @param folder  the base of relative paths
 * @throws AssizeError (ASZ304) if a package is not installed
 */
export async function pluginFiles(
  { plugins }: Readonly<Record<string, unknown>>,
  folder: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  const specs = Array.isArray(plugins) ? plugins.map(String) : [];
  const own = specs.filter((spec) => !Object.hasOwn(SHIPPED_PLUGINS, spec));
  const fileOf = async (spec: string) => [spec, await pluginFile(spec, within(folder), PLUGIN_HOST)] as const;
  return new Map(await Promise.all(own.map(fileOf)));
}

/** The files that a profile comes from, recorded while it is loaded. Absolute paths. */
export interface ProfileSources {
  /** The profile, the profiles that it extends, and the files that its params name. */
  readonly files: Set<string>;
  /** Plugins that are files, and the modules that they import. */
  readonly modules: Set<string>;
  /** The `modules` that a process loads only once. */
  readonly keptModules: Set<string>;
  /** Memory files. They change with every run. */
  readonly memories: Set<string>;
  /**
   * The names of the resources that its runs share with others in this process: memories, and services except the
   * clock. If it is empty, a pipeline in another thread gives the same results.
   */
  readonly shared: Set<string>;
}

export const noSources = (): ProfileSources => ({
  files: new Set(),
  modules: new Set(),
  keptModules: new Set(),
  memories: new Set(),
  shared: new Set(),
});

/**
 * A host that records every file that a profile names, also files that cannot be read, because the user may repair
 * them.
 *
 * @param modulesOf the modules that a loaded plugin file imports
 * @param isKept whether a process loads the module only once
 */
const trackedHost = (
  host: Host,
  { files, modules, keptModules }: ProfileSources,
  modulesOf: (file: string) => readonly string[],
  isKept: (file: string) => boolean,
): Host => ({
  ...host,
  files: {
    ...host.files,
    resolve: (file, path) => noted(files, host.files.resolve(file, path)),
  },
  loadPlugin: async (spec, from, loaded) => {
    if (!isFileSpec(spec)) return host.loadPlugin(spec, from, loaded);
    const file = noted(modules, resolve(dirname(from), spec));
    const plugin = await host.loadPlugin(spec, from, loaded);
    for (const module of modulesOf(file)) modules.add(module);
    if (isKept(file)) keptModules.add(file);
    return plugin;
  },
});

function noted(files: Set<string>, file: string): string {
  files.add(file);
  return file;
}

/** Compares the rankings of two profiles, as `diffProfiles` of `assize` specifies. */
export async function diffProfiles<T extends object>(
  before: ProfileOrPipeline<T>,
  after: ProfileOrPipeline<T>,
  candidates: readonly T[],
  context: Context = {},
  { most, ...options }: PipelineOptions & RankingDiffOptions = {},
): Promise<RankingDiff> {
  const [first, second] = await Promise.all([openPipeline<T>(before, options), openPipeline<T>(after, options)]);
  const one = await first.rank(candidates, context, { updateMemory: false });
  const other = await second.rank(candidates, { ...context, now: one.now }, { updateMemory: false });
  return diffRankings(one, other, most === undefined ? {} : { most });
}
