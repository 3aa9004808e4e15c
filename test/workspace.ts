import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../src/base/package-root.js';

const root = packageRoot();

/** The parts of a package.json that concern its users. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** A package that this repository publishes, as `.packages.js` lists it. Folders are relative to the repository. */
interface Listed {
  readonly folder: string;
  /** The folder of the published code. */
  readonly bundle: string;
  /** The folder of the published types. */
  readonly types: string;
  /** The built module of each entry point, by the name of its published file. */
  readonly entries: Readonly<Record<string, string>>;
  /** The same of files that only the package itself loads. */
  readonly others: Readonly<Record<string, string>>;
}

export interface WorkspacePackage extends Listed {
  readonly name: string;
  readonly manifest: Manifest;
  /** The source file of each entry point, by what a program imports. */
  readonly sources: ReadonlyMap<string, string>;
}

const sourceOf = (built: string): string => built.replace(/^dist\//, '').replace(/\.js$/, '.ts');

function describe(listed: Listed): WorkspacePackage {
  const manifest = JSON.parse(readFileSync(join(root, listed.folder, 'package.json'), 'utf8')) as Manifest;
  const sources = Object.entries(manifest.exports).flatMap(([path, target]): [string, string][] => {
    if (typeof target === 'string') return [];
    const built = listed.entries[basename(target.default, '.js')];
    if (built === undefined) throw new Error(`${manifest.name}: .packages.js has no entry for ${target.default}`);
    return [[`${manifest.name}${path.slice(1)}`, sourceOf(built)]];
  });
  return { ...listed, name: manifest.name, manifest, sources: new Map(sources) };
}

const list: { readonly packages: readonly Listed[] } = await import(pathToFileURL(join(root, '.packages.js')).href);

/** The packages of this repository: the core first, each package after those that it uses. */
export const workspace: readonly WorkspacePackage[] = list.packages.map(describe);
