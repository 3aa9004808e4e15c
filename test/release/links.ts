import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { anchorsOf, linksOf } from '../reference/documents.js';

/** A package's files, and a folder that has them. */
interface Published {
  readonly name: string;
  readonly folder: string;
  /** From the folder, with slashes. */
  readonly files: readonly string[];
}

/** A page of another package, as a README names it: `assize/config/concepts/rankings.md`. */
const NAMED_PAGE = /`((?:@assize\/)?[\w-]+)\/([\w./-]+\.(?:md|yaml))`/g;

/**
 * The links in the pages of packages that end nowhere for a user who has only the published files: a link must lead to a
 * file of the same package, and a page that is named by its path in `node_modules` must exist there.
 */
export function deadLinks(packages: readonly Published[]): readonly string[] {
  const published = new Map(packages.map(({ name, files }) => [name, new Set(files)]));
  return packages.flatMap(({ name, folder, files }) => {
    const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
    const exists = (target: string, anchor: string): boolean =>
      files.includes(target) && (anchor === '' || anchorsOf(read(target)).includes(anchor));
    return files
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) => {
        const text = read(path);
        const dead = linksOf(text).flatMap(({ file, anchor }) => {
          const target = file === '' ? path : posix.join(posix.dirname(path), file);
          return exists(target, anchor) ? [] : [`${name}/${path}: ${file}${anchor && `#${anchor}`}`];
        });
        const unknown = [...text.matchAll(NAMED_PAGE)].flatMap(([, other = '', page = '']) =>
          published.get(other)?.has(page) === false ? [`${name}/${path}: ${other}/${page}`] : [],
        );
        return [...dead, ...unknown];
      });
  });
}
