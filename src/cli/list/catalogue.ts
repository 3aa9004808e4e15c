import type { LoadedPlugin, UnitClass } from '../../sdk/index.js';
import { didYouMean, AssizeError } from '../../base/index.js';
import { parseDocument } from '../../profile/node.js';
import { presetNames, presetSource } from '../../profile/index.js';

/** A preset and its purpose. */
export interface PresetSummary {
  readonly name: string;
  readonly description: string;
}

/** The presets by name, each with the `description` of its profile. */
export async function listPresets(): Promise<readonly PresetSummary[]> {
  const names = await presetNames();
  return Promise.all(
    names.toSorted().map(async (name) => {
      const source = await presetSource(name);
      const data = source && (await parseDocument(source)).data;
      const description = typeof data === 'object' && data !== null && 'description' in data ? data.description : '';
      return { name, description: String(description) };
    }),
  );
}

/** A unit with its name and its plugin's. */
export interface NamedUnit {
  readonly plugin: string;
  readonly name: string;
  readonly unit: UnitClass;
}

/**
 * Finds a unit by its class name, or by `plugin/Class`.
 *
 * @throws AssizeError (ASZ602) if no unit or several units match
 */
export function findUnit(name: string, plugins: readonly LoadedPlugin[]): NamedUnit {
  const all = plugins.flatMap(({ name: plugin, units }) =>
    Array.from(units, ([key, unit]): NamedUnit => ({ plugin, name: key, unit })),
  );
  const [found, ...others] = all.filter((one) => one.name === name || `${one.plugin}/${one.name}` === name);
  if (found && others.length === 0) return found;
  const exact = [found, ...others].map((one) => one && `${one.plugin}/${one.name}`);
  throw new AssizeError([
    found
      ? { code: 'ASZ602', message: `${name} is in ${exact.length} plugins`, hint: `write ${exact.join(' or ')}` }
      : { code: 'ASZ602', message: `there is no preset, plugin or class ${name}`, hint: unknownNameHint(name, all) },
  ]);
}

function unknownNameHint(name: string, units: readonly NamedUnit[]): string {
  const known = ['presets', 'plugins', 'units', 'codes', ...units.map((unit) => unit.name)];
  return didYouMean(name, known, 'assize list units shows every class; --plugin lists another plugin');
}
