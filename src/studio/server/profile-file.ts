import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isProfilePath } from '../../profile/source/references.js';

/** The file of a profile, as it is named on the command line; undefined of a preset. */
export const profileFile = (name: string): string | undefined => (isProfilePath(name) ? resolve(name) : undefined);

/** What a file says; undefined where it is not there, or cannot be read. */
export const textOf = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined);

/** The version of a text: a short digest, equal for equal texts. */
export const versionOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** The version of several files together, by their texts. */
export const filesVersionOf = (texts: readonly (string | undefined)[]): string =>
  versionOf(JSON.stringify(texts.map((text) => text ?? null)));
