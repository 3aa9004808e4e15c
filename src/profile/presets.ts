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

/** The file of a preset. The name is not checked: it must be one of `presetNames`. */
export const presetFile = (name: string): string => join(presetFolder(), `${name}.yaml`);
