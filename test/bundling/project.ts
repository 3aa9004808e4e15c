import { mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';
import { temporaryFolder } from '../temporary-folder.js';
import { workspace } from '../workspace.js';

const root = packageRoot();

/** A new folder without a package.json above it, as in a container. */
export const emptyFolder = (): string => realpathSync(temporaryFolder('assize-bundling-'));

/** Creates a project with the packages of this repository and their dependencies, without the optional ones of the core. */
export function makeProject(folder: string): void {
  const modules = join(folder, 'node_modules');
  for (const one of workspace) {
    mkdirSync(join(modules, one.name), { recursive: true });
    for (const name of ['package.json', 'dist']) {
      symlinkSync(join(root, one.folder, name), join(modules, one.name, name));
    }
  }
  const optional = Object.keys(workspace[0]?.manifest.peerDependencies ?? {}).map((peer) => peer.split('/')[0]);
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const isOurs = name === 'assize' || name === '@assize';
    if (!isOurs && !optional.includes(name) && !name.startsWith('.'))
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
}
