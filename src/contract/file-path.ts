import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';

/** Where a relative path starts that stands among params. */
export type BaseFolderOf = (path: string) => string;

/** The one that holds while a profile's params are checked: a schema cannot know where it is asked. */
let baseFolderOf: BaseFolderOf = () => process.cwd();

/** Checks params (synchronously), whose relative paths start where `folders` says. */
export function withBaseFolder<R>(folders: BaseFolderOf, check: () => R): R {
  const outer = baseFolderOf;
  baseFolderOf = folders;
  try {
    return check();
  } finally {
    baseFolderOf = outer;
  }
}

/** A param that names a file or folder: relative to the profile that says it. Its value is absolute. */
export const filePath = () =>
  z
    .string()
    .min(1)
    .transform((path) => (isAbsolute(path) ? path : resolve(baseFolderOf(path), path)));
