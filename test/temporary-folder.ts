import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

// Vitest runs no hook of a file whose tests are all skipped.
process.once('exit', removeTemporaryFolders);

/**
 * Makes a folder of its own for the files of a test. `remove-folders.ts` removes it after the test file, wherever it is
 * made: Vitest ignores an `afterAll` that is called inside a test.
 *
 * @param prefix what its name begins with
 */
export function temporaryFolder(prefix = 'assize-'): string {
  const path = mkdtempSync(join(tmpdir(), prefix));
  folders.push(path);
  return path;
}

/** Removes every folder that was made so far. */
export function removeTemporaryFolders(): void {
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}
