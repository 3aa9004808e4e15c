import { isAbsolute, relative, resolve, sep } from 'node:path';
import { toAssizeError } from '../../diagnostics/index.js';
import type { ProfileSource } from '../../index.js';
import { openInput } from '../create-job.js';
import { type ByteInput, shownName } from '../input/byte-input.js';
import { type HttpInputOptions, isUrl } from '../input/http-input.js';

/**
 * What of a machine the jobs of a queue may use. Whoever can write to the queue's Redis can ask for any of it, and for
 * nothing else: a profile runs the code of its plugins, so a job names one that is there and never brings its own.
 */
export interface Allowed {
  /** The folder of the profiles; the presets may always be used. */
  readonly profiles: string;
  /** The folder of the inputs, or how their URLs begin. */
  readonly files: string;
}

/**
 * The path of a file from a folder, with slashes: its name for machines that have the folder elsewhere.
 *
 * @throws AssizeError (ASZ584) where it is not in the folder
 */
function nameWithin(folder: string, path: string, option: string): string {
  const name = relative(resolve(folder), resolve(path));
  if (!isOutside(name)) return name.split(sep).join('/');
  const message = `${path} is not in ${folder === '.' ? 'the working directory' : folder}`;
  const hint = `${option} says which folder: all machines name it from there, wherever each has it`;
  throw toAssizeError([{ code: 'ASZ584', message, hint }]);
}

/** The name of a profile for all machines: a preset's, or that of a file from the folder of profiles. */
export const profileName = (profiles: string, profile: string): string =>
  isPreset(profile) ? profile : `./${nameWithin(profiles, profile, '--profiles')}`;

/** The name of an input for all machines: its URL, or that of a file from the folder of inputs. */
export const nameInFiles = (files: string, input: string): string =>
  isUrl(input) ? input : nameWithin(files, input, '--files');

const isPreset = (profile: string): boolean => !/[\\/]/.test(profile) && !/\.(?:ya?ml|json)$/.test(profile);

const isOutside = (name: string): boolean => name === '..' || name.startsWith(`..${sep}`) || isAbsolute(name);

/**
 * Checks that a profile may be used: a preset, or a file of the folder.
 *
 * @throws AssizeError (ASZ584)
 */
export function checkProfile({ profiles }: Allowed, profile: ProfileSource): void {
  const refuse = (message: string): never => {
    const hint = `it takes presets, and profiles in ${profiles}`;
    throw toAssizeError([{ code: 'ASZ584', message: `the worker does not do this job: ${message}`, hint }]);
  };
  if (typeof profile !== 'string') return refuse('it brings its profile with it');
  if (isPreset(profile)) return;
  if (isOutside(relative(resolve(profiles), resolve(profiles, profile)))) refuse(`its profile is ${profile}`);
}

/**
 * Opens an input that may be used: a file of the folder, or one whose URL begins as it must.
 *
 * @param http how it is asked for, where it has a URL
 * @throws AssizeError (ASZ584)
 */
export async function openAllowedInput({ files }: Allowed, name: string, http?: HttpInputOptions): Promise<ByteInput> {
  const path = isUrl(name) ? new URL(name).href : name;
  const allowed = isUrl(files)
    ? isUrl(name) && path.startsWith(new URL(files.endsWith('/') ? files : `${files}/`).href)
    : !isUrl(name) && !isOutside(relative(resolve(files), resolve(files, name)));
  if (allowed) return openInput(path, isUrl(files) ? undefined : files, http);
  const message = `${shownName(name)} is not in ${files}`;
  throw toAssizeError([{ code: 'ASZ584', message, hint: '--files says which folder, or how URLs begin' }]);
}
