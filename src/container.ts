import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Container, type Newable } from 'inversify';
import * as core from '../plugins/core/index.js';
import type { LoadedPlugin, ServiceBinding, ServiceClass, UnitClass, UnitInstance } from './contract/index.js';
import {
  ANYTHING,
  BOOLEAN,
  checkOptions,
  FUNCTION,
  LIST,
  type OptionTypes,
  STRING,
} from './diagnostics/check-options.js';
import { toAssizeError } from './diagnostics/to-assize-error.js';
import { compileProfile } from './engine/compile/compile-profile.js';
import type { Instantiate } from './engine/compile/run-unit.js';
import type { CompiledProfile } from './engine/compiled-profile.js';
import { Pipeline } from './pipeline.js';
import { type LoadedProfile, loadProfile } from './profile/load-profile.js';
import type { ProfileInput } from './profile/schema/profile-schema.js';
import { loadPlugin, type ShippedPlugins } from './registry/load-plugin.js';
import { readPlugin, serviceProblems } from './registry/read-plugin.js';
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
  type Progress,
  systemClock,
  TransformersProvider,
  UsearchGraphs,
} from './services/index.js';

/** Packs that ship besides `core`, by the name that a profile's `plugins` uses. */
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
  /** Hears of what takes long: a model that loads, texts that are embedded. */
  readonly progress?: Progress;
}

/** What they are. What a unit and a service must be is looked at one by one. */
export const PIPELINE_OPTIONS: OptionTypes = {
  units: ANYTHING,
  services: LIST,
  folder: STRING,
  codegen: BOOLEAN,
  progress: FUNCTION,
};

/** This module's sibling, from the sources as from the build. */
const sdkFile = (): string =>
  fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './sdk.ts' : './sdk.js', import.meta.url));

const corePack: LoadedPlugin = readPlugin('core', core);

/**
 * A class with `static inject` needs no decorator: its services are handed over in that order. Any class is bound as
 * inversify's newable: what its constructor takes is for its tokens to say, and no type of ours could.
 */
function bindClass(
  container: Container,
  token: symbol | Newable,
  made: UnitClass | ServiceClass,
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

function bindService(container: Container, service: ServiceBinding): void {
  if (container.isBound(service.token)) container.unbind(service.token);
  if ('class' in service) bindClass(container, service.token, service.class, 'Singleton');
  else container.bind(service.token).toConstantValue(service.value);
}

/** One container a pipeline: its services are made once, and shared by its units. */
function composeServices(services: readonly ServiceBinding[], progress: Progress): Container {
  const container = new Container();
  const lookup = (token: symbol): unknown => (container.isBound(token) ? container.get(token) : undefined);
  const builtIn: readonly ServiceBinding[] = [
    { token: CLOCK, value: systemClock },
    { token: PROGRESS, value: progress },
    { token: EMBEDDERS, value: new EmbedderRegistry(lookup) },
    { token: embedderToken('lexical'), class: LexicalProvider },
    { token: embedderToken('transformers'), class: TransformersProvider },
    { token: LANGUAGE_MODELS, class: OpenAiModels },
    { token: NEIGHBOUR_GRAPHS, class: UsearchGraphs },
  ];
  for (const service of [...builtIn, ...services]) bindService(container, service);
  return container;
}

/** The container says over five lines that a service is missing, and not what to do. */
function told<V>(make: () => V): V {
  try {
    return make();
  } catch (error) {
    const [, name] =
      /^No bindings found for service: "(?:Symbol\()?(?:assize:)?(.*?)\)?"/.exec(
        String(Reflect.get(Object(error), 'message')),
      ) ?? [];
    if (name === undefined) throw error;
    throw new Error(
      `nothing is bound to the service ${name}\na plugin's services, or createPipeline's, bind it: { token, class }`,
      {
        cause: error,
      },
    );
  }
}

/** One instance a use: two novelty entries have two memories, and two of everything else. */
const instantiateIn =
  (container: Container): Instantiate =>
  (unit) => {
    const token = unit as unknown as Newable<UnitInstance>;
    if (!container.isBound(token)) bindClass(container, token, unit, 'Transient');
    return told(() => container.get(token));
  };

const load = (
  profile: string | ProfileInput,
  units: LoadedPlugin | undefined,
  folder = process.cwd(),
): Promise<LoadedProfile> => loadProfile(profile, { core: corePack, units, shipped: SHIPPED, sdk: sdkFile(), folder });

/**
 * A profile with all that it extends, as one file would say it. Its values know the places that they come from.
 *
 * @param profile  as for `createPipeline`
 * @param defaults whether what is not said is said too
 * @throws AssizeError with every problem of the profile
 */
export async function effectiveProfile(profile: string, defaults: boolean): Promise<Readonly<Record<string, unknown>>> {
  return (await load(profile, undefined)).effective(defaults);
}

/**
 * Loads a profile and compiles it. The one place where everything is put together.
 *
 * @param profile a preset's name, a path (it has a slash, or ends in .yaml, .yml or .json), or the profile itself
 * @throws AssizeError with every problem of the profile, each with its file, line and column
 */
export async function createPipeline<T = unknown>(
  profile: string | ProfileInput,
  options: PipelineOptions = {},
): Promise<Pipeline<T>> {
  checkOptions('createPipeline', options, PIPELINE_OPTIONS);
  return new Pipeline<T>(await createEdition(profile, options));
}

/** The same for who runs it in another way than a pipeline does. */
export async function createEdition(
  profile: string | ProfileInput,
  options: PipelineOptions = {},
): Promise<CompiledProfile> {
  const units = options.units && readPlugin('units', options.units);
  const wrong = serviceProblems('createPipeline', options.services ?? []);
  if (wrong.length > 0) throw toAssizeError(wrong);
  const loaded = await load(profile, units, options.folder);
  const container = composeServices([...loaded.services, ...(options.services ?? [])], options.progress ?? noProgress);
  const instantiate = instantiateIn(container);
  const clock = container.get<Clock>(CLOCK);
  const edition = (of: LoadedProfile): CompiledProfile => ({
    plan: compileProfile(of.profile, instantiate, clock, options.codegen ?? true),
    warnings: of.warnings,
    applyChange: (change) => edition(of.applyChange(change)),
  });
  return edition(loaded);
}

/**
 * The packs that ship, `core` first.
 *
 * @param spec   for one pack alone: its name, or what a profile's `plugins` would say
 * @param folder what a relative path starts from
 * @throws AssizeError when there is no such pack
 */
export async function loadPacks(spec: string | undefined, folder = process.cwd()): Promise<readonly LoadedPlugin[]> {
  if (spec === corePack.name) return [corePack];
  const host = { shipped: SHIPPED, sdk: sdkFile() };
  const pack = (one: string): Promise<LoadedPlugin> => loadPlugin(one, join(folder, 'profile'), host);
  if (spec !== undefined) return [await pack(spec)];
  return [corePack, ...(await Promise.all(Object.keys(SHIPPED).map(pack)))];
}
