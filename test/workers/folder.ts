import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { packageRoot } from '../../src/input/package-root.js';

/** A folder of its own for a test's files. */
export function newFolder(): { readonly path: string; write(name: string, content: string | Uint8Array): string } {
  const path = mkdtempSync(join(tmpdir(), 'assize-files-'));
  afterAll(() => rmSync(path, { recursive: true }));
  return {
    path,
    write(name, content) {
      const file = join(path, name);
      writeFileSync(file, content);
      return file;
    },
  };
}

/** Threads run the build, which `npm test` has made. */
export const isBuilt = existsSync(join(packageRoot(), 'dist', 'bundle', 'worker.js'));
