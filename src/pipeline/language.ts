import { type DataPath, type Place, SourceFile, toAssizeError } from '../base/index.js';
import type { ExpressionScope } from '../expression/index.js';
import {
  childJsonSchema,
  inspectProfile,
  type JsonSchemaNode,
  loadShipped,
  type PluginLoader,
  presetNames,
  presetSource,
  type ProfileFiles,
  profileJsonSchema,
  type ProfileText,
} from '../profile/index.js';
import type { LoadedPlugin, UnitKind } from '../sdk/index.js';
import { SHIPPED_PLUGINS } from './container.js';
import { corePlugin } from './core-plugin.js';

/** The options of `describeProfile`: access to the files and plugins that a profile names. Without it, only what ships. */
export interface LanguageHost {
  /** A file name in the folder of the profile, from which relative paths are resolved. */
  readonly base?: string;
  /** Makes a path absolute that is relative to the folder of `file`. */
  readonly resolve?: (file: string, path: string) => string;
  /** Reads a profile that another one extends. */
  readonly read?: (file: string) => Promise<string>;
  /** Loads a plugin that is a file or a package. */
  readonly loadPlugin?: (spec: string, from: string) => Promise<LoadedPlugin>;
}

/** A class that a profile can name. */
export interface DescribedClass {
  readonly name: string;
  readonly kind: UnitKind;
  readonly plugin: string;
  readonly summary: string;
  /** Whether the profile must list the plugin first. */
  readonly unlisted: boolean;
}

/** A profile as an editor sees it: what it contains, and what may be written at each position. */
export interface DescribedProfile {
  /** Whether the text is probably a profile: an editor opens other YAML files, too. */
  readonly isProfile: boolean;
  /** The data of the text. Parts that do not parse are missing. */
  readonly own: Readonly<Record<string, unknown>>;
  /** The data, merged with all profiles that it extends. */
  readonly root: Readonly<Record<string, unknown>>;
  /** The JSON Schema of the profile, with the classes of its plugins. */
  readonly schema: JsonSchemaNode;
  /** The JSON Schema of an entry among params, whose own schema has the title `entry`. */
  childSchema(kind: 'scorer' | 'selector'): JsonSchemaNode;
  readonly classes: readonly DescribedClass[];
  /** The scope of the expression at a path of `own`. Undefined if no expression is expected there. */
  expressionScope(path: DataPath): ExpressionScope | undefined;
  /** The scope of the expressions in the params at a path of `own`. */
  paramScope(path: DataPath): ExpressionScope | undefined;
  /** The place of a part of `root`. */
  placeOf(path: DataPath, at: 'key' | 'value'): Place | undefined;
}

/** Describes a profile for an editor, also while its text has errors. It does not check it: `createPipeline` does. */
export async function describeProfile(profile: ProfileText, host: LanguageHost = {}): Promise<DescribedProfile> {
  const inspected = await inspectProfile(profile, {
    core: corePlugin,
    units: undefined,
    base: host.base ?? 'profile',
    trust: 'full',
    given: { has: () => false },
    files: filesOf(host),
    loadPlugin: pluginLoader(host),
  });
  const { plugins, ...described } = inspected;
  return {
    ...described,
    ...schemasOf(plugins),
    classes: [...classesOf(plugins, false), ...(await unlistedClasses(plugins))],
  };
}

const filesOf = ({ resolve = (_, path) => path, read }: LanguageHost): ProfileFiles => ({
  resolve,
  relative: (_, path) => path,
  sibling: () => undefined,
  read: async (file) => {
    if (read === undefined) throw toAssizeError([{ code: 'ASZ110', message: `cannot read ${file}` }]);
    const source = new SourceFile(file, await read(file));
    const { parseYaml } = await import('../profile/source/parse-yaml.js');
    return { source, ...parseYaml(source) };
  },
});

const pluginLoader =
  ({ loadPlugin }: LanguageHost): PluginLoader =>
  async (spec, from, loaded) => {
    const plugin = (await shippedPlugin(spec, loaded)) ?? (await loadPlugin?.(spec, from));
    if (plugin) return plugin;
    throw toAssizeError([{ code: 'ASZ110', message: `plugin ${spec} is not loaded` }]);
  };

/** Schemas and classes are computed once for each plugin, so a plugin that ships must be the same object each time. */
const shipped = new Map<string, LoadedPlugin>();

async function shippedPlugin(name: string, loaded: readonly LoadedPlugin[]): Promise<LoadedPlugin | undefined> {
  const known = shipped.get(name);
  if (known) return known;
  const plugin = await loadShipped(name, SHIPPED_PLUGINS, loaded);
  if (plugin) shipped.set(name, plugin);
  return plugin;
}

type Schemas = Pick<DescribedProfile, 'schema' | 'childSchema'>;

/** The schemas by their plugins, which take some 20 ms to write. The newest is last. */
const known: { readonly plugins: readonly LoadedPlugin[]; readonly schemas: Schemas }[] = [];
const MOST_KNOWN = 10;

function schemasOf(plugins: readonly LoadedPlugin[]): Schemas {
  const isSame = (others: readonly LoadedPlugin[]): boolean =>
    others.length === plugins.length && others.every((one, n) => one === plugins[n]);
  const found = known.find((one) => isSame(one.plugins));
  if (found) return found.schemas;
  const children = new Map<string, JsonSchemaNode>();
  const schemas: Schemas = {
    schema: profileJsonSchema(plugins),
    childSchema: (kind) => {
      const child = children.get(kind) ?? childJsonSchema(kind, plugins);
      children.set(kind, child);
      return child;
    },
  };
  known.push({ plugins, schemas });
  if (known.length > MOST_KNOWN) known.shift();
  return schemas;
}

const classesOf = (plugins: readonly LoadedPlugin[], unlisted: boolean): readonly DescribedClass[] =>
  plugins.flatMap(({ name: plugin, units }) =>
    Array.from(units, ([name, { meta }]) => ({ name, kind: meta.kind, plugin, summary: meta.summary, unlisted })),
  );

/** The classes of the plugins that ship and that the profile does not list. */
async function unlistedClasses(listed: readonly LoadedPlugin[]): Promise<readonly DescribedClass[]> {
  const plugins = await Promise.all(Object.keys(SHIPPED_PLUGINS).map((name) => shippedPlugin(name, [])));
  const others = plugins.filter((plugin) => plugin !== undefined).filter((plugin) => !listed.includes(plugin));
  return classesOf(others, true);
}

/** A preset, with its one-line description. */
export interface DescribedPreset {
  readonly name: string;
  readonly summary: string;
}

/** The presets, which profiles can extend. */
export async function describePresets(): Promise<readonly DescribedPreset[]> {
  const names = await presetNames();
  const describe = async (name: string): Promise<DescribedPreset> => {
    const [, summary = ''] = /^description: (.*)$/m.exec((await presetSource(name))?.text ?? '') ?? [];
    return { name, summary };
  };
  return Promise.all(names.map(describe));
}

/** The names of the plugins that ship, which a profile can list. */
export const shippedPluginNames = (): readonly string[] => Object.keys(SHIPPED_PLUGINS);
