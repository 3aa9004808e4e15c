import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../profile/presets.js';
import { packageVersion } from '../package-version.js';
import type { TemplateKind, TemplateNames } from './template-names.js';

/** What is written: texts by file name. */
export type TemplateFiles = Readonly<Record<string, string>>;

/** The files of a template, `config/templates/KIND`, with the name that is asked for in place of theirs. */
export async function renderTemplate(kind: TemplateKind, names: TemplateNames): Promise<TemplateFiles> {
  const folder = join(packageRoot(), 'config', 'templates', kind);
  const className = `Name${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  const named = (text: string): string =>
    text
      .replaceAll(className, names.class)
      .replaceAll(`name-${kind}`, names.file)
      .replace('"assize": "*"', `"assize": "^${packageVersion()}"`);
  const files = await Promise.all(
    (await readdir(folder)).toSorted().map(async (file): Promise<[string, string]> => {
      return [named(file), named(await readFile(join(folder, file), 'utf8'))];
    }),
  );
  return Object.fromEntries(files);
}
