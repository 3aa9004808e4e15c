import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { readSourceFile } from '../../input/read-source-file.js';
import { parseDocument } from './parse-document.js';
import type { ProfileFiles } from './profile-files.js';
import { PROFILE_LIMITS } from '../trust.js';

/** Whether a relative path leads out of where it starts: upwards, or to another disk. */
const leadsOut = (path: string): boolean => path.startsWith('..') || isAbsolute(path);

/** The files of this machine. */
export const nodeFiles: ProfileFiles = {
  resolve: (file, path) => resolve(dirname(file), path),
  relative: (file, path) => {
    const below = relative(dirname(file), path);
    return leadsOut(below) ? below : `./${below}`;
  },
  read: async (file) => {
    const below = relative(process.cwd(), file); // as problems name it
    const source = await readSourceFile(below === '' || leadsOut(below) ? file : below);
    return { source, ...(await parseDocument(source, { values: PROFILE_LIMITS.full.values })) };
  },
  sibling: (file, name) => {
    const found = ['.yaml', '.yml', '.json', '']
      .map((ending) => name + ending)
      .find((one) => existsSync(join(dirname(file), one)));
    return name === '' || found === undefined ? undefined : `./${found}`;
  },
};
