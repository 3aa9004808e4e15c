import type {
  BindInFluentSyntax,
  BindToFluentSyntax,
  Container,
  ContainerModule,
  IsBoundOptions,
  MetadataName,
  Newable,
  ServiceIdentifier,
} from 'inversify';
import {
  type InjectedClass,
  type Injection,
  injectionOf,
  type Progress,
  type ServiceBinding,
  serviceName,
  type UnitClass,
  type UnitInstance,
} from '../sdk/index.js';
import { isObject, type OptionType, type OptionTypes, toAssizeError, toError } from '../base/index.js';
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
  ANSWER_FOLDERS,
  CLOCK,
  type Clock,
  EmbedderRegistry,
  EMBEDDERS,
  embedderToken,
  EMBEDDING_CACHE,
  LexicalProvider,
  noAnswerFolders,
  noProgress,
  PROGRESS,
  sharedEmbeddings,
  systemClock,
  TRACER,
} from '../services/index.js';

/** The options of a pipeline on all platforms. */
export interface ComposeOptions {
  /** Units given in code, by class name: `{ Stars: scorer((repo) => repo.stars / 1000) }`. */
  readonly units?: Readonly<Record<string, unknown>>;
  /** Services given in code. They replace those of `container`, of plugins, and the built-in ones. */
  readonly services?: readonly ServiceBinding[];
  /**
   * The container of your application. Services that it binds are injected into units, and replace those of plugins and
   * the built-in ones. Your container decides how long they live.
   */
  readonly container?: ServiceContainer;
  /**
   * Whether code is generated for the profile: it takes about a millisecond, and makes long lists several times as fast.
   * By default, a pipeline generates code after its first 1,000 candidates. If false, never, as with
   * --disallow-code-generation-from-strings. The results are the same.
   */
  readonly codegen?: boolean;
  /**
   * `none` for a profile from an untrusted author. Default: `full`. With `none`, the profile can access only itself and
   * its candidates, and its size and cost are bounded (ASZ112). It can name presets, plugins that ship, and the units
   * and services in these options. Files, plugins that are files or packages, memories, addresses, environment
   * variables and built-in models are problems (ASZ111). Pass the profile as `{ yaml, name }` or as an object: a string
   * is a preset's name or a path, which the caller must have chosen.
   */
  readonly trust?: Trust;
  /** Called with each step of slow work: a model that loads, texts that are embedded. */
  readonly progress?: Progress;
}

/** A container of inversify, in any version, or any other object with these two methods. */
export interface ServiceContainer {
  isBound(token: ServiceIdentifier, options?: IsBoundOptions): boolean;
  get(token: ServiceIdentifier, options?: IsBoundOptions): unknown;
}

const CONTAINER: OptionType = {
  expected: 'a container with the methods isBound and get',
  accepts: (value) =>
    isObject(value) && ['isBound', 'get'].every((method) => typeof Reflect.get(value, method) === 'function'),
};

/** Units and services are checked one by one when they are read. */
export const COMPOSE_OPTIONS: OptionTypes = {
  units: { expected: 'units by class name: { Stars }', accepts: (value) => isObject(value) && !Array.isArray(value) },
  services: 'list',
  container: CONTAINER,
  codegen: 'boolean',
  trust: { oneOf: ['full', 'none'] },
  progress: 'function',
};

/** The plugins that ship besides `core`, by the name that a profile's `plugins` uses. */
export const SHIPPED_PLUGINS: ShippedPlugins = {
  agentcards: () => import('../../plugins/agentcards/index.js'),
  agents: () => import('../../plugins/agents/index.js'),
  cupel: () => import('../../plugins/cupel/index.js'),
  interview: () => import('../../plugins/interview/index.js'),
  rerank: () => import('../../plugins/rerank/index.js'),
};

/** The host of a profile. An untrusted profile gets one that cannot reach outside. */
const hostFor = (host: Host, trust: Trust | undefined): Host =>
  trust === 'none' ? untrustedHost(host, SHIPPED_PLUGINS) : host;

/**
 * Loads a profile.
 *
 * @param base a file name in the folder from which relative paths are resolved
 */
export function loadWithin(
  host: Host,
  profile: ProfileSource,
  base: string,
  { units, services = [], container, trust = 'full' }: Omit<ComposeOptions, 'codegen' | 'progress'> = {},
): Promise<LoadedProfile> {
  const { files, loadPlugin, core } = hostFor(host, trust);
  const inCode = units && readPlugin('units', units);
  const has = (token: symbol): boolean =>
    services.some((service) => service.token === token) || container?.isBound(token) === true;
  return loadProfile(profile, { loadPlugin, core, units: inCode, files, base, trust, given: { has } });
}

