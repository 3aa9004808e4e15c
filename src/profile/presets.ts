import { SourceFile } from '../base/index.js';

/** The texts of the shipped profiles, by name. Loaded lazily: most programs use no preset. */
const texts = async (): Promise<Readonly<Record<string, string>>> => (await import('./preset-texts.js')).PRESET_TEXTS;

/** The names of the shipped profiles. */
export const presetNames = async (): Promise<readonly string[]> => Object.keys(await texts());

/**
 * The text of a preset. It is compiled into the code, so bundles work without files. Problems show the file in the
 * package that the text was generated from.
 *
 * @returns undefined if no preset has this name
 */
export async function presetSource(name: string): Promise<SourceFile | undefined> {
  const all = await texts();
  const text = Object.hasOwn(all, name) ? all[name] : undefined;
  return text === undefined ? undefined : new SourceFile(`${PRESET_FOLDER}${name}.yaml`, text);
}

/** The prefix of a preset's file name in problems. */
export const PRESET_FOLDER = 'assize/config/presets/';
