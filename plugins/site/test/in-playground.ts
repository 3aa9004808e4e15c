import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import { openChromium, openPage } from '../../../test/bundling/chromium.js';

const site = join(packageRoot(), 'plugins/site/dist');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.png': 'image/png',
};

/** A page has its own policy. This one holds for its worker, too: no code from strings. */
const WORKER_POLICY = "script-src 'self' 'unsafe-inline'; connect-src 'self'";

/** The playground in a page, and its errors. */
export interface PlaygroundPage {
  readonly page: Page;
  readonly url: string;
  readonly errors: readonly string[];
}

/** Opens playgrounds in pages of one browser, which all close after the tests of the file. */
export function inPlayground(): (fragment?: string) => Promise<PlaygroundPage> {
  let browser: Browser;
  const server = createServer(({ url = '/' }, response) => {
    const file = join(site, new URL(url, 'http://localhost').pathname);
    const type = TYPES[extname(file)];
    if (type === undefined || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': type, 'content-security-policy': WORKER_POLICY });
    response.end(readFileSync(file));
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser?.close();
    server.close();
  });
  return async (fragment = '') => {
    const page = await openPage(browser, { viewport: { width: 1400, height: 1000 }, acceptDownloads: true });
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/playground.html`;
    await page.goto(url + fragment);
    await settled(page);
    return { page, url, errors };
  };
}

/** Waits until the page has ranked at least once, and ranks no more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('.playground[data-running=false]:not([data-runs="0"])').waitFor();
}

/** The scores that the page shows, by position of the candidate, exactly. */
export const scoresOf = (page: Page): Promise<readonly (readonly [index: number, score: number])[]> =>
  page
    .locator('.ranking tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [Number(row.getAttribute('data-index')), Number(row.getAttribute('data-score'))] as const),
    );

/** The text of the profile's editor. */
export const profileOf = (page: Page): Promise<string> =>
  page.locator('.profile .cm-line').evaluateAll((lines) => lines.map((line) => line.textContent ?? '').join('\n'));

/** Replaces the text of an editor. */
export async function write(page: Page, label: string, text: string): Promise<void> {
  const runs = await page.locator('.playground').getAttribute('data-runs');
  await page.getByRole('textbox', { name: label, exact: true }).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
  await expect.poll(() => page.locator('.playground').getAttribute('data-runs')).not.toBe(runs);
  await settled(page);
}

/** Pastes a text over that of an editor. */
export async function paste(page: Page, label: string, text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: label, exact: true });
  await editor.focus();
  await page.keyboard.press('Control+a');
  const event = `new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })`;
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    document.activeElement.dispatchEvent(${event});
  }`);
  await settled(page);
}
