import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package-root.js';
import { temporaryFolder } from '../../temporary-folder.js';

/** A separate folder for a test's files. */
export function newFolder(): { readonly path: string; write(name: string, content: string | Uint8Array): string } {
  const path = temporaryFolder('assize-files-');
  return {
    path,
    write(name, content) {
      const file = join(path, name);
      writeFileSync(file, content);
      return file;
    },
  };
}

/** Threads run the build, which `npm test` creates. */
export const isBuilt = existsSync(join(packageRoot(), 'dist', 'bundle', 'worker.js'));
