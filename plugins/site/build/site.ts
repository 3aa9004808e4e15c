import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { packageRoot } from '../../../src/base/package-root.js';
import { documents } from '../../../test/reference/documents.js';
import { home, reference, sections } from '../pages.js';
import { Composer } from './compose.js';
import type { Generated } from './generated.js';
import type { Page, PageGroup, SiteSection } from './page.js';
import { apiPages } from './reference/api.js';
import { codePages } from './reference/codes.js';
import { commandPages } from './reference/commands.js';
import { keyPages } from './reference/profile-keys.js';
import { unitPages } from './reference/units.js';
import { contributorPages, type Listed, withUnlisted } from './unlisted.js';

export const root = packageRoot();
export const folder = join(root, 'plugins/site');
/** Everything that the build writes before VitePress runs. */
export const generatedFolder = join(folder, '.generated');

/** The site before it is rendered. */
export interface Site {
  readonly sections: readonly SiteSection[];
  /** All pages by their route; the home page is `index`. */
  readonly pages: ReadonlyMap<string, Page>;
}

/** Puts the pages of a section below its folder. */
const inFolder = ({ title, folder: at, groups }: SiteSection): SiteSection => ({
  title,
  folder: at,
  groups: groups.map((group) => ({
    ...group,
    pages: group.pages.map((page) => ({ ...page, route: `${at}/${page.route}` })),
  })),
});

/** The reference: what is generated from code, and sections of READMEs. */
async function referenceOf(): Promise<{ readonly section: SiteSection; readonly files: ReadonlyMap<string, string> }> {
  const { replaced, cli, errors } = reference;
  const built = join(root, 'dist');
  const keys = keyPages(replaced.keys);
  const units = await unitPages(root, built);
  const commands = await commandPages(cli, built);
  const codes = await codePages(errors, replaced.codes);
  const api = apiPages(root, join(generatedFolder, 'typedoc'));
  const written: readonly PageGroup[] = [
    { title: 'Expressions', pages: reference.expressions },
    { title: 'Classes', pages: reference.classes },
  ];
  const packages: readonly PageGroup[] = [{ title: 'Packages', pages: reference.packages }];
  const none = new Map<string, string>();
  const parts: readonly Generated[] = [
    keys,
    { groups: written, files: none },
    units,
    commands,
    codes,
    { groups: packages, files: none },
    api,
  ];
  return {
    section: { title: 'Reference', folder: 'reference', groups: parts.flatMap(({ groups }) => groups) },
    files: new Map(parts.flatMap(({ files }) => [...files])),
  };
}

/** Copies images of pages into the folder that VitePress publishes as it is. */
function imageCopier(): (path: string) => string {
  const copied = new Map<string, string>();
  return (path) => {
    const name = basename(path);
    const before = copied.get(name);
    if (before !== undefined && before !== path)
      throw new Error(`two images have the name ${name}: ${before}, ${path}`);
    copied.set(name, path);
    const target = join(generatedFolder, 'pages/public/images', name);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(root, path), target);
    return `/images/${name}`;
  };
}

/** The pages of skills and examples, each in a folder of its own. */
const inFoldersOf = (path: string, name: string): readonly Listed[] =>
  (existsSync(join(root, path)) ? readdirSync(join(root, path)) : [])
    .toSorted()
    .map((one) => `${path}/${one}/${name}`)
    .filter((file) => existsSync(join(root, file)))
    .map((file) => ({ path: file, text: readFileSync(join(root, file), 'utf8') }));

/** Every page for users. */
function allDocuments(): readonly Listed[] {
  const others = [...inFoldersOf('config/examples', 'README.md'), ...inFoldersOf('config/skills', 'SKILL.md')];
  const known = new Set(documents.map(({ path }) => path));
  return [...documents, ...others.filter(({ path }) => !known.has(path))].filter(({ path }) => path !== 'README.md');
}

/** Composes all pages. */
export async function composeSite(): Promise<Site> {
  const { section, files: generated } = await referenceOf();
  const [guide, concepts, ...others] = sections.map(inFolder);
  const listed = [guide, concepts, inFolder(section), ...others].filter((one) => one !== undefined);
  const written = allDocuments();
  const { sections: all, files: started } = contributorPages(withUnlisted(listed, written), written);
  const files = new Map([...generated, ...started]);
  const specs = [home, ...all.flatMap(({ groups }) => groups.flatMap(({ pages }) => pages))];
  const composer = new Composer({
    read: (path) => {
      if (path.startsWith('@')) return files.get(path);
      const file = join(root, posix.normalize(path));
      if (!existsSync(file)) return undefined;
      return statSync(file).isFile() ? readFileSync(file, 'utf8') : '';
    },
    image: imageCopier(),
  });
  const pages = composer.compose(specs);
  return { sections: all, pages: new Map(pages.map((page) => [page.route, page])) };
}
