import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { packageRoot } from '../../src/base/package-root.js';

export const root = `${packageRoot()}/`;

/** A page of Markdown for users of the package. */
export interface Document {
  /** From the folder of package.json, with slashes. */
  readonly path: string;
  readonly text: string;
  /** Whether test/readme.test.ts runs its commands and programs. */
  readonly tested: boolean;
}

const read = (path: string): string => readFileSync(root + path, 'utf8');

/** The pages of the plugins in a folder: each README, then the pages next to it, in order. */
const pagesOfPlugins = (folder: string): readonly string[] =>
  readdirSync(root + folder)
    .toSorted()
    .filter((name) => existsSync(`${root}${folder}/${name}/README.md`))
    .flatMap((name) => {
      const pages = readdirSync(`${root}${folder}/${name}`).filter((file) => file.endsWith('.md'));
      return pages.toSorted().map((file) => `${folder}/${name}/${file}`);
    });

/** The READMEs in a folder at any depth, in order, without those of installed packages. */
const readmesBelow = (folder: string): readonly string[] =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('/README.md') && !path.includes('/node_modules/'))
    .toSorted();

/** The READMEs of the packages around the core. */
const readmesOfPackages = readmesBelow('plugins/@assize');

/** The READMEs of folders of code, at any depth. */
export const readmesOfCode: readonly string[] = [...readmesBelow('src'), ...readmesOfPackages];

const OVERVIEW = 'src/README.md';

const pagesIn = (folder: string): readonly string[] =>
  readdirSync(root + folder)
    .toSorted()
    .map((name) => `${folder}/${name}`);

/** The instructions for agents that write code. */
const skills = pagesIn('config/skills').map((folder) => `${folder}/SKILL.md`);

/** The READMEs of the examples, which have their own test. */
const examples = pagesIn('config/examples').map((folder) => `${folder}/README.md`);

const pagesOfBench = ['test/bench/BENCHMARKS.md', 'test/bench/QUALITY.md'];

/** README.md, and every page that is published beside it or in another package. */
export const documents: readonly Document[] = [
  ...[
    'README.md',
    ...readmesOfCode.filter((path) => path !== OVERVIEW),
    ...pagesIn('config/concepts'),
    ...pagesIn('config/howto'),
    ...skills,
    ...pagesOfPlugins('plugins'),
  ].map((path) => ({ path, text: read(path), tested: true })),
  ...['CHANGELOG.md', OVERVIEW, ...pagesOfBench, ...examples].map((path) => ({
    path,
    text: read(path),
    tested: false,
  })),
];

const BLOCK = /^```(\w*) ?(\S*)\n([\s\S]*?)^```$/gm;

/** A block of code: its language and, after a space, the name of its file. */
export interface Block {
  readonly language: string;
  readonly file: string | undefined;
  readonly text: string;
}

export const blocksOf = (markdown: string): readonly Block[] =>
  [...markdown.matchAll(BLOCK)].map(([, language = '', file = '', text = '']) => ({
    language,
    file: file || undefined,
    text,
  }));

/** A page with each block replaced by the result of `replace`. */
export const replaceBlocks = (markdown: string, replace: (block: string, parts: Block) => string): string =>
  markdown.replace(BLOCK, (block, language: string, file: string, text: string) =>
    replace(block, { language, file: file || undefined, text }),
  );

/** The text without its blocks of code. */
const proseOf = (markdown: string): string => markdown.replace(BLOCK, '');

/** The targets of a page's links, except on the web: a path from its own folder, an anchor, or both. */
export const linksOf = (markdown: string): readonly { readonly file: string; readonly anchor: string }[] =>
  [...proseOf(markdown).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([, file = '', anchor = '']) => ({
    file,
    anchor,
  }));

/** The anchors of a page's headings, as GitHub and npm create them. */
export const anchorsOf = (markdown: string): readonly string[] =>
  [...proseOf(markdown).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );

/** The files and folders that the README of a folder lists: the names in backticks under the heading of its list. */
export function filesListedIn(path: string): readonly string[] {
  const section =
    /^## (?:In this folder|Files|The folder, in reading order)\n([^]*?)(?=^## |$(?![^]))/m.exec(read(path))?.[1] ?? '';
  return [...section.matchAll(/`([\w./-]+(?:\.tsx?|\/))`/g)].map(([, name = '']) => name);
}

/** The paths of code that a page names in backticks: `src/engine/run.ts`, or a folder, which ends in a slash. */
export const codePathsOf = (markdown: string): readonly string[] =>
  [...proseOf(markdown).matchAll(/`((?:src|test|config|plugins)\/[\w./-]*(?:\/|\.\w+))`/g)].map(
    ([, path = '']) => path,
  );
