import { SHIPPED_PLUGINS } from '../../compose.js';
import { isMap, type ProfileDocument } from './profile-document.js';

/** How a page selects: by the classes of plugins that ship, which it has, too. */
export interface PageSelection {
  readonly plugins: readonly string[];
  readonly select: ProfileDocument;
  /** Which steps are left out, in words: those by classes of other plugins. */
  readonly notes: readonly string[];
}

/** What of a profile's selection a page can do. */
export function pageSelection({ select, plugins }: ProfileDocument): PageSelection {
  const steps = Object.entries(isMap(select) ? select : {});
  const left = steps.flatMap(([step, value]) => {
    const foreign = classesIn(value).find((name) => !isInPage(name));
    return foreign === undefined ? [] : [{ step, foreign }];
  });
  const kept = steps.filter(([step]) => left.every((one) => one.step !== step));
  const named = [...(Array.isArray(plugins) ? (plugins as unknown[]) : []), ...classesIn(select).map(pluginOf)];
  return {
    plugins: [...new Set(named)].filter((name): name is string => typeof name === 'string' && isShipped(name)),
    select: Object.fromEntries(kept),
    notes: left.map(({ step, foreign }) => `nothing does the selection's ${step}: no page has the class ${foreign}`),
  };
}

/** The classes that something names, at any depth. */
function classesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(classesIn);
  if (!isMap(value)) return [];
  const { class: name, ...rest } = value;
  return [...(typeof name === 'string' ? [name] : []), ...Object.values(rest).flatMap(classesIn)];
}

/** `cupel` of `cupel/GreedyPack`; undefined where a class is named without its plugin. */
const pluginOf = (name: string): string | undefined => (name.includes('/') ? name.replace(/\/[^/]*$/, '') : undefined);

const isShipped = (plugin: string): boolean => Object.hasOwn(SHIPPED_PLUGINS, plugin);

const isInPage = (name: string): boolean => {
  const plugin = pluginOf(name);
  return plugin === undefined || plugin === 'core' || isShipped(plugin);
};
