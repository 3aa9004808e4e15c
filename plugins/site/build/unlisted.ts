import { posix } from 'node:path';
import type { PageGroup, PageSpec, SiteSection } from './page.js';
import { parseSource } from './source.js';

/** A page of Markdown of the repository. */
export interface Listed {
  readonly path: string;
  readonly text: string;
}

/** Where a page goes that the table does not name: the folder of a section, and a group in it. */
const PLACES: readonly (readonly [start: string, section: string, group: string])[] = [
  ['config/howto/', 'guide', 'More guides'],
  ['config/examples/', 'guide', 'Examples'],
  ['config/skills/', 'guide', 'Skills for coding agents'],
  ['config/concepts/', 'concepts', 'More concepts'],
  ['plugins/@assize/', 'reference', 'Packages'],
  ['plugins/create-assize/', 'reference', 'Packages'],
  ['plugins/', 'systems', 'More about these systems'],
  ['', 'contribute', 'Folders of code'],
];

/** The last folder and the name of a file: `config/skills/x/SKILL.md` is `x`, `config/howto/x.md` is `x`. */
function routeOf(path: string): string {
  const name = posix.basename(path, '.md');
  const folder = posix.dirname(path);
  if (name !== 'README' && name !== 'SKILL')
    return path.startsWith('plugins/') ? `${posix.basename(folder)}-${name}` : name;
  const inside = folder.replace(/^(?:config\/\w+|plugins|src)\/|@/g, '');
  return inside.replaceAll('/', '-');
}

/** Appends pages to a group of a section, which is created if it does not exist. */
function append(sections: readonly SiteSection[], folder: string, title: string, pages: readonly PageSpec[]) {
  return sections.map((section): SiteSection => {
    if (section.folder !== folder || pages.length === 0) return section;
    const exists = section.groups.some((group) => group.title === title);
    const groups: readonly PageGroup[] = exists
      ? section.groups.map((group) => (group.title === title ? { ...group, pages: [...group.pages, ...pages] } : group))
      : [...section.groups, { title, pages }];
    return { ...section, groups };
  });
}

/** The files that pages show or replace, at least in part. */
const shownBy = (sections: readonly SiteSection[]): ReadonlySet<string> =>
  new Set(
    sections.flatMap(({ groups }) =>
      groups.flatMap(({ pages }) =>
        pages.flatMap(({ parts, replaces = [] }) => [...parts, ...replaces].map((part) => part.split('#')[0] ?? '')),
      ),
    ),
  );

/**
 * Appends each page that the table does not name to a section, by its own title, so that a new page needs no entry in
 * the table.
 */
export function withUnlisted(sections: readonly SiteSection[], pages: readonly Listed[]): readonly SiteSection[] {
  const shown = shownBy(sections);
  return pages
    .filter(({ path }) => !shown.has(path))
    .reduce((all, { path, text }) => {
      const place = PLACES.find(([start]) => path.startsWith(start));
      if (place === undefined) return all;
      const [, folder, group] = place;
      const spec: PageSpec = {
        route: `${folder}/${routeOf(path)}`,
        title: parseSource(path, text).title,
        parts: [path],
      };
      return append(all, folder, group, [spec]);
    }, sections);
}

/** Sections of a README for people who change the code. */
const FOR_CONTRIBUTORS =
  /^(?:In this folder|Files$|The folder, in|For contributors|Add(?:ing)? an? |A new code|Change it|Text for terminals)/;

/** A page for the contributors' sections of each README that a section for users shows, and the files that these show. */
export function contributorPages(
  sections: readonly SiteSection[],
  pages: readonly Listed[],
): { readonly sections: readonly SiteSection[]; readonly files: ReadonlyMap<string, string> } {
  const users = shownBy(sections.filter(({ folder }) => folder !== 'contribute'));
  const files = new Map<string, string>();
  const specs = pages.flatMap(({ path, text }): readonly PageSpec[] => {
    if (!users.has(path) || !path.endsWith('/README.md')) return [];
    const own = parseSource(path, text).sections.filter(({ name }) => FOR_CONTRIBUTORS.test(name));
    if (own.length === 0) return [];
    const folder = posix.dirname(path);
    const file = `@contribute/${folder}.md`;
    files.set(file, `# ${folder}\n\nFor people who change the code in \`${folder}\`.\n`);
    return [
      {
        route: `contribute/${folder.replaceAll('@', '')}`,
        title: folder.replace(/^src\/|^plugins\//, ''),
        parts: [file, ...own.map(({ name }) => `${path}#${name}`)],
      },
    ];
  });
  return { sections: append(sections, 'contribute', 'Folders of code', specs), files };
}