/**
 * Loads and compiles a profile.
 *
 * @throws AssizeError with every problem of the profile, its units and its services
 */
export async function composeProfile(
  host: Host,
  profile: ProfileSource,
  base: string,
  options: ComposeOptions,
): Promise<CompiledProfile> {
  const problems = options.services === undefined ? [] : serviceProblems('createPipeline', options.services);
  if (problems.length > 0) throw toAssizeError(problems);
  const ownHost = hostFor(host, options.trust);
  const loaded = await loadWithin(host, profile, base, options);
  const services = new PipelineServices(ownHost, loaded.services, options);
  const clock = await services.load(unitsOf(loaded.profile));
  const instantiate: Instantiate = (unit) => services.instantiate(unit);
  const compileHost = {
    instantiate,
    clock,
    tracer: host.tracer,
    memoryFiles: ownHost.memoryFiles,
    codegen: options.codegen,
  };
  const compile = (source: LoadedProfile): CompiledProfile => ({
    plan: compilePlan(source.profile, compileHost),
    warnings: source.warnings,
    entryTexts: () => source.entryTexts(),
    applyChange: (change) => compile(source.applyChange(change)),
  });
  return compile(loaded);
}

type Inversify = typeof import('inversify');

/** The containers of hosts, by their lists of services. They hold the services that all pipelines of a host share. */
const hostContainers = new WeakMap<Host['services'], Container>();

function hostContainer(inversify: Inversify, { services, tracer }: Host): Container {
  const known = hostContainers.get(services);
  if (known) return known;
  const container = new inversify.Container();
  const shared: readonly ServiceBinding[] = [
    { token: CLOCK, value: systemClock },
    { token: TRACER, value: tracer },
    { token: EMBEDDING_CACHE, value: sharedEmbeddings },
  ];
  container.load(moduleOf(inversify, shared));
  hostContainers.set(services, container);
  return container;
}

/**
 * Creates the units of a pipeline: one instance per entry, so that two novelty entries have two memories. Services have
 * one instance per pipeline, because they may use the clock or the tracer that the pipeline replaces.
 *
 * Loads inversify only if a unit needs a service.
 */
class PipelineServices {
  /** A later list replaces tokens of an earlier one. */
  readonly #bindings: readonly (readonly ServiceBinding[])[];
  readonly #inCode: ReadonlySet<ServiceIdentifier>;
  readonly #application: ServiceContainer | undefined;
  /** By token of the application's container: the names under which it is bound here. */
  readonly #adopted = new Map<ServiceIdentifier, Set<MetadataName | undefined>>();
  #inversify: { readonly module: Inversify; readonly container: Container } | undefined;

