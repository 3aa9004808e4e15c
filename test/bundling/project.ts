import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/input/package-root.js';

const root = packageRoot();

interface Manifest {
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** A new folder below no package.json, as a container has. */
export function emptyFolder(): { readonly path: string; remove(): void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'assize-bundling-')));
  return { path, remove: () => rmSync(path, { recursive: true }) };
}

/** Makes a project that has the package and all that it depends on, and none of the packages that are optional. */
export function makeProject(folder: string): void {
  const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'assize'), { recursive: true });
  for (const name of ['package.json', 'dist']) symlinkSync(join(root, name), join(modules, 'assize', name));
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const optional = Object.keys(peerDependencies).some((peer) => peer.split('/')[0] === name);
    if (!optional && !name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
}
