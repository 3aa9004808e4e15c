import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../profile/presets.js';
import { versionOf } from '../version.js';
import type { Kind, Names } from './names.js';

/** What is written: texts by file name. */
export type Files = Readonly<Record<string, string>>;

/** The files of a template, `config/templates/KIND`, with the name that is asked for in place of theirs. */
export async function filesOf(kind: Kind, names: Names): Promise<Files> {
  const folder = join(packageRoot(), 'config', 'templates', kind);
  const className = `Name${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  const named = (text: string): string =>
    text
      .replaceAll(className, names.class)
      .replaceAll(`name-${kind}`, names.file)
      .replace('"assize": "*"', `"assize": "^${versionOf()}"`);
  const files = await Promise.all(
    (await readdir(folder)).toSorted().map(async (file): Promise<[string, string]> => {
      return [named(file), named(await readFile(join(folder, file), 'utf8'))];
    }),
  );
  return Object.fromEntries(files);
}
