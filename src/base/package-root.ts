import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toAssizeError } from './format.js';

/** The name in a folder's package.json; undefined if the file is missing or has no name. */
function packageName(folder: string): unknown {
  try {
    const described: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return typeof described === 'object' && described !== null && 'name' in described ? described.name : undefined;
  } catch {
    return undefined;
  }
}

/** The path of this file; undefined if a bundler has converted it to CommonJS. */
const here: string | undefined = import.meta.url;

/**
 * The folder of this package: the same from the sources and from the build.
 *
 * @throws AssizeError (ASZ110) in a program that was bundled together with Assize and has no such folder
 */
export function packageRoot(): string {
  let folder = here === undefined ? undefined : dirname(fileURLToPath(here));
  while (folder !== undefined) {
    if (packageName(folder) === 'assize') return folder;
    const above = dirname(folder);
    folder = above === folder ? undefined : above;
  }
  const message = 'the files of the package assize are missing, because this program was bundled without them';
  const hint = 'mark assize as external in the bundler and install it, or run without threads (workers: 1)';
  throw toAssizeError([{ code: 'ASZ110', message, hint }]);
}

/** The version in package.json. */
export function packageVersion(): string {
  const described: unknown = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  const version = typeof described === 'object' && described !== null && 'version' in described && described.version;
  return String(version);
}
