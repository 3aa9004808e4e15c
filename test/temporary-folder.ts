import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

// Vitest runs no hook of a file whose tests are all skipped.
process.once('exit', removeTemporaryFolders);

/**
 * Creates a separate folder for the files of a test. `remove-folders.ts` removes it after the test file, wherever it is
 * created: Vitest ignores an `afterAll` that is called inside a test.
 *
 * @param prefix the start of its name
 */
export function temporaryFolder(prefix = 'assize-'): string {
  const path = mkdtempSync(join(tmpdir(), prefix));
  folders.push(path);
  return path;
}

/** Removes every folder that was created so far. */
export function removeTemporaryFolders(): void {
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}
