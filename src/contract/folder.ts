import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';

/** What relative paths start from while a profile's params are checked: a schema cannot know where it is asked. */
let start: string | undefined;

/** Checks params (synchronously) that were written in a file of this folder. */
export function inFolder<R>(folder: string, check: () => R): R {
  const outer = start;
  start = folder;
  try {
    return check();
  } finally {
    start = outer;
  }
}

/** A param that names a file or folder: relative to the profile that says it. Its value is absolute. */
export const filePath = () =>
  z
    .string()
    .min(1)
    .transform((path) => (isAbsolute(path) ? path : resolve(start ?? process.cwd(), path)));
