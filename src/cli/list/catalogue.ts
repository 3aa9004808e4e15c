import { AssizeError, type NamedPack, type UnitClass } from '../../contract/index.js';
import { readDocument, readSource } from '../../document/index.js';
import { didYouMean } from '../../expression/suggest.js';
import { presetFile, presetNames } from '../../profile/presets.js';

/** A profile that ships. */
export interface Preset {
  readonly name: string;
  readonly description: string;
}

/** The presets, by name, with the line that each says of itself. */
export async function allPresets(): Promise<readonly Preset[]> {
  const names = await presetNames();
  return Promise.all(
    names.toSorted().map(async (name) => {
      const { data } = await readDocument(await readSource(presetFile(name)));
      const description = typeof data === 'object' && data !== null && 'description' in data ? data.description : '';
      return { name, description: String(description) };
    }),
  );
}

/** A unit with its name and its pack's. */
export interface NamedUnit {
  readonly pack: string;
  readonly name: string;
  readonly unit: UnitClass;
}

/**
 * Finds a unit by its class name, or exactly by `pack/Class`.
 *
 * @throws AssizeError (ASZ602) when there is none, or several
 */
export function findUnit(name: string, packs: readonly NamedPack[]): NamedUnit {
  const all = packs.flatMap(({ name: pack, units }) =>
    Array.from(units, ([key, unit]): NamedUnit => ({ pack, name: key, unit })),
  );
  const [found, ...others] = all.filter((one) => one.name === name || `${one.pack}/${one.name}` === name);
  if (found && others.length === 0) return found;
  const exact = [found, ...others].map((one) => one && `${one.pack}/${one.name}`);
  throw new AssizeError([
    found
      ? { code: 'ASZ602', message: `${name} is in ${exact.length} packs`, hint: `say ${exact.join(' or ')}` }
      : { code: 'ASZ602', message: `nothing is called ${name}`, hint: nearTo(name, all) },
  ]);
}

function nearTo(name: string, units: readonly NamedUnit[]): string {
  const known = ['presets', 'packs', 'units', 'codes', ...units.map((unit) => unit.name)];
  return didYouMean(name, known, 'assize list units shows every class, and --pack looks into another pack');
}
