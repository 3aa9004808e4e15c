import { posix } from 'node:path';
import type { Page, PageSpec } from './page.js';
import { anchorCounter, codeLines, parseSource, slug, type Source, type SourceSection } from './source.js';

/** What the pages are made of. */
export interface Files {
  /** The text of a file of the repository, or of a generated one; undefined if it does not exist. */
  read(path: string): string | undefined;
  /** Copies an image into the site, and returns its address there. */
  image(path: string): string;
}

/** Where a heading, or a whole file, is in the site. */
interface Place {
  readonly route: string;
  readonly anchor: string;
}

/** Markdown from one file, before its links are rewritten. */
interface Block {
  readonly from: string;
  readonly text: string;
}

interface Draft {
  readonly spec: PageSpec;
  readonly blocks: readonly Block[];
}

/** Composes the pages of the site, and rewrites their links. Reports all mistakes of the table and all dead links. */
export class Composer {
  readonly #sources = new Map<string, Source>();
  /** The sections that pages show or replace, as in `parts`. */
  readonly #taken = new Set<string>();
  readonly #places = new Map<string, Place>();
  readonly #routes = new Set<string>();
  readonly #problems: string[] = [];

  constructor(readonly files: Files) {}

  /** @throws if a file or a section is missing, a section is on no page, or a link is dead */
  compose(specs: readonly PageSpec[]): readonly Page[] {
    for (const spec of specs) {
      if (this.#routes.has(spec.route)) this.#problems.push(`two pages have the route ${spec.route}`);
      this.#routes.add(spec.route);
      this.#reserve(spec);
    }
    const drafts = specs.map((spec) => this.#draft(spec));
    this.#checkComplete(specs);
    const pages = drafts.map((draft) => this.#finish(draft));
    if (this.#problems.length > 0) throw new Error(`plugins/site/pages.ts:\n  ${this.#problems.join('\n  ')}`);
    return pages;
  }

  /** Notes the sections that a page shows, so that the page of the whole file leaves them out. */
  #reserve({ route, parts, replaces = [] }: PageSpec): void {
    for (const part of [...parts, ...replaces]) {
      const [path, section] = split(part);
      if (section === undefined) {
        if (replaces.includes(part)) this.#sourceOf(path, route);
        continue;
      }
      if (this.#taken.has(part)) this.#problems.push(`${route}: another page has ${part} as well`);
      this.#taken.add(part);
      if (this.#sourceOf(path, route) && !this.#sectionOf(path, section)) {
        const names = this.#sources.get(path)?.sections.map(({ name }) => name) ?? [];
        this.#problems.push(
          `${route}: ${path} has no section "${section}", only: ${names.filter((name) => name !== '').join(' | ')}`,
        );
      }
    }
  }

  #sourceOf(path: string, route: string): Source | undefined {
    const known = this.#sources.get(path);
    if (known) return known;
    const text = this.files.read(path);
    if (text === undefined) {
      this.#problems.push(`${route}: the file ${path} does not exist`);
      return undefined;
    }
    const source = parseSource(path, text);
    this.#sources.set(path, source);
    return source;
  }

  #sectionOf = (path: string, name: string): SourceSection | undefined =>
    this.#sources.get(path)?.sections.find((section) => section.name === name);

  #draft(spec: PageSpec): Draft {
    const { route, title, parts, replaces = [] } = spec;
    const anchorOf = anchorCounter();
    const [first = ''] = parts;
    const isWhole = isMarkdown(first) && split(first)[1] === undefined;
    const [only] = parts.length === 1 && !isWhole ? [split(first)[1]] : [];
    const heading = isWhole ? (this.#sourceOf(first, route)?.title ?? title) : (only ?? title);
    anchorOf(heading);
    const blocks: Block[] = [{ from: first, text: `# ${heading}` }];
    for (const part of parts) {
      const [path, section] = split(part);
      if (!isMarkdown(path)) blocks.push(this.#codeBlock(path, route, anchorOf));
      else if (section !== undefined) {
        const lines = this.#sectionOf(path, section)?.lines ?? [];
        const isTitle = section === heading;
        blocks.push(this.#block({ path, route, lines, anchorOf, shift: isTitle ? -1 : 0, skipFirst: isTitle }));
      } else {
        const source = this.#sourceOf(path, route);
        this.#places.set(path, { route, anchor: '' });
        const lines =
          source?.sections.flatMap(({ name, lines: own }): SourceSection['lines'] => {
            if (name === '' || !this.#taken.has(`${path}#${name}`)) return own;
            return spec.listsSections ? [{ text: `- [${name}](#${slug(name)})` }] : [];
          }) ?? [];
        const isFirst = path === first;
        blocks.push(this.#block({ path, route, lines, anchorOf, shift: isFirst ? 0 : 1, skipFirst: isFirst }));
      }
    }
    for (const one of replaces) this.#placeSection(one, { route, anchor: '' });
    return { spec, blocks };
  }

  /** The lines of a file at another level of headings, with the places of these. */
  #block(of: {
    readonly path: string;
    readonly route: string;
    readonly lines: SourceSection['lines'];
    readonly anchorOf: (heading: string) => string;
    readonly shift: number;
    /** Whether the first heading is the title of the page. */
    readonly skipFirst: boolean;
  }): Block {
    const { path, route, anchorOf, shift, skipFirst } = of;
    if (!this.#places.has(path)) this.#places.set(path, { route, anchor: '' });
    let skip = skipFirst;
    const texts = of.lines.flatMap(({ text, heading }) => {
      if (!heading) return [text];
      if (skip) {
        skip = false;
        this.#places.set(`${path}#${heading.anchor}`, { route, anchor: '' });
        return [];
      }
      this.#places.set(`${path}#${heading.anchor}`, { route, anchor: anchorOf(heading.text) });
      return [`${'#'.repeat(Math.max(2, heading.level + shift))} ${heading.text}`];
    });
    return { from: path, text: texts.join('\n').trim() };
  }

  #codeBlock(path: string, route: string, anchorOf: (heading: string) => string): Block {
    const text = this.files.read(path);
    if (text === undefined) this.#problems.push(`${route}: the file ${path} does not exist`);
    const heading = `The file ${posix.basename(path)}`;
    this.#places.set(path, { route, anchor: anchorOf(heading) });
    return { from: path, text: `## ${heading}\n\n\`\`\`${posix.extname(path).slice(1)}\n${text?.trimEnd()}\n\`\`\`` };
  }

  #placeSection(part: string, place: Place): void {
    const [path, section] = split(part);
    const whole = section === undefined ? this.#sources.get(path)?.sections : undefined;
    if (whole) this.#places.set(path, place);
    for (const one of whole ?? [this.#sectionOf(path, section ?? '')])
      for (const { heading } of one?.lines ?? []) if (heading) this.#places.set(`${path}#${heading.anchor}`, place);
  }

  /** Each section of a file that is in the table must be on a page. */
  #checkComplete(specs: readonly PageSpec[]): void {
    const parts = specs.flatMap(({ parts: shown, replaces = [] }) => [...shown, ...replaces]);
    const whole = new Set(parts.filter((part) => split(part)[1] === undefined));
    for (const { path, sections } of this.#sources.values()) {
      if (whole.has(path)) continue;
      const missing = sections.filter(({ name }) => name !== '' && !this.#taken.has(`${path}#${name}`));
      for (const { name } of missing) this.#problems.push(`${path}#${name} is on no page`);
    }
  }

  #finish({ spec, blocks }: Draft): Page {
    const texts = blocks.map(({ from, text }) => this.#withLinks(spec.route, from, text));
    const text = texts.filter((one) => one !== '').join('\n\n');
    return { route: spec.route, title: spec.title, text: `${text}\n`, description: firstSentence(text) };
  }

  #withLinks(route: string, from: string, markdown: string): string {
    return mapProse(markdown, (prose) =>
      prose.replace(
        LINK,
        (
          all,
          _: string | undefined,
          image: string | undefined,
          text: string | undefined,
          target: string | undefined,
        ) => {
          if (text === undefined || target === undefined || /^[a-z]+:/.test(target)) return all;
          if (image) return `![${text}](${this.files.image(posix.join(posix.dirname(from), target))})`;
          return this.#link(route, from, text, target);
        },
      ),
    );
  }

  #link(route: string, from: string, text: string, target: string): string {
    const [file = '', anchor] = target.split('#');
    const path = file === '' ? from : file.startsWith('/') ? file : posix.join(posix.dirname(from), file);
    const place = path.startsWith('/') ? this.#placeOfRoute(path.slice(1), anchor, from) : this.#placeOf(path, anchor);
    if (place) return `[${text}](${linkBetween(route, place)})`;
    if (anchor !== undefined && this.#places.has(path)) this.#problems.push(`${from}: no heading for ${target}`);
    else if (this.files.read(path) === undefined) this.#problems.push(`${from}: no file for ${target}`);
    const bare = text.replaceAll('`', '');
    return path.endsWith(bare) ? `\`${path}\`` : `${text} (\`${path}\`)`;
  }

  /** Generated files link to routes. */
  #placeOfRoute(to: string, anchor: string | undefined, from: string): Place {
    if (!this.#routes.has(to)) this.#problems.push(`${from}: no page for /${to}`);
    return { route: to, anchor: anchor ?? '' };
  }

  #placeOf = (path: string, anchor: string | undefined): Place | undefined =>
    this.#places.get(anchor === undefined || anchor === '' ? path : `${path}#${anchor}`);
}

const isMarkdown = (part: string): boolean => split(part)[0].endsWith('.md');

/** The file of a part, and its section. */
function split(part: string): readonly [path: string, section: string | undefined] {
  const at = part.indexOf('#');
  return at < 0 ? [part, undefined] : [part.slice(0, at), part.slice(at + 1)];
}

/** A span of code, or an image or a link with its text and target. */
const LINK = /(`+)(?!`)[^]*?[^`]\1(?!`)|(!?)\[((?:`[^`]*`|\\.|!\[[^\]]*\]\([^)]*\)|[^[\]\\])*)\]\(([^()\s]+)\)/g;

/** Replaces parts of each block of Markdown that is not code. */
function mapProse(markdown: string, replace: (prose: string) => string): string {
  const lines = markdown.split('\n');
  const code = codeLines(lines);
  const runs: { code: boolean; lines: string[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const isCode = code[index] === true;
    const last = runs.at(-1);
    if (last?.code === isCode) last.lines.push(line);
    else runs.push({ code: isCode, lines: [line] });
  }
  // Neither links nor spans of code cross a blank line or a row of a table.
  const inBlocks = (prose: string): string =>
    prose
      .split(/(\n\s*\n|\n(?=\|))/)
      .map(replace)
      .join('');
  return runs.map((run) => (run.code ? run.lines.join('\n') : inBlocks(run.lines.join('\n')))).join('\n');
}

/** A link from a page to a place, for VitePress and for readers of the Markdown alike. */
function linkBetween(route: string, { route: to, anchor }: Place): string {
  const hash = anchor === '' ? '' : `#${anchor}`;
  if (route === to) return hash === '' ? `./${posix.basename(to)}.md` : hash;
  const path = posix.relative(posix.dirname(route), `${to}.md`);
  return `${path.startsWith('.') ? path : `./${path}`}${hash}`;
}

/** The first sentence of a page, as plain text. */
function firstSentence(markdown: string): string {
  const paragraph = markdown.split(/\n{2,}/).find((one) => !one.startsWith('#')) ?? '';
  if (/^(?:```|[|!>-]|\d+\.)/.test(paragraph)) return '';
  const plain = paragraph
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*/g, '')
    .replace(/\s+/g, ' ');
  return /^.*?[.:?](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}
