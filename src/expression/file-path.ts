import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';

/** Finds the folder that a relative path among params starts from. */
export type BaseFolderOf = (path: string) => string;

/** Set while the params of a profile are checked: a schema does not know which profile it parses. */
let baseFolderOf: BaseFolderOf = () => process.cwd();

/** Runs a synchronous check of params in which `filePath` resolves relative paths by `folders`. */
export function withBaseFolder<R>(folders: BaseFolderOf, check: () => R): R {
  const outer = baseFolderOf;
  baseFolderOf = folders;
  try {
    return check();
  } finally {
    baseFolderOf = outer;
  }
}

/** A param that names a file or folder, relative to the profile's file. Its value is absolute. */
export const filePath = () =>
  z
    .string()
    .min(1)
    .transform((path) => (isAbsolute(path) ? path : resolve(baseFolderOf(path), path)));
