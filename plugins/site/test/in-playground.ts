import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import { openChromium, openPage } from '../../../test/bundling/chromium.js';
import { serveFolder, type StaticServer } from '../../../test/site/static-server.js';

const site = join(packageRoot(), 'plugins/site/dist');

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
  let server: StaticServer;
  beforeAll(async () => {
    server = await serveFolder(site, { 'content-security-policy': WORKER_POLICY });
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });
  return async (fragment = '') => {
    const page = await openPage(browser, { viewport: { width: 1400, height: 1000 }, acceptDownloads: true });
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    const url = `${server.origin}/playground.html`;
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
