import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { UserConfig } from 'vitepress';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { readonly version: string };

/**
 * How Vite builds the playground. Its worker bundles the sources of the engine, so that it needs no build and has one
 * engine with the reader of CSV.
 */
export const playgroundVite: NonNullable<UserConfig['vite']> = {
  define: { ASSIZE_VERSION: JSON.stringify(version) },
  worker: { format: 'es' },
  resolve: {
    alias: [
      { find: /^assize\/(browser|language|internal)$/, replacement: `${root}src/$1.ts` },
      { find: /^assize$/, replacement: `${root}src/browser.ts` },
      { find: /^@assize\/lsp\/service$/, replacement: `${root}plugins/@assize/lsp/src/service.ts` },
      { find: /^csv-parse\/sync$/, replacement: 'csv-parse/browser/esm/sync' },
    ],
  },
};

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g;

/** Adds a content security policy to a page: scripts of the site only, and no code from strings. */
export function withPolicy(html: string): string {
  const hashes = Array.from(html.matchAll(INLINE_SCRIPT), ([, text = '']) => {
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  });
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'", // the editor adds its rules as an element
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html.replace(
    '<meta charset="utf-8">',
    `$&\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
}
