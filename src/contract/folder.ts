import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';

/** Where a relative path starts that stands among params. */
export type FolderOf = (path: string) => string;

/** The one that holds while a profile's params are checked: a schema cannot know where it is asked. */
let folderOf: FolderOf = () => process.cwd();

/** Checks params (synchronously), whose relative paths start where `folders` says. */
export function inFolder<R>(folders: FolderOf, check: () => R): R {
  const outer = folderOf;
  folderOf = folders;
  try {
    return check();
  } finally {
    folderOf = outer;
  }
}

/** A param that names a file or folder: relative to the profile that says it. Its value is absolute. */
export const filePath = () =>
  z
    .string()
    .min(1)
    .transform((path) => (isAbsolute(path) ? path : resolve(folderOf(path), path)));
