import type { Container, Newable } from 'inversify';
import * as core from '../../plugins/core/index.js';
import type {
  LoadedPlugin,
  ServiceBinding,
  ServiceClass,
  Progress,
  Tracer,
  UnitClass,
  UnitInstance,
} from '../sdk/index.js';
import { ANYTHING, BOOLEAN, FUNCTION, LIST, oneOf, type OptionTypes, toAssizeError } from '../base/index.js';
import { compilePlan, type CompiledProfile, type Instantiate } from '../engine/index.js';
import { type Host, untrustedHost } from './host.js';
import {
  type LoadedProfile,
  loadProfile,
  unitsOf,
  type ProfileSource,
  type Trust,
  readPlugin,
  serviceProblems,
  type ShippedPlugins,
} from '../profile/index.js';
import {
  EmbedderRegistry,
  EMBEDDERS,
  embedderToken,
  LexicalProvider,
  CLOCK,
  type Clock,
  noProgress,
  PROGRESS,
  systemClock,
  TRACER,
} from '../services/index.js';

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
  agentcards: () => import('../../plugins/agentcards/index.js'),
  cupel: () => import('../../plugins/cupel/index.js'),
  interview: () => import('../../plugins/interview/index.js'),
  rerank: () => import('../../plugins/rerank/index.js'),
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

/** Inversify's own message asks for a decorator, whatever version one was taken from. */
const UNDECORATED = [
  'what its constructor is to be given is not said',
  'static inject = [CLOCK], or @injectable() and @inject(CLOCK) on each parameter, by assize/sdk; decorators of inversify 7 and 8 do, too, and not those of 5 and 6',
].join('\n');

/** Whether inversify threw it, and not a constructor: its errors have symbols of its own. */
const isOfInversify = (error: unknown): boolean =>
  error instanceof Error &&
  Object.getOwnPropertySymbols(error).some(({ description }) => description?.startsWith('@inversifyjs/'));

/** A class that may have services injected. */
type InjectedClass = UnitClass | ServiceClass;

/**
 * Makes the units of one pipeline, and their services, which are made once and shared. Of several bindings of one token
 * the last counts.
 *
 * Injection is that of inversify, 366 files that take a tenth of a second to load: only where a unit needs it.
 */
class ServiceContainer {
  readonly #bindings: ReadonlyMap<symbol, ServiceBinding>;
  #container: Container | undefined;

  /** @param given those of the place that this runs in, of the profile's plugins, and of the caller, in this order */
  constructor(given: readonly ServiceBinding[], progress: Progress, tracer: Tracer) {
    const builtIn: readonly ServiceBinding[] = [
      { token: CLOCK, value: systemClock },
      { token: PROGRESS, value: progress },
      { token: TRACER, value: tracer },
      { token: EMBEDDERS, value: new EmbedderRegistry((token) => this.#find(token), tracer) },
      { token: embedderToken('lexical'), class: LexicalProvider },
    ];
    this.#bindings = new Map([...builtIn, ...given].map((binding) => [binding.token, binding]));
  }

  /** Loads inversify where one of a profile's classes, or the clock, needs it. A change of the profile adds no class. */
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
    try {
      if (!container.isBound(token)) bindClass(container, token, unit, 'Transient');
      return container.get(token);
    } catch (error) {
      throw isOfInversify(error) && !unit.inject ? new Error(UNDECORATED, { cause: error }) : error;
    }
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

  /** Why a class cannot be instantiated: the first of its services, and of theirs, that nothing is bound to. */
  #missing(injected: InjectedClass, seen = new Set<InjectedClass>()): string | undefined {
    if (seen.has(injected)) return undefined;
    seen.add(injected);
    for (const [at, token] of Array.from<symbol | undefined>(injected.inject ?? []).entries()) {
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
 * Whether a class is instantiated by inversify: its constructor has parameters, or inversify's own decorators may
 * describe it, which needs reflect-metadata to be loaded.
 */
const isInjected = (unit: UnitClass): boolean =>
  (unit.inject ?? []).length > 0 || unit.length > 0 || 'getOwnMetadata' in Reflect;

/**
 * Binds a class. One with `static inject`, which the SDK's decorators set, gets its services in that order; any other
 * is instantiated by inversify's own decorators. The types of a constructor's parameters are known only by their tokens,
 * hence inversify's `Newable`.
 */
function bindClass(
  container: Container,
  token: symbol | Newable,
  injected: InjectedClass,
  scope: 'Singleton' | 'Transient',
): void {
  const newable = injected as unknown as Newable<object>;
  const { inject } = injected;
  const binding = inject
    ? container.bind(token).toResolvedValue((...services) => new newable(...services), [...inject])
    : container.bind(token).to(newable);
  if (scope === 'Singleton') binding.inSingletonScope();
  else binding.inTransientScope();
}
