import type { LoadedPlugin } from '../contract/index.js';
import { checkCodesAreFree } from './plugin-codes.js';
import { readPlugin } from './read-plugin.js';

/** The plugins that ship with Assize, by name; each is loaded only when a profile names it. */
export type ShippedPlugins = Readonly<Record<string, () => Promise<Readonly<Record<string, unknown>>>>>;

/**
 * Loads a plugin that ships.
 *
 * @param loaded the plugins that are in use with it: no two declare one code
 * @returns undefined where none has that name
 * @throws AssizeError (ASZ306)
 */
export async function loadShipped(
  name: string,
  shipped: ShippedPlugins,
  loaded: readonly LoadedPlugin[],
): Promise<LoadedPlugin | undefined> {
  const load = Object.hasOwn(shipped, name) ? shipped[name] : undefined;
  if (load === undefined) return undefined;
  const plugin = readPlugin(name, await load(), 'module');
  checkCodesAreFree(plugin, loaded);
  return plugin;
}
