import { SourceFile } from '../diagnostics/index.js';

/** The texts of the profiles that ship, by name. Loaded with the first preset that is named. */
const texts = async (): Promise<Readonly<Record<string, string>>> => (await import('./preset-texts.js')).PRESET_TEXTS;

/** The names of the profiles that ship. */
export const presetNames = async (): Promise<readonly string[]> => Object.keys(await texts());

/**
 * The text of a preset. It is part of the code, so that a bundle has it wherever it runs; problems name the file of the
 * package that it was made from.
 *
 * @returns undefined where there is no preset of that name
 */
export async function presetSource(name: string): Promise<SourceFile | undefined> {
  const all = await texts();
  const text = Object.hasOwn(all, name) ? all[name] : undefined;
  return text === undefined ? undefined : new SourceFile(`${PRESET_FOLDER}${name}.yaml`, text);
}

/** What problems name before a preset's file: the package, and the folder in it. */
export const PRESET_FOLDER = 'assize/config/presets/';
