import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toAssizeError } from './format.js';

/** The name in a folder's package.json; undefined if it has none that can be read. */
function packageName(folder: string): unknown {
  try {
    const described: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return typeof described === 'object' && described !== null && 'name' in described ? described.name : undefined;
  } catch {
    return undefined;
  }
}

/** This file; undefined in CommonJS that a bundler has made of it. */
const here: string | undefined = import.meta.url;

/**
 * The folder of this package: the same from the sources and from the build.
 *
 * @throws AssizeError (ASZ110) in a program that was bundled with Assize, which has left it
 */
export function packageRoot(): string {
  let folder = here === undefined ? undefined : dirname(fileURLToPath(here));
  while (folder !== undefined) {
    if (packageName(folder) === 'assize') return folder;
    const above = dirname(folder);
    folder = above === folder ? undefined : above;
  }
  const message = 'the files of the package assize are not there: this program was bundled without them';
  const hint =
    'tell the bundler that assize is external, and install it; without threads (workers: 1) nothing is missing';
  throw toAssizeError([{ code: 'ASZ110', message, hint }]);
}

/** The version in package.json. */
export function packageVersion(): string {
  const described: unknown = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  const version = typeof described === 'object' && described !== null && 'version' in described && described.version;
  return String(version);
}
