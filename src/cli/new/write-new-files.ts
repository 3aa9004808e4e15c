import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { AssizeError, type Problem } from '../../diagnostics/problem.js';
import type { TemplateFiles } from './template.js';

/**
 * Writes files that are not there yet: all of them, or none.
 *
 * @returns their paths as one would type them
 * @throws AssizeError (ASZ604) naming each that is in the way
 */
export async function writeNewFiles(files: TemplateFiles, folder: string, from: string): Promise<readonly string[]> {
  const paths = Object.keys(files).map((name) => resolve(from, folder, name));
  const taken = paths.filter((path) => existsSync(path));
  if (taken.length > 0) {
    throw new AssizeError(
      taken.map((path): Problem => {
        const hint = 'nothing was written: take another name, or say --folder';
        return { code: 'ASZ604', message: `${relative(from, path)} is there already`, hint };
      }),
    );
  }
  for (const [index, text] of Object.values(files).entries()) {
    const path = paths[index]!;
    // oxlint-disable-next-line no-await-in-loop -- three small files
    await mkdir(dirname(path), { recursive: true });
    // oxlint-disable-next-line no-await-in-loop
    await writeFile(path, text, { flag: 'wx' });
  }
  return paths.map((path) => relative(from, path));
}
