import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** Whether a reference to a profile is a path: it has a slash, consists of dots, or ends as a profile's file does. */
export const isProfilePath = (ref: string): boolean => /[\\/]|^\.+$|\.(ya?ml|json)$/.test(ref);

/** The path of a profile in a folder whose name lacks only the ending, or a slash, that would make it a path. */
export function siblingProfilePath(name: string, folder: string): string | undefined {
  const file = ['.yaml', '.yml', '.json', '']
    .map((ending) => name + ending)
    .find((one) => existsSync(join(folder, one)));
  return name === '' || file === undefined ? undefined : `./${file}`;
}

/** Whether a line of `plugins` names a file, and no package. */
export const isFileSpec = (spec: string): boolean =>
  /^\.{1,2}[\\/]/.test(spec) || isAbsolute(spec) || /\.[cm]?[jt]s$/.test(spec);
