import * as z from 'zod';
import { outside } from './outside.js';

/** Makes a path among params absolute. */
export type FilePaths = (path: string) => string;

/** Set while the params of a profile are checked: a schema does not know which profile it parses. */
let absolutePath: FilePaths = (path) => path;

/** Runs a synchronous check of params in which `filePath` makes paths absolute by `paths`. */
export function withFilePaths<R>(paths: FilePaths, check: () => R): R {
  const outer = absolutePath;
  absolutePath = paths;
  try {
    return check();
  } finally {
    absolutePath = outer;
  }
}

/**
 * A param that names a file or folder, relative to the profile's file. In a profile its value is absolute; a schema that
 * is used outside of one leaves it as it is.
 */
export const filePath = () => outside('file', z.string().min(1)).transform((path) => absolutePath(path));