  constructor(
    private readonly host: Host,
    plugins: readonly ServiceBinding[],
    { services = [], container, progress = noProgress }: ComposeOptions,
  ) {
    const own: readonly ServiceBinding[] = [
      { token: PROGRESS, value: progress },
      { token: EMBEDDERS, value: new EmbedderRegistry((token) => this.#find(token), host.tracer) },
      { token: embedderToken('lexical'), class: LexicalProvider },
      { token: ANSWER_FOLDERS, value: noAnswerFolders },
    ];
    this.#bindings = [own, host.services, plugins, services];
    this.#inCode = new Set(services.map(({ token }) => token));
    this.#application = container;
  }

  /**
   * Creates the container if a unit or the clock needs it. A later change of the profile cannot add classes.
   *
   * @returns the clock
   * @throws AssizeError (ASZ305) if the class of a service is malformed, or the clock cannot be created
   */
  async load(units: readonly UnitClass[]): Promise<Clock> {
    const clock = this.#bindings.flat().findLast(({ token }) => token === CLOCK) ?? {
      token: CLOCK,
      value: systemClock,
    };
    if (!this.#application && !units.some(needsContainer) && 'value' in clock) return clock.value as Clock;
    const module = await import('inversify');
    const container = new module.Container({ parent: hostContainer(module, this.host) });
    this.#inversify = { module, container };
    try {
      container.load(...this.#bindings.map((bindings) => moduleOf(module, bindings)));
      for (const binding of this.#bindings.flat()) if ('class' in binding) this.#adoptServicesOf(binding.class);
      return this.#find(CLOCK) as Clock;
    } catch (error) {
      const [first, ...rest] = toError(serviceError(error)).message.split('\n');
      const problem = {
        code: 'ASZ305',
        message: `a service cannot be created: ${first}`,
        hint: rest.join('\n'),
      } as const;
      throw toAssizeError([problem], { cause: error });
    }
  }

  instantiate(unit: UnitClass): UnitInstance {
    if (this.#inversify === undefined) return new unit();
    const { module, container } = this.#inversify;
    try {
      const token = unit as unknown as Newable<UnitInstance>;
      if (!container.isCurrentBound(token)) {
        this.#adoptServicesOf(unit);
        bindClass(module, container.bind(token), unit).inTransientScope();
      }
      return container.get(token);
    } catch (error) {
      throw serviceError(error);
    }
  }

  /** The service of a token, or undefined if nothing is bound to it. */
  #find(token: symbol): unknown {
    this.#adopt({ token, name: undefined });
    try {
      return this.#inversify?.container.get(token, { optional: true });
    } catch (error) {
      throw serviceError(error);
    }
  }

  #adoptServicesOf(injected: InjectedClass): void {
    for (const injection of injectionOf(injected)?.services ?? []) this.#adopt(injection);
  }

  /**
   * Binds a service of the application's container here, unless `services` replaces it. The container is not a parent
   * of ours, because a parent from another copy of inversify throws on a private member.
   */
  #adopt({ token, name }: Injection): void {
    const [application, container] = [this.#application, this.#inversify?.container];
    const request = name === undefined ? undefined : { name };
    const names = this.#adopted.get(token);
    if (!application || !container || names?.has(name) || this.#inCode.has(token)) return;
    if (!application.isBound(token, request)) return;
    const get = (): unknown => {
      try {
        return application.get(token, request);
      } catch (error) {
        const [reason] = toError(error).message.split('\n');
        throw new Error(`the container given to createPipeline has no ${serviceName(token)}: ${reason}`, {
          cause: error,
        });
      }
    };
    const binding = (names ? container.bind(token) : container.rebind(token)).toDynamicValue(get);
    if (name === undefined) binding.whenDefault();
    else binding.whenNamed(name);
    this.#adopted.set(token, (names ?? new Set()).add(name));
  }
}

/** Whether a class needs a container: it has services, or parameters without a declaration, which it reports. */
function needsContainer(unit: UnitClass): boolean {
  const injection = injectionOf(unit);
  return unit.length > 0 || injection?.by === 'decorators' || (injection?.services.length ?? 0) > 0;
}

/** A module that binds services and replaces earlier bindings of their tokens. */
const moduleOf = (inversify: Inversify, bindings: readonly ServiceBinding[]): ContainerModule =>
  new inversify.ContainerModule(({ bind, unbind }) => {
    for (const binding of bindings) {
      unbind(binding.token);
      if ('value' in binding) bind(binding.token).toConstantValue(binding.value);
      else bindClass(inversify, bind(binding.token), binding.class).inSingletonScope();
    }
  });

/** Binds a class by its `static inject`, or by its own or inherited decorators. */
function bindClass(
  { injectFromHierarchy }: Inversify,
  to: BindToFluentSyntax<unknown>,
  injected: InjectedClass,
): BindInFluentSyntax<unknown> {
  const newable = injected as unknown as Newable<object>;
  const injection = injectionOf(injected);
  if (injection?.by === 'static inject')
    return to.toResolvedValue((...services) => new newable(...services), [...(injected.inject ?? [])]);
  if (injection && injection.owner !== injected)
    injectFromHierarchy({ extendConstructorArguments: true, extendProperties: true })(newable);
  return to.to(newable);
}

const HOW_TO_INJECT =
  'static inject = [CLOCK], or @injectable() and @inject(CLOCK) on each parameter, by assize/sdk; decorators of inversify 7 and 8 work, too, and not those of 5 and 6';

/** The messages of inversify, and their replacements. */
const SERVICE_ERRORS: readonly (readonly [RegExp, (name: string) => string])[] = [
  [
    /^No bindings found for service: "(.*)"/,
    (token) =>
      `nothing is bound to the service ${serviceName(token)}\nbind it in the services of createPipeline, of a plugin or of a test's example: { token, value } or { token, class }`,
  ],
  [
    /(?:missing|incomplete) metadata (?:on|for) type "(.*?)"/,
    (name) => `the constructor of ${name} has a parameter without @inject\n${HOW_TO_INJECT}`,
  ],
  [/^Unexpected (.*) service id type/, (type) => `a token is ${type}; expected a symbol\n${HOW_TO_INJECT}`],
  [
    /^Circular dependency found: (.*)/,
    (tokens) => `services need each other: ${tokens.split(' -> ').map(serviceName).join(' → ')}`,
  ],
];

/** Translates inversify's errors. Returns any other error, such as that of a constructor, as it is. */
function serviceError(error: unknown): unknown {
  for (const [pattern, translate] of error instanceof Error ? SERVICE_ERRORS : []) {
    const [, name] = pattern.exec((error as Error).message) ?? [];
    if (name !== undefined) return new Error(translate(name), { cause: error });
  }
  return error;
}
