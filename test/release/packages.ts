import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';
import { run } from './run.js';

/** A package of this repository, packed. */
export interface PackedPackage {
  readonly name: string;
  readonly version: string;
  /** The folder of its sources. */
  readonly folder: string;
  readonly tarball: string;
  /** The paths in the tarball. */
  readonly files: readonly string[];
}

/** The folders of the packages: the core first. */
function packageFolders(): readonly string[] {
  const around = join(packageRoot(), 'plugins', '@assize');
  const names = existsSync(around) ? readdirSync(around).toSorted() : [];
  const folders = names.map((name) => join(around, name)).filter((folder) => existsSync(join(folder, 'package.json')));
  return [packageRoot(), ...folders];
}

interface Packed {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs every package, as built. */
export function packAll(into: string): readonly PackedPackage[] {
  return packageFolders().map((folder) => {
    const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', into];
    const [packed] = JSON.parse(run('npm', args, { cwd: folder })) as [Packed];
    const { name, version, filename, files } = packed;
    return { name, version, folder, tarball: join(into, filename), files: files.map(({ path }) => path) };
  });
}

/** The packages in a folder's node_modules and the size of their files. */
export interface Installed {
  readonly folder: string;
  readonly packages: readonly string[];
  readonly bytes: number;
}

/** Installs packages into an empty folder, from the registry apart from the tarballs. */
export function installInto(folder: string, packages: readonly PackedPackage[]): Installed {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const tarballs = packages.map(({ tarball }) => tarball);
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs], { cwd: folder });
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, unknown>>;
  };
  const entries = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)).length);
  return {
    folder,
    packages: Object.keys(lock.packages).map((path) => path.replace('node_modules/', '')),
    bytes: sizes.reduce((sum, size) => sum + size, 0),
  };
}
