import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject, escapeInvisible } from '../../base/index.js';

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

/** Reads the package.json of a folder; undefined if it is missing or not JSON. */
function readManifest(folder: string): Manifest | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
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
  for (const place of foldersUpFrom(from)) {
    const folder = join(place, 'node_modules', name);
    const manifest = readManifest(folder);
    if (manifest) return { name, folder: realpathSync(folder), manifest };
  }
  return undefined;
}

/** A verb of a package, as the help lists it without importing the package. */
export interface ListedVerb {
  /** The package, which exports the verb from its subpath `./verbs`. */
  readonly from: string;
  readonly summary: string;
  /** Its arguments, as commander declares them. */
  readonly args?: string;
}

/**
 * The verbs that the dependencies of the user's project offer, by name: `assize.verbs` in their package.json. Nothing is
 * imported. If two packages offer a name, the first one has it.
 */
export function projectVerbs(folder: string): Readonly<Record<string, ListedVerb>> {
  const found: Record<string, ListedVerb> = Object.create(null);
  for (const from of dependenciesOf(folder)) {
    const { manifest = {} } = findPackage(from, folder) ?? {};
    for (const [name, summary] of Object.entries(mapOf(mapOf(manifest, 'assize'), 'verbs'))) {
      if (/^[a-z][\w-]*$/.test(name)) found[name] ??= { from, summary: escapeInvisible(String(summary)) };
    }
  }
  return found;
}

/** The names of the dependencies in the nearest package.json. */
function dependenciesOf(folder: string): readonly string[] {
  const project = foldersUpFrom(folder)
    .map(readManifest)
    .find((manifest) => manifest !== undefined);
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'];
  return project ? kinds.flatMap((kind) => Object.keys(mapOf(project, kind))) : [];
}
