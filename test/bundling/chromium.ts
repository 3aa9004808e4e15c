import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { PATIENCE_MS } from '../patience.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The Chromium of this machine; undefined if there is none. */
export const CHROMIUM: string | undefined = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find((file) => existsSync(file));

/** Opens Chromium. */
export const openChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'], timeout: PATIENCE_MS });

/** Opens a page whose waits have no time limit. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  return context.newPage();
}

/** A page that may load scripts of its own server, and must not evaluate code from strings. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'",
};

/**
 * Opens a page with a script, in Chromium, under a policy without `unsafe-eval`; runs a function on it, and closes it.
 *
 * @param script an ES module
 * @param data what the script can fetch as `/data.json`
 */
export async function inPage<T>(script: string, data: unknown, work: (page: Page) => Promise<T>): Promise<T> {
  const files: Readonly<Record<string, readonly [type: string, body: string]>> = {
    '/': ['text/html', '<!doctype html><meta charset="utf-8"><script type="module" src="/main.js"></script>'],
    '/main.js': ['text/javascript', script],
    '/data.json': ['application/json', JSON.stringify(data)],
  };
  const server = createServer(({ url = '' }, response) => {
    const [type, body] = files[url] ?? [];
    response.writeHead(body === undefined ? 404 : 200, { ...HEADERS, 'content-type': `${type}; charset=utf-8` });
    response.end(body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const browser = await openChromium();
  try {
    const page = await openPage(browser);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return await work(page);
  } finally {
    await browser.close();
    server.close();
  }
}
