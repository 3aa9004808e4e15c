import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Container, Newable } from 'inversify';
import * as core from '../plugins/core/index.js';
import type {
  LoadedPlugin,
  Progress,
  ServiceBinding,
  ServiceClass,
  UnitClass,
  UnitInstance,
} from './contract/index.js';
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
import {
  CLOCK,
  type Clock,
  EMBEDDERS,
  EmbedderRegistry,
  embedderToken,
  LANGUAGE_MODELS,
  LexicalProvider,
  NEIGHBOUR_GRAPHS,
  noProgress,
  OpenAiModels,
  PROGRESS,
  systemClock,
  TransformersProvider,
  UsearchGraphs,
} from './services/index.js';

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

/** A class that may have services injected. */
type InjectedClass = UnitClass | ServiceClass;

const PLUGIN_HOST: PluginHost = { shipped: SHIPPED, sdk: sdkFile() };

/**
 * The services of one pipeline: made once, and shared by its units. Of several bindings of one token the last counts.
 *
 * They are made by inversify's container, 366 files that take a tenth of a second to load: a pipeline none of whose
 * units has anything injected does without.
 */
class Services {
  readonly #bindings: ReadonlyMap<symbol, ServiceBinding>;
  #container: Container | undefined;

  constructor(given: readonly ServiceBinding[], progress: Progress) {
    const builtIn: readonly ServiceBinding[] = [
      { token: CLOCK, value: systemClock },
      { token: PROGRESS, value: progress },
      { token: EMBEDDERS, value: new EmbedderRegistry((token) => this.#find(token)) },
      { token: embedderToken('lexical'), class: LexicalProvider },
      { token: embedderToken('transformers'), class: TransformersProvider },
      { token: LANGUAGE_MODELS, class: OpenAiModels },
      { token: NEIGHBOUR_GRAPHS, class: UsearchGraphs },
    ];
    this.#bindings = new Map([...builtIn, ...given].map((binding) => [binding.token, binding]));
  }

  /**
   * Loads the container where one of a profile's classes needs it, or the clock. A change of the profile brings no
   * other.
   */
  async prepare(units: readonly UnitClass[]): Promise<void> {
    const clock = this.#bindings.get(CLOCK);
    if (units.some(isInjected) || (clock !== undefined && 'class' in clock))
      this.#container = this.#fill(await import('inversify'));
  }

  clock(): Clock {
    return this.#find(CLOCK) as Clock;
  }

  /** Makes one instance for each use: two novelty entries have two memories, and two of everything else. */
  instantiate(unit: UnitClass): UnitInstance {
    const container = this.#container;
    if (container === undefined) return new unit();
    const missing = this.#missing(unit);
    if (missing !== undefined) throw new Error(missing);
    const token = unit as unknown as Newable<UnitInstance>;
    if (!container.isBound(token)) bindClass(container, token, unit, 'Transient');
    return container.get(token);
  }

  /** What is bound to a token; undefined where nothing is. */
  #find(token: symbol): unknown {
    const binding = this.#bindings.get(token);
    if (binding === undefined) return undefined;
    return 'value' in binding ? binding.value : this.#container?.get(token);
  }

  #fill(inversify: typeof import('inversify')): Container {
    const container = new inversify.Container();
    for (const binding of this.#bindings.values()) {
      if ('class' in binding) bindClass(container, binding.token, binding.class, 'Singleton');
      else container.bind(binding.token).toConstantValue(binding.value);
    }
    return container;
  }

  /** Why a class cannot be made: the first of its services, and of theirs, that nothing is bound to. */
  #missing(made: InjectedClass, seen = new Set<InjectedClass>()): string | undefined {
    if (seen.has(made)) return undefined;
    seen.add(made);
    for (const [at, token] of Array.from<symbol | undefined>(made.inject ?? []).entries()) {
      if (token === undefined) return `parameter ${at + 1} of its constructor has no @inject`;
      const binding = this.#bindings.get(token);
      if (binding === undefined) {
        const name = (token.description ?? '').replace(/^assize:/, '');
        return `nothing is bound to the service ${name}\na plugin's services, or createPipeline's, bind it: { token, class }`;
      }
      const missing = 'class' in binding ? this.#missing(binding.class, seen) : undefined;
      if (missing !== undefined) return missing;
    }
    return undefined;
  }
}

/**
 * Whether the container makes a class: its constructor takes something, or inversify's own decorators may describe it,
 * which they can only where something has loaded reflect-metadata.
 */
const isInjected = (unit: UnitClass): boolean =>
  (unit.inject ?? []).length > 0 || unit.length > 0 || 'getOwnMetadata' in Reflect;

/**
 * Binds a class. One with `static inject`, which the SDK's decorators write, is given its services in that order; any
 * other is made as inversify's own decorators say. What a constructor takes is for its tokens to say, and no type of
 * ours could: hence inversify's newable.
 */
function bindClass(
  container: Container,
  token: symbol | Newable,
  made: InjectedClass,
  scope: 'Singleton' | 'Transient',
): void {
  const newable = made as unknown as Newable<object>;
  const { inject } = made;
  const binding = inject
    ? container.bind(token).toResolvedValue((...services) => new newable(...services), [...inject])
    : container.bind(token).to(newable);
  if (scope === 'Singleton') binding.inSingletonScope();
  else binding.inTransientScope();
}

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
  const wrong = serviceProblems('createPipeline', options.services ?? []);
  if (wrong.length > 0) throw toAssizeError(wrong);
  const loaded = await load(profile, units, options.folder);
  const services = new Services([...loaded.services, ...(options.services ?? [])], options.progress ?? noProgress);
  await services.prepare(unitsOf(loaded.profile));
  const instantiate: Instantiate = (unit) => services.instantiate(unit);
  const compile = (of: LoadedProfile): CompiledProfile => ({
    plan: compileProfile(of.profile, instantiate, services.clock(), options.codegen ?? true),
    warnings: of.warnings,
    applyChange: (change) => compile(of.applyChange(change)),
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
