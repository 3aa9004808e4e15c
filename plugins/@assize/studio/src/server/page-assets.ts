import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toAssizeError } from 'assize';
import { toError } from 'assize/internal';
import type { LinkState } from '../data/link-state.js';
import type { DraftAnswer, QueryData, StudioData } from '../data/studio-data.js';
import { DATE } from '../data/read-json-text.js';
import { addressOf, preloaded, readBuilt } from './page-files.js';

/** Identifies a file as a page of the studio. */
const PAGE_TITLE = '<title>Assize studio</title>';

const HTML = (head: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
${PAGE_TITLE}
${head}
</head>
<body>
<div id="studio">Loading…</div>
${body}
</body>
</html>
`;

/** Lists the hosts for the page, which shows initials instead of an image of another host. */
const imagesElement = (hosts: readonly string[]): string =>
  hosts.length === 0 ? '' : `<meta name="assize-images" content="${hosts.join(' ')}">\n`;

/**
 * The page of a server. Its scripts load at the same time.
 *
 * @param plugins the shipped plugins that the page needs to rank
 * @param images the hosts that images may load from
 */
export const servedPage = (plugins: readonly string[], images: readonly string[] = []): string =>
  HTML(
    [
      `${imagesElement(images)}<link rel="stylesheet" href="${addressOf('studio-page.css')}">`,
      ...preloaded(plugins).map((address) => `<link rel="modulepreload" href="${address}">`),
    ].join('\n'),
    `<script type="module" src="${addressOf('page.js')}"></script>`,
  );

/** Escapes text for a script element, so that nothing in it ends the element. */
const inScript = (text: string): string => text.replaceAll('<', '\\u003c');

/** The element with this id, from which the page reads data. */
const dataElement = (id: string, data: object | undefined): string =>
  data === undefined ? '' : `<script type="application/json" id="${id}">${inScript(jsonText(data))}</script>\n`;

/** The contents of an exported page. */
export interface ExportedData {
  readonly data: StudioData;
  /** All queries, if there are several. */
  readonly queries: readonly QueryData[] | undefined;
  /** The changes that it opens with, and what its server would answer about them. */
  readonly state?: LinkState;
  readonly answers?: readonly DraftAnswer[];
}

/** The page as one file with its data. */
export const exportedPage = ({ data, queries, state, answers }: ExportedData, images: readonly string[] = []): string =>
  HTML(
    `<meta http-equiv="content-security-policy" content="img-src ${['data:', ...images].join(' ')}">\n${imagesElement(images)}<style>${readBuilt('page/studio-page.css').toString()}</style>`,
    [
      dataElement('studio-data', data),
      dataElement('studio-queries', queries),
      dataElement('studio-state', state),
      dataElement('studio-answers', answers),
      `<script type="module">${readBuilt('studio-page.js').toString().replaceAll('</script', '<\\/script')}</script>`,
    ].join(''),
  );

/**
 * The file of an exported page. Called before the slow work, and refuses to overwrite other files.
 *
 * @throws AssizeError (ASZ604) if another kind of file exists there
 */
export async function newPageFile(folder: string): Promise<string> {
  const path = join(folder, 'index.html');
  const start = await startOf(path);
  if (start === undefined || start.includes(PAGE_TITLE)) return path;
  const hint = 'nothing was written: choose another folder, or remove the file';
  throw toAssizeError([{ code: 'ASZ604', message: `${path} already exists, and is not a page of the studio`, hint }]);
}

/** The first kilobyte of a file; undefined if it cannot be read. */
async function startOf(path: string): Promise<string | undefined> {
  const handle = await open(path).catch(() => undefined);
  try {
    const read = await handle?.read(Buffer.alloc(1024), 0, 1024, 0);
    return read?.buffer.toString('utf8', 0, read.bytesRead);
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}

/**
 * Writes the page atomically, and creates its folder.
 *
 * @throws AssizeError (ASZ654) with the system's message
 */
export async function writePage(path: string, html: string): Promise<void> {
  const beside = `${path}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(beside, html);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    const reason = toError(error).message;
    throw toAssizeError([{ code: 'ASZ654', message: `cannot write ${path}: ${reason}` }], { cause: error });
  }
}

/**
 * Writes data as text for `readJsonText`, which restores dates.
 *
 * @throws AssizeError (ASZ655) if the text exceeds the maximum length of a string, half a gigabyte in Node
 */
export function jsonText(data: object): string {
  try {
    return JSON.stringify(withDates(data));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = 'the candidates are too large for the page';
    const hint = 'remove fields that no scorer reads, or show only the best: assize rank --top';
    throw toAssizeError([{ code: 'ASZ655', message, hint }], { cause: error });
  }
}

/** A copy with encoded dates; the value itself if it has no dates. */
function withDates(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : { [DATE]: value.getTime() };
  if (Array.isArray(value)) {
    const items = value.map(withDates);
    return items.some((item, k) => item !== value[k]) ? items : value;
  }
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, withDates(item)]);
  return entries.some(([key, item]) => item !== Reflect.get(value, key)) ? Object.fromEntries(entries) : value;
}
