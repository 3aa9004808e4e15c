import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { AssizeError, type Problem } from '../../base/index.js';
import { packageRoot, packageVersion } from '../../base/node.js';
import type { TemplateKind, TemplateNames } from './template-names.js';

/** The texts of new files by file name. */
export type TemplateFiles = Readonly<Record<string, string>>;

/**
 * Reads the files of a template, with its placeholder names replaced.
 *
 * @param template its folder in `config/templates`: the kind, with `-ts` in TypeScript
 */
export async function renderTemplate(
  kind: TemplateKind,
  template: string,
  names: TemplateNames,
): Promise<TemplateFiles> {
  const folder = join(packageRoot(), 'config', 'templates', template);
  const className = `Name${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  const named = (text: string): string =>
    text
      .replaceAll(className, names.class)
      .replaceAll(`name-${kind}`, names.file)
      .replace('"assize": "*"', `"assize": "^${packageVersion()}"`);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  const files = await Promise.all(
    paths.toSorted().map(async (path): Promise<[string, string]> => {
      return [named(path), named(await readFile(join(folder, path), 'utf8'))];
    }),
  );
  return Object.fromEntries(files);
}

/**
 * Writes new files. If one of them exists already, writes none.
 *
 * @returns their paths, relative to `from`
 * @throws AssizeError (ASZ604) with each file that exists
 */
export async function writeNewFiles(files: TemplateFiles, folder: string, from: string): Promise<readonly string[]> {
  const paths = Object.keys(files).map((name) => resolve(from, folder, name));
  const existing = paths.filter((path) => existsSync(path));
  if (existing.length > 0) {
    throw new AssizeError(
      existing.map((path): Problem => {
        const hint = 'nothing was written: choose another name, or another folder with --folder';
        return { code: 'ASZ604', message: `${relative(from, path)} already exists`, hint };
      }),
    );
  }
  for (const [index, text] of Object.values(files).entries()) {
    const path = paths[index]!;
    // oxlint-disable-next-line no-await-in-loop -- a few small files
    await mkdir(dirname(path), { recursive: true });
    // oxlint-disable-next-line no-await-in-loop
    await writeFile(path, text, { flag: 'wx' });
  }
  return paths.map((path) => relative(from, path));
}
