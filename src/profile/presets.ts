import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json: the same from the sources and from the build. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

const presetFolder = (): string => join(packageRoot(), 'config', 'presets');

/** The names of the profiles that ship. */
export async function presetNames(): Promise<string[]> {
  const files = await readdir(presetFolder());
  return files.filter((file) => file.endsWith('.yaml')).map((file) => file.slice(0, -'.yaml'.length));
}

/** Where a preset is kept. Its name is checked by whoever asks: it comes from `presetNames`. */
export const presetFile = (name: string): string => join(presetFolder(), `${name}.yaml`);

/** A string with a slash, of dots alone, or ending as a profile's file does, is a path; any other is a preset's name. */
export const isProfilePath = (ref: string): boolean => /[\\/]|^\.+$|\.(ya?ml|json)$/.test(ref);

/** The path of a profile that is in a folder under a name that only its ending, or a slash, would make a path. */
export function siblingProfilePath(name: string, folder: string): string | undefined {
  const file = ['.yaml', '.yml', '.json', '']
    .map((ending) => name + ending)
    .find((one) => existsSync(join(folder, one)));
  return name === '' || file === undefined ? undefined : `./${file}`;
}
