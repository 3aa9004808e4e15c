import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
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
import { deadLinks } from './release/links.js';
import { temporaryFolder } from './temporary-folder.js';
import { workspace } from './workspace.js';

/** The target file of a link, from the folder of package.json. */
const targetOf = (from: string, file: string): string => (file === '' ? from : posix.join(posix.dirname(from), file));

/** Pages that list others: those for users, and those for contributors. */
const OVERVIEWS: readonly string[] = ['config/concepts/README.md', 'config/howto/README.md', 'src/README.md'];

/** The README that must link to a page: that of its folder, or of its package. */
function frontPageOf(path: string): string {
  const beside = posix.join(posix.dirname(path), 'README.md');
  if (beside !== path && existsSync(root + beside)) return beside;
  const folder = workspace.findLast((one) => path.startsWith(`${one.folder}/`))?.folder ?? '.';
  return posix.join(folder, 'README.md');
}

/** The files that a page links to. */
const targetsOf = (path: string): readonly string[] =>
  linksOf(readFileSync(root + path, 'utf8')).map(({ file }) => targetOf(path, file));

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

const fronts = [...new Set(documents.map(({ path }) => frontPageOf(path)))];

describe.each(fronts)('%s', (path) => {
  test('links to the pages next to it and to those of its package, or to an overview that does', () => {
    const direct = targetsOf(path);
    const linked = [...direct, ...direct.filter((page) => OVERVIEWS.includes(page)).flatMap(targetsOf)];
    const paths = documents.filter((one) => one.tested && frontPageOf(one.path) === path).map((one) => one.path);
    expect(linked).toEqual(expect.arrayContaining(paths.filter((other) => other !== path)));
  });
});

test('README.md names every package', () => {
  const names = workspace.map(({ name }) => `\`${name}\``);
  expect(names.filter((name) => !documents[0]?.text.includes(name))).toEqual([]);
});

/** The paths of the files that a package publishes, from its folder. */
function publishedBy(folder: string): readonly string[] {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const [tarball] = JSON.parse(stdout) as [{ readonly files: readonly { readonly path: string }[] }];
  return tarball.files.map(({ path }) => path);
}

describe('the published packages', () => {
  const packages = workspace.map(({ name, folder: path }) => {
    const folder = posix.join(root, path);
    return { name, path, folder, files: publishedBy(folder) };
  });

  test('contain every document', () => {
    const published = new Set(packages.flatMap(({ path, files }) => files.map((file) => posix.join(path, file))));
    expect(documents.map(({ path }) => path).filter((path) => !published.has(path))).toEqual([]);
  });

  test('contain the target of each link of their own pages', () => {
    expect(deadLinks(packages)).toEqual([]);
  });
});

test('a link to a file, a heading or a page that is not in the tarball is dead', () => {
  const folder = temporaryFolder('assize-links-');
  writeFileSync(join(folder, 'other.md'), '# A heading\n');
  writeFileSync(
    join(folder, 'README.md'),
    '[a](other.md#a-heading) [b](other.md#none) [c](../README.md) [d](https://host/x.md) `one/other.md` `one/none.md`\n',
  );
  expect(deadLinks([{ name: 'one', folder, files: ['README.md', 'other.md'] }])).toEqual([
    'one/README.md: other.md#none',
    'one/README.md: ../README.md',
    'one/README.md: one/none.md',
  ]);
});
