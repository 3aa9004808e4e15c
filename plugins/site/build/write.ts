import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page, PageGroup, SiteSection } from './page.js';
import { generatedFolder, type Site } from './site.js';

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const linkTo = (route: string): string => `/${route.replace(/(^|\/)index$/, '$1')}`;

interface SidebarGroup {
  readonly text: string;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

const groupOf = ({ title, pages }: PageGroup): SidebarGroup => ({
  text: title,
  items: pages.map((page) => ({ text: page.title, link: linkTo(page.route) })),
});

/** Groups with a sidebar of their own, as one group: a link to the first page of each. */
function linksTo(title: string, groups: readonly PageGroup[]): readonly SidebarGroup[] {
  const items = groups.map((group) => ({ text: group.title, link: linkTo(group.pages[0]?.route ?? '') }));
  return items.length === 0 ? [] : [{ text: title, items }];
}

/** The sidebars of a section by folder. A page is found in the sidebar of the deepest folder that has it. */
function sidebarsOf({ folder, title, groups }: SiteSection): readonly (readonly [string, readonly SidebarGroup[]])[] {
  const apart = groups.filter((group) => group.apart !== undefined);
  const own = groups.filter((group) => group.apart === undefined).map(groupOf);
  const top = linkTo(groups[0]?.pages[0]?.route ?? '');
  const back: SidebarGroup = { text: title, items: [{ text: `All of ${title}`, link: top }] };
  return [
    [`/${folder}/`, [...own, ...linksTo('More', apart)]],
    ...apart.map((group) => [`/${folder}/${group.apart}/`, [back, groupOf(group)]] as const),
  ];
}

/** The navigation as VitePress reads it. */
function navigation(sections: readonly SiteSection[]): object {
  return {
    nav: sections.map(({ title, folder, groups }) => ({
      text: title,
      link: linkTo(groups[0]?.pages[0]?.route ?? ''),
      activeMatch: `/${folder}/`,
    })),
    sidebar: Object.fromEntries(sections.flatMap(sidebarsOf)),
  };
}

/** The home page: its first paragraph as the tagline, and then the rest of it. */
function homePage({ text, description }: Page, sections: readonly SiteSection[]): string {
  const features = sections.map(({ title, folder, groups }) => {
    const names = groups.slice(0, 4).map((group) => group.title);
    return { title, details: `${names.join(', ')}.`, link: linkTo(groups[0]?.pages[0]?.route ?? folder) };
  });
  const frontmatter = {
    layout: 'home',
    hero: {
      name: 'Assize',
      tagline: description,
      actions: [
        { theme: 'brand', text: 'Write a profile', link: '/guide/first-profile' },
        { theme: 'alt', text: 'Open the playground', link: '/playground' },
        { theme: 'alt', text: 'Install', link: '/guide/install' },
      ],
    },
    features,
  };
  return `---\n${JSON.stringify(frontmatter)}\n---\n\n${text.replace(/^# .*\n+[^]*?\n\n/, '')}`;
}

/** Writes what VitePress reads: the pages and the navigation. */
export function writePages({ pages, sections }: Site): void {
  for (const page of pages.values()) {
    const text = page.route === 'index' ? homePage(page, sections) : withDescription(page);
    write(join(generatedFolder, 'pages', `${page.route}.md`), text);
  }
  write(join(generatedFolder, 'pages/playground.md'), PLAYGROUND);
  write(join(generatedFolder, 'navigation.json'), JSON.stringify(navigation(sections)));
}

/** The page of the playground: its layout is a component of the theme. */
const PLAYGROUND = `---\n${JSON.stringify({ layout: 'playground', title: 'Playground', description: 'Write a profile and rank candidates in this page.' })}\n---\n`;

const withDescription = ({ text, description }: Page): string =>
  description === '' ? text : `---\n${JSON.stringify({ description })}\n---\n\n${text}`;

/** A line of llms.txt. */
const listed = ({ route, title, description }: Page): string =>
  `- [${title}](${route}.md)${description === '' ? '' : `: ${description}`}`;

/** Pages of the API are named by their entry point: several have a member of the same name. */
const isApi = ({ route }: Page): boolean => route.startsWith('reference/api/');

/**
 * Writes a Markdown twin of each page beside it, `llms.txt`, which lists them, and `llms-full.txt`, which has the text of
 * all but the TypeScript API.
 */
export function writeTwins({ pages, sections }: Site, output: string): void {
  for (const { route, text } of pages.values()) write(join(output, `${route}.md`), text);
  const home = pages.get('index');
  const pagesIn = ({ groups }: SiteSection): readonly Page[] =>
    groups.flatMap((group) => group.pages.flatMap(({ route }) => pages.get(route) ?? []));
  const lists = sections.map((section) => {
    const own = pagesIn(section).filter((page) => !isApi(page) || page.route.endsWith('/index'));
    return `## ${section.title}\n\n${own.map(listed).join('\n')}\n`;
  });
  const start = `# Assize\n\n> ${home?.description}\n\nEach page is also Markdown: replace .html by .md in its address. llms-full.txt has the pages in one file, without the TypeScript API.\n`;
  write(join(output, 'llms.txt'), `${start}\n${lists.join('\n')}`);
  const full = [home, ...sections.flatMap(pagesIn)].filter((page) => page !== undefined && !isApi(page));
  const texts = full.map((page) => `<!-- ${page?.route}.md -->\n\n${page?.text}`);
  write(join(output, 'llms-full.txt'), texts.join('\n'));
}
