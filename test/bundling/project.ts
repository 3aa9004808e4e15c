import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';
import { temporaryFolder } from '../temporary-folder.js';

const root = packageRoot();

interface Manifest {
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** A new folder without a package.json above it, as in a container. */
export const emptyFolder = (): string => realpathSync(temporaryFolder('assize-bundling-'));

/** Creates a project with the package and its dependencies, and without the optional packages. */
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
