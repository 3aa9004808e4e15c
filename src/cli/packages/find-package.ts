import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject } from '../../base/index.js';

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
export function readManifest(folder: string): Manifest | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return isObject(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** A folder and those that contain it, from the inside out. */
export function foldersUpFrom(folder: string): readonly string[] {
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
