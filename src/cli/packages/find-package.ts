import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { escapeInvisible, isObject, type Problem } from '../../base/index.js';

/** What a package.json has. */
type Manifest = Readonly<Record<string, unknown>>;

/** An installed package. */
export interface InstalledPackage {
  readonly name: string;
  /** Its folder, with links resolved, as Node imports from it. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** A map in a package.json; empty if it is missing. */
export function mapOf(manifest: Manifest, key: string): Manifest {
  const value = manifest[key];
  return isObject(value) ? value : {};
}

/**
 * Reads the package.json of a folder; undefined if it is missing or not JSON.
 *
 * @param key if its text does not contain this key, it is empty: parsing those of all dependencies takes 5 ms
 */
function readManifest(folder: string, key?: string): Manifest | undefined {
  try {
    const text = readFileSync(`${folder}/package.json`, 'utf8');
    if (key !== undefined && !text.includes(`"${key}"`)) return {};
    const manifest: unknown = JSON.parse(text);
    return isObject(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** A folder and those that contain it, from the inside out. */
function foldersUpFrom(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpFrom(above)];
}

/** Finds a package in the `node_modules` of a folder or of a folder that contains it, as Node does. Imports nothing. */
export function findPackage(name: string, from: string): InstalledPackage | undefined {
  return firstOf(foldersUpFrom(from), (place) => {
    const folder = join(place, 'node_modules', name);
    const manifest = readManifest(folder);
    return manifest && { name, folder: realpathSync(folder), manifest };
  });
}

/** A verb of a package, as the help lists it without importing the package. */
export interface ListedVerb {
  /** The package, which exports the verb from its subpath `./verbs`. */
  readonly from: string;
  readonly summary: string;
  /** Its arguments, as commander declares them. */
  readonly args?: string;
}

/** A verb that a package offers, whether it is used or not. */
export interface OfferedVerb extends ListedVerb {
  readonly name: string;
}

/** The verbs that the dependencies of the user's project offer: `assize.verbs` in their package.json. Imports nothing. */
export function offeredVerbs(folder: string): readonly OfferedVerb[] {
  const places = foldersUpFrom(folder);
  return dependenciesOf(folder).flatMap((from) => {
    const manifest = firstOf(places, (place) => readManifest(`${place}/node_modules/${from}`, 'assize')) ?? {};
    return Object.entries(mapOf(mapOf(manifest, 'assize'), 'verbs'))
      .filter(([name]) => /^[a-z][\w-]*$/.test(name))
      .map(([name, summary]) => ({ name, from, summary: escapeInvisible(String(summary)) }));
  });
}

/** Offered verbs by name. If two packages offer a name, the first one has it. */
export function verbsByName(offered: readonly OfferedVerb[]): Readonly<Record<string, ListedVerb>> {
  const found: Record<string, ListedVerb> = Object.create(null);
  for (const { name, from, summary } of offered) found[name] ??= { from, summary };
  return found;
}

/**
 * A warning for each verb of a package that another verb replaces.
 *
 * @param packageOf the package whose verb has a name, if it is not the first of those that offer it
 */
export function ignoredVerbs(
  offered: readonly OfferedVerb[],
  packageOf: (name: string) => string | undefined,
): readonly Problem[] {
  const used = verbsByName(offered);
  return offered.flatMap(({ name, from }) => {
    const owner = packageOf(name) ?? used[name]?.from;
    if (owner === undefined || owner === from) return [];
    const message = `the verb ${name} of the package ${from} is ignored: ${owner} has a verb with this name`;
    return [
      { severity: 'warning', code: 'ASZ741', message, hint: `rename the verb in ${from}, or remove the package` },
    ];
  });
}

/** The first value that is not undefined. */
function firstOf<T, R>(values: readonly T[], find: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The names of the dependencies in the nearest package.json. */
function dependenciesOf(folder: string): readonly string[] {
  const project = firstOf(foldersUpFrom(folder), (place) => readManifest(place));
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'];
  return project ? kinds.flatMap((kind) => Object.keys(mapOf(project, kind))) : [];
}
