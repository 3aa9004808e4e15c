/** A heading of a page of Markdown. */
export interface Heading {
  readonly level: number;
  readonly text: string;
  /** Its anchor in the file, as GitHub creates it. */
  readonly anchor: string;
}

/** A line of a page of Markdown. */
export interface Line {
  readonly text: string;
  readonly heading?: Heading;
}

/** A part of a page: what is before the first `##`, or a section with its heading. */
export interface SourceSection {
  /** The text of its heading; empty for the part before the first section. */
  readonly name: string;
  readonly lines: readonly Line[];
}

/** A page of Markdown, in sections. */
export interface Source {
  readonly path: string;
  readonly title: string;
  readonly sections: readonly SourceSection[];
}

/** The anchor of a heading, as GitHub and npm create it. */
export const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** Returns anchors of headings in their order; the second of the same name gets a number, as GitHub does. */
export function anchorCounter(): (heading: string) => string {
  const used = new Map<string, number>();
  return (heading) => {
    const name = slug(heading);
    const count = used.get(name) ?? 0;
    used.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  };
}

/** A fence that opens or closes a block of code. */
const FENCE = /^\s*(`{3,}|~{3,})/;

/** Whether each line is in a block of code, its fences included. */
export function codeLines(lines: readonly string[]): readonly boolean[] {
  let open: string | undefined;
  return lines.map((line) => {
    const fence = FENCE.exec(line)?.[1];
    if (open === undefined) {
      open = fence;
      return fence !== undefined;
    }
    if (fence?.startsWith(open) && line.trim() === fence) open = undefined;
    return true;
  });
}

const COMMENT = /^<!--.*-->$/;

/** Reads a page of Markdown. Its comments are markers of generated tables, which a reader does not need. */
export function parseSource(path: string, markdown: string): Source {
  const texts = markdown
    .replace(/^---\n[^]*?\n---\n+/, '') // the front matter of a skill
    .trimEnd()
    .split('\n');
  const code = codeLines(texts);
  const anchorOf = anchorCounter();
  const sections: { name: string; lines: Line[] }[] = [{ name: '', lines: [] }];
  let title = '';
  for (const [index, text] of texts.entries()) {
    if (!code[index] && COMMENT.test(text)) continue;
    const [, marks = '', name = ''] = (code[index] ? undefined : /^(#{1,6}) (.*)$/.exec(text)) ?? [];
    if (marks === '#' && title === '') title = name;
    if (marks === '##') sections.push({ name, lines: [] });
    const heading = marks === '' ? undefined : { level: marks.length, text: name, anchor: anchorOf(name) };
    sections.at(-1)?.lines.push({ text, ...(heading && { heading }) });
  }
  if (title === '') throw new Error(`${path} has no title: its first heading must be a "# …"`);
  return { path, title, sections };
}
