import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../input/package-root.js';

const presetFolder = (): string => join(packageRoot(), 'config', 'presets');

/** The names of the profiles that ship. */
export async function presetNames(): Promise<string[]> {
  const files = await readdir(presetFolder());
  return files.filter((file) => file.endsWith('.yaml')).map((file) => file.slice(0, -'.yaml'.length));
}

/** The file of a preset. The name is not checked: it must be one of `presetNames`. */
export const presetFile = (name: string): string => join(presetFolder(), `${name}.yaml`);
