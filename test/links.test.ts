import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  anchorsOf,
  codePathsOf,
  documents,
  filesListedIn,
  linksOf,
  readmesOfCode,
  root,
} from './reference/documents.js';

/** The target file of a link, from the folder of package.json. */
const targetOf = (from: string, file: string): string => (file === '' ? from : posix.join(posix.dirname(from), file));

/** Whether a link leads to an existing file and heading. */
function leadsSomewhere(from: string, file: string, anchor: string): boolean {
  const target = targetOf(from, file);
  if (!existsSync(root + target)) return false;
  return anchor === '' || anchorsOf(readFileSync(root + target, 'utf8')).includes(anchor);
}

describe.each(documents.map(({ path, text }) => [path, text] as const))('%s', (path, text) => {
  test('links to existing files and headings', () => {
    const dead = linksOf(text).filter(({ file, anchor }) => !leadsSomewhere(path, file, anchor));
    expect(dead).toEqual([]);
  });

  test('names existing files and folders', () => {
    expect(codePathsOf(text).filter((name) => !existsSync(root + name))).toEqual([]);
  });
});

describe.each(readmesOfCode)('%s', (path) => {
  test('lists files and folders that exist in its folder', () => {
    const folder = posix.dirname(path);
    const inside = readdirSync(root + folder, { recursive: true, encoding: 'utf8' }).map(
      (name) => `/${name.replaceAll('\\', '/')}`,
    );
    const exists = (name: string): boolean =>
      existsSync(root + name) || inside.some((file) => file.endsWith(`/${name.replace(/\/$/, '')}`));
    expect(filesListedIn(path).filter((name) => !exists(name))).toEqual([]);
  });
});

test('README.md links to every other document for users', () => {
  const linked = linksOf(documents[0]?.text ?? '').map(({ file }) => file);
  const paths = documents.filter(({ tested }) => tested).map(({ path }) => path);
  expect(linked).toEqual(expect.arrayContaining(paths.filter((path) => path !== 'README.md')));
});

/** The paths of the files that a package publishes, from the folder of package.json of the core. */
function publishedBy(folder: string): readonly string[] {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: posix.join(root, folder),
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const [tarball] = JSON.parse(stdout) as [{ readonly files: readonly { readonly path: string }[] }];
  return tarball.files.map(({ path }) => posix.join(folder, path));
}

test('the packages contain every document, and every target of its links', () => {
  const around = readdirSync(`${root}plugins/@assize`).map((name) => `plugins/@assize/${name}`);
  const published = new Set(['.', ...around].flatMap(publishedBy));
  const linked = documents.flatMap(({ path, text }) => linksOf(text).map(({ file }) => targetOf(path, file)));
  const wanted = new Set([...documents.map(({ path }) => path), ...linked]);
  expect([...wanted].filter((path) => !published.has(path))).toEqual([]);
});
