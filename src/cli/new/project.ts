import { readdir } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { AssizeError } from '../../base/index.js';
import { renderTemplate, type TemplateFiles, writeNewFiles } from './template.js';
import { type TemplateNames, templateNames } from './template-names.js';

/** The scorer of a new project. The texts of `config/templates/project` name its file. */
const SCORER = templateNames('scorer', 'reviews');

/**
 * Writes a folder with a profile, candidates, a scorer of its own, tests and a CI step.
 *
 * @returns the paths of its files, relative to `from`
 * @throws AssizeError (ASZ604) if the folder exists and is not empty
 */
export async function writeProject(
  names: TemplateNames,
  typed: boolean,
  folder: string,
  from: string,
): Promise<readonly string[]> {
  await checkEmpty(resolve(from, folder), relative(from, resolve(from, folder)));
  return writeNewFiles(typed ? await typedFiles(names) : await plainFiles(names), folder, from);
}

async function plainFiles(names: TemplateNames): Promise<TemplateFiles> {
  // npm leaves a .gitignore out of a package.
  const { gitignore = '', ...project } = await renderTemplate('project', 'project', names);
  return { '.gitignore': gitignore, ...(await renderTemplate('scorer', 'scorer', SCORER)), ...project };
}

async function typedFiles(names: TemplateNames): Promise<TemplateFiles> {
  const { [`${SCORER.file}.js`]: _, [`${SCORER.file}-test.js`]: __, ...files } = await plainFiles(names);
  const renamed = Object.entries(files).map(([path, text]) => [typedNames(path), typedNames(text)] as const);
  return {
    ...Object.fromEntries(renamed),
    ...(await renderTemplate('scorer', 'scorer-ts', SCORER)),
    ...(await renderTemplate('project', 'project-ts', names)),
  };
}

/** The program of the test is both JavaScript and TypeScript. */
const typedNames = (text: string): string =>
  text.replace(/\b(ranking-test|reviews-scorer)\.js/g, '$1.ts').replace('// @ts-check\n', '');

async function checkEmpty(folder: string, shown: string): Promise<void> {
  const existing = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') return ['a file'];
    throw error;
  });
  if (existing.length === 0) return;
  const message = `${shown === '' ? 'this folder' : shown} already exists and is not empty`;
  const hint = 'nothing was written: choose another name, or another folder with --folder';
  throw new AssizeError([{ code: 'ASZ604', message, hint }]);
}
