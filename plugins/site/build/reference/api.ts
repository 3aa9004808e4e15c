import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { workspace } from '../../../../test/workspace.js';
import { type Generated, table } from '../generated.js';
import type { PageGroup, PageSpec } from '../page.js';
import { anchorCounter, type Line, parseSource, slug, type SourceSection } from '../source.js';

/** Declarations of one entry point, and what a program imports it as. */
interface EntryPoint {
  readonly name: string;
  readonly types: string;
}

/** It makes no promises to programs. */
const isPrivate = (name: string): boolean => name === 'assize/internal' || /^@assize\/.*\/verbs$/.test(name);

const entryPoints = (root: string): readonly EntryPoint[] =>
  workspace.flatMap(({ name, folder, manifest }) =>
    Object.entries(manifest.exports).flatMap(([path, target]) =>
      typeof target === 'string' ? [] : [{ name: `${name}${path.slice(1)}`, types: join(root, folder, target.types) }],
    ),
  );

const COMPILER_OPTIONS = {
  target: 'ES2022',
  lib: ['ES2023'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
};

/** The settings of typedoc, which reads the published declarations with a compiler of its own. */
const typedocOptions = (files: readonly string[], folder: string) => ({
  plugin: ['typedoc-plugin-markdown'],
  entryPoints: files,
  tsconfig: join(folder, 'tsconfig.json'),
  out: join(folder, 'markdown'),
  router: 'module',
  readme: 'none',
  logLevel: 'Error',
  excludeExternals: true,
  disableSources: true,
  sort: ['alphabetical'],
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  propertyMembersFormat: 'table',
  enumMembersFormat: 'table',
  tableColumnSettings: { hideInherited: true, hideOverrides: true, hideModifiers: true, hideSources: true },
});

/** The Markdown that typedoc writes for each entry point, by the name of its module. */
function runTypedoc(root: string, folder: string, entries: readonly EntryPoint[]): ReadonlyMap<string, string> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = entries.map(({ types }) => types);
  const tsconfig = { compilerOptions: { ...COMPILER_OPTIONS, typeRoots: [join(root, 'node_modules/@types')] }, files };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  writeFileSync(join(folder, 'typedoc.json'), JSON.stringify(typedocOptions(files, folder)));
  const bin = join(
    dirname(createRequire(join(root, 'plugins/site/package.json')).resolve('typedoc/package.json')),
    'bin/typedoc',
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, '--options', join(folder, 'typedoc.json')], {
    cwd: join(root, 'plugins/site'),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`typedoc failed:\n${stdout}${stderr}`);
  const written = readdirSync(join(folder, 'markdown'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md'));
  return new Map(written.map((path) => [path, readFileSync(join(folder, 'markdown', path), 'utf8')]));
}

/** A part of an entry point's Markdown that becomes a page or a section of one. */
interface Member {
  readonly kind: string;
  readonly name: string;
  readonly lines: readonly Line[];
}

/** The Markdown of an entry point, in members. */
interface EntryText {
  readonly entry: EntryPoint;
  /** Its file in typedoc's output. */
  readonly path: string;
  readonly about: string;
  readonly members: readonly Member[];
}

/** Anchors of properties are HTML, which the pages do not have; links to them lead to the heading above. */
const PROPERTY_ANCHOR = /<a id="([^"]+)"><\/a> ?/g;

/** In lines of Markdown. Each page costs the build and a reader's browser more than its text does. */
const LONGEST_PAGE = 1500;

/** Typedoc lists what an entry point exports from another one as a kind of its own. */
const REFERENCES = 'References';

/** The members of an entry point: each heading of the third level, with its kind, which is the one above. */
function membersOf(sections: readonly SourceSection[]): readonly Member[] {
  const members: { kind: string; name: string; lines: Line[] }[] = [];
  for (const { name: kind, lines } of sections) {
    if (kind === '' || kind === 'Namespaces') continue;
    for (const line of lines) {
      const { heading, text } = line;
      if (heading?.level === 3) members.push({ kind, name: heading.text.replaceAll('\\', ''), lines: [line] });
      else if (heading?.level !== 2 && text !== '***') members.at(-1)?.lines.push(line);
    }
  }
  return members;
}

const textOf = (lines: readonly Line[]): string =>
  lines
    .map(({ text }) => text)
    .join('\n')
    .trim();

/** A file of typedoc by its title, which is the path of the declarations. */
function entryText(
  root: string,
  entries: readonly EntryPoint[],
  path: string,
  markdown: string,
): EntryText | undefined {
  const { title, sections } = parseSource(path, markdown);
  const named = (file: string): string =>
    file
      .slice(root.length)
      .replace(/^[\\/]|(?:\/index)?\.d\.ts$/g, '')
      .replaceAll('\\', '/');
  const entry = entries.find(({ types }) => named(types) === title.replaceAll('\\', ''));
  if (!entry) return undefined;
  return { entry, path, about: textOf(sections[0]?.lines.slice(1) ?? []), members: membersOf(sections) };
}

interface ApiPage extends PageSpec {
  readonly markdown: string;
}

/** Where the headings of typedoc's files are in the site: `path#anchor` to a route with an anchor. */
type Places = Map<string, string>;

/** Members in runs that are about as long as a page, in their order. */
function runsOf(members: readonly Member[]): readonly (readonly Member[])[] {
  const runs: Member[][] = [];
  let size = 0;
  for (const member of members) {
    const last = runs.at(-1);
    if (last && size + member.lines.length <= LONGEST_PAGE) {
      last.push(member);
      size += member.lines.length;
    } else {
      runs.push([member]);
      size = member.lines.length;
    }
  }
  return runs;
}

