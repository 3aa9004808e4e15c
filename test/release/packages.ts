import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';
import { type WorkspacePackage, workspace } from '../workspace.js';
import { run } from './run.js';

/** The command line of the core, from the folder that it is installed in. */
export const CLI = join('node_modules', 'assize', 'dist', 'bundle', 'cli.js');

/** A package of this repository, packed. */
export interface PackedPackage {
  readonly source: WorkspacePackage;
  readonly name: string;
  readonly version: string;
  readonly tarball: string;
  /** The paths in the tarball. */
  readonly files: readonly string[];
}

interface Packed {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs a package, as built. */
export function pack(
  source: WorkspacePackage,
  into: string,
  folder = join(packageRoot(), source.folder),
): PackedPackage {
  const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', into];
  const [packed] = JSON.parse(run('npm', args, { cwd: folder })) as [Packed];
  const { name, version, filename, files } = packed;
  return { source, name, version, tarball: join(into, filename), files: files.map(({ path }) => path) };
}

/** Packs every package: the core first, each package after those that it uses. */
export const packAll = (into: string): readonly PackedPackage[] => workspace.map((one) => pack(one, into));

/** A package with those of this repository that it needs, in the order of installation. */
export function withOwn({ source }: PackedPackage, packages: readonly PackedPackage[]): readonly PackedPackage[] {
  const { dependencies, peerDependencies } = source.manifest;
  return packages.filter(({ name }) => name === source.name || name in { ...dependencies, ...peerDependencies });
}

/** The packages in a folder's node_modules and the size of their files. */
export interface Installed {
  readonly folder: string;
  readonly packages: readonly string[];
  readonly bytes: number;
}

/** Creates an empty project, and installs packages: tarballs, or names with versions from the registry. */
export function installInto(folder: string, wanted: readonly string[], options: readonly string[] = []): Installed {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...options, ...wanted], { cwd: folder });
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, unknown>>;
  };
  const entries = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  return {
    folder,
    packages: Object.keys(lock.packages).map((path) => path.replace('node_modules/', '')),
    bytes: sizes.reduce((sum, size) => sum + size, 0),
  };
}
