import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../../../../src/base/package-root.js';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { films } from '../../../../../test/demo/films.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { inStudio, widerThanThePage } from './in-studio.js';

/** A folder that receives the screenshots; `1` replaces those of the READMEs. None are written without it. */
const WRITE = process.env['UPDATE_SCREENSHOTS'];
/** The quality of WebP images, at which small text is legible. */
const QUALITY = 0.75;

const VIEWS = [
  { name: '1440', viewport: { width: 1440, height: 900 } },
  { name: '1024', viewport: { width: 1024, height: 768 } },
  { name: '390', viewport: { width: 390, height: 844 } },
  { name: 'dark', viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  { name: 'studio', viewport: { width: 1280, height: 800 } },
] as const;

/** Writes a screenshot if that is wanted: `studio` as PNG, which every viewer of the README shows, others as WebP. */
async function write(page: Page, name: string): Promise<void> {
  if (WRITE === undefined) return;
  const image = await page.screenshot();
  const folder = WRITE === '1' ? join(packageRoot(), 'plugins', '@assize', 'studio') : WRITE;
  mkdirSync(folder, { recursive: true });
  if (name === 'studio') writeFileSync(join(folder, 'studio.png'), image);
  else writeFileSync(join(folder, `studio-${name}.webp`), await asWebp(page, image));
}

/** Converts an image by the browser, in an empty page, because that of the studio may not load images. */
async function asWebp(page: Page, png: Buffer): Promise<Buffer> {
  const empty = await page.context().newPage();
  const url = await empty.evaluate<string>(`new Promise((resolve, reject) => {
    const image = new Image();
    image.onerror = reject;
    image.onload = () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
      canvas.getContext('2d').drawImage(image, 0, 0);
      resolve(canvas.toDataURL('image/webp', ${QUALITY}));
    };
    image.src = 'data:image/png;base64,${png.toString('base64')}';
  })`);
  await empty.close();
  const [type, data = ''] = url.split(';base64,');
  expect(type).toBe('data:image/webp');
  return Buffer.from(data, 'base64');
}

describe.skipIf(CHROMIUM === undefined || !isBuilt)('what the studio looks like [chromium]', () => {
  const open = inStudio('simple');
  const profile = join(newFolder().path, 'movies.yaml');
  copyFileSync(join(packageRoot(), 'config', 'demo', 'movies.yaml'), profile);

  test.each(VIEWS)('at $name nothing is wider than the page, and items are visible', async ({ name, ...options }) => {
    const { page } = await open({ profile, candidates: films(), context: { now: '2011-01-01' } }, options);
    const sheet = page.getByRole('button', { name: 'Open', exact: true });
    if (await sheet.isVisible()) await sheet.click();
    await page.getByLabel('Weight of fresh', { exact: true }).fill('3');
    await page.getByLabel('Weight of fresh', { exact: true }).blur();
    await page.locator('.card .was').first().waitFor();
    if (name !== '390') await page.locator('.card').nth(3).click();
    expect(await widerThanThePage(page)).toEqual([]);
    const visible = await page
      .locator('.card')
      .evaluateAll(
        (cards) => cards.filter((card) => (card as unknown as { checkVisibility(): boolean }).checkVisibility()).length,
      );
    expect(visible).toBeGreaterThan(1);
    await write(page, name);
  });
});
