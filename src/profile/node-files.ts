/**
 * Reads profiles from files with Node.
 *
 * @module
 */

import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { readSourceFile } from '../data/node.js';
import type { SourceFile } from '../base/index.js';
import type { DocumentLimits, ParsedDocument } from '../data/index.js';
import type { ProfileFiles } from './source/source-loader.js';
import { PROFILE_LIMITS } from './trust.js';

/** Whether a relative path leaves its start: upwards, or to another disk. */
const leadsOut = (path: string): boolean => path.startsWith('..') || isAbsolute(path);

/** Access to profiles in the file system. */
export const nodeFiles: ProfileFiles = {
  resolve: (file, path) => resolve(dirname(file), path),
  relative: (file, path) => {
    const below = relative(dirname(file), path);
    return leadsOut(below) ? below : `./${below}`;
  },
  read: async (file) => {
    const below = relative(process.cwd(), file); // problems show this name
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

/** Parses a file to plain data with places: JSON if its name ends in .json, otherwise YAML. */
export async function parseDocument(source: SourceFile, limits?: DocumentLimits): Promise<ParsedDocument> {
  if (source.name.toLowerCase().endsWith('.json')) {
    const { parseJsonWithPlaces } = await import('../data/json/parse-json-with-places.js');
    return parseJsonWithPlaces(source, 'file', limits);
  }
  const { parseYaml } = await import('./source/parse-yaml.js');
  return parseYaml(source, limits);
}