/** The pages of an entry point. A long one has a page for each kind, or several if the kind is long. */
function pagesOf({ entry, path, about, members }: EntryText, places: Places): readonly ApiPage[] {
  const route = `api/${entry.name.replace('@', '')}`;
  places.set(path, `/reference/${route}/index`);
  const references = members.filter(({ kind }) => kind === REFERENCES);
  const declared = members.filter(({ kind }) => kind !== REFERENCES);
  const total = declared.reduce((sum, { lines }) => sum + lines.length, 0);
  const kinds = [...new Set(declared.map(({ kind }) => kind))];
  const pages: ApiPage[] = [];
  const put = (at: string, title: string, own: readonly Member[], shift: number, start: string, end = ''): void => {
    const anchorOf = anchorCounter();
    const texts = [start];
    if (start !== '') anchorOf(/^# (.*)/.exec(start)?.[1] ?? '');
    for (const { lines } of own) {
      let last = '';
      for (const { text, heading } of lines) {
        if (heading) {
          const level = heading.level + shift;
          const anchor = anchorOf(heading.text);
          last = level === 1 ? '' : `#${anchor}`;
          places.set(`${path}#${heading.anchor}`, `/reference/${at}${last}`);
          texts.push(`${'#'.repeat(Math.min(6, level))} ${heading.text}`);
        } else {
          for (const [, id = ''] of text.matchAll(PROPERTY_ANCHOR))
            places.set(`${path}#${id}`, `/reference/${at}${last}`);
          texts.push(text.replaceAll(PROPERTY_ANCHOR, ''));
        }
      }
    }
    pages.push({ route: at, title, parts: [`@${at}.md`], markdown: [...texts, end].join('\n') });
  };
  const list: string[] = [];
  for (const kind of kinds) {
    const own = declared.filter((one) => one.kind === kind);
    if (total <= LONGEST_PAGE) continue;
    const at = `${route}/${slug(kind)}`;
    const runs = runsOf(own);
    for (const [index, run] of runs.entries()) {
      const names = runs.length === 1 ? '' : `, ${run[0]?.name} to ${run.at(-1)?.name}`;
      const start = `# ${entry.name}: ${kind.toLowerCase()}${names}\n`;
      put(runs.length === 1 ? at : `${at}-${index + 1}`, `${kind}${names}`, run, -1, start);
    }
    const links = own.map(({ name, lines }) => `[\`${name}\`](${places.get(`${path}#${lines[0]?.heading?.anchor}`)})`);
    list.push(`## ${kind}\n\n${links.map((link) => `- ${link}`).join('\n')}\n`);
  }
  const start = `# ${entry.name}\n\n\`\`\`ts\nimport { … } from '${entry.name}';\n\`\`\`\n\n${about}\n`;
  const also = references.map(({ lines }) => `- ${/\[.*\]\(.*\)/.exec(textOf(lines))?.[0]}`);
  const last = also.length === 0 ? '' : `\n## Names from other entry points\n\n${also.join('\n')}\n`;
  if (total <= LONGEST_PAGE) put(`${route}/index`, entry.name, declared, -1, start, last);
  else
    pages.unshift({
      route: `${route}/index`,
      title: entry.name,
      parts: [`@${route}/index.md`],
      markdown: `${start}\n${list.join('\n')}${last}`,
    });
  return pages;
}

/**
 * The pages of the TypeScript API.
 *
 * @param folder where typedoc writes its files
 */
export function apiPages(root: string, folder: string): Generated {
  const entries = entryPoints(root).filter(({ name }) => !isPrivate(name));
  const places: Places = new Map();
  const written = [...runTypedoc(root, folder, entries)];
  const texts = written.flatMap(([path, markdown]) => entryText(root, entries, path, markdown) ?? []);
  const missing = entries.filter((entry) => !texts.some((one) => one.entry === entry));
  if (missing.length > 0) throw new Error(`typedoc wrote no page for ${missing.map(({ name }) => name).join(', ')}`);
  const sorted = texts.toSorted((a, b) => entries.indexOf(a.entry) - entries.indexOf(b.entry));
  const pages = sorted.map((one) => [one, pagesOf(one, places)] as const);
  const files = new Map<string, string>();
  for (const [{ path }, own] of pages) {
    for (const { parts, markdown } of own) {
      const linked = markdown.replace(
        /\]\(([^()\s]*\.md)?(#[^()\s]*)?\)/g,
        (all, file: string | undefined, hash = '') => {
          const target = file === undefined ? path : posix.join(posix.dirname(path), file);
          return all === ']()' ? all : `](${places.get(`${target}${hash}`) ?? places.get(target)})`;
        },
      );
      files.set(parts[0] ?? '', linked);
    }
  }
  const rows = sorted.map(({ entry, about }) => {
    return [`[\`${entry.name}\`](/reference/api/${entry.name.replace('@', '')}/index)`, about.split('\n\n')[0] ?? ''];
  });
  files.set(
    '@api.md',
    `# TypeScript API\n\nEvery entry point of the packages, from the published declarations.\n\n${table(['import', 'purpose'], rows)}\n`,
  );
  const index: PageSpec = { route: 'api/index', title: 'All entry points', parts: ['@api.md'] };
  const groups = pages.map(
    ([{ entry }, own]): PageGroup => ({ title: entry.name, pages: own, apart: `api/${entry.name.replace('@', '')}` }),
  );
  return { groups: [{ title: 'TypeScript API', pages: [index] }, ...groups], files };
}
