import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as z from 'zod';

/** Reads a file of the bundled page, which is next to the bundle of this file; for the sources, in the build. */
export function readBuilt(name: string): Buffer {
  const here = import.meta.url;
  const path = /\/src\/server\/[^/]+$/.test(here) ? `../../dist/${name}` : `./${name}`;
  return readFileSync(fileURLToPath(new URL(path, here)));
}

/** What `.studio-page.js` says about the files that it has built. */
const pageIndex = z.object({
  version: z.string(),
  /** The scripts that the first one needs before it runs. */
  preloaded: z.array(z.string()),
  files: z.array(z.string()),
});

let known: z.infer<typeof pageIndex> | undefined;
const index = () => (known ??= pageIndex.parse(JSON.parse(readBuilt('page/page.json').toString())));

/**
 * The address of a file of the page, relative to the page. It has the version of the build, so that a browser keeps the
 * file and never has to ask for it again.
 */
export const addressOf = (file: string): string => `${index().version}/${file}`;

/** The scripts that a page needs to rank, beside its first one: the engine, and the shipped plugins that it names. */
export function preloaded(plugins: readonly string[]): readonly string[] {
  const { preloaded: always, files } = index();
  return [...always, ...plugins.map((plugin) => `${plugin}.js`).filter((file) => files.includes(file))].map(addressOf);
}

/** The file at the path of an address; undefined if it does not exist. */
export function fileAt(path: string): string | undefined {
  const { version, files } = index();
  return files.find((file) => path === `/${version}/${file}`);
}

/** The encodings of the files, the smallest first. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

const gzipped = new Map<string, Buffer>();

/** The bytes of a file. Brotli is in the build, gzip is made once for the browsers that do not accept Brotli. */
export function encodedFile(file: string, encoding: Encoding): Buffer {
  if (encoding !== 'gzip') return readBuilt(`page/${file}${encoding === 'br' ? '.br' : ''}`);
  const bytes = gzipped.get(file) ?? gzipSync(readBuilt(`page/${file}`), { level: 9 });
  gzipped.set(file, bytes);
  return bytes;
}

/** The media type of a file of the page. */
export const typeOf = (file: string): string =>
  `${file.endsWith('.css') ? 'text/css' : 'text/javascript'}; charset=utf-8`;
