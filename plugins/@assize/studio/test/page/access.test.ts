import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { GLOSSARY } from '../../src/page/glossary/glossary.js';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { inStudio, violationsIn } from './in-studio.js';
import { products, SHOP } from './shop.js';

/** Controls that are lower or narrower than 24 pixels, as WCAG 2.2 requires; text in sentences is excepted. */
const SMALL = `[...document.querySelectorAll('button, input, select, summary, [role=slider], [role=tab]')]
  .filter((one) => one.checkVisibility() && !one.closest('.plot'))
  .map((one) => ({ html: one.outerHTML.slice(0, 120), box: one.getBoundingClientRect() }))
  .filter(({ box }) => box.width < 23.5 || box.height < 23.5)
  .map(({ html, box }) => html + ' ' + box.width + ' × ' + box.height)`;

describe.skipIf(CHROMIUM === undefined || !isBuilt)('access to the studio [chromium]', () => {
  const open = inStudio('simple');
  const profile = newFolder().write('shop.yaml', SHOP);
  const source = { profile, candidates: products(), context: {} };
  const small = (page: Page) => page.evaluate<string[]>(SMALL);

  test('the first key leads past the recipe to the items', async () => {
    const { page } = await open(source);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('j');
    expect(await page.locator('.card.active').count()).toBe(1);
  });

  test('controls are large enough, also of the drawer and the expert view', async () => {
    const { page } = await open(source);
    await page.locator('.card').nth(1).click();
    expect(await small(page)).toEqual([]);
    await page.getByText('More', { exact: true }).click();
    expect(await small(page)).toEqual([]);
    await page.getByRole('button', { name: 'Expert view' }).click();
    expect(await small(page)).toEqual([]);
  });

  test('a label explains itself by its technical name and an entry of the glossary', async () => {
    const { page } = await open(source);
    const term = page.getByRole('button', { name: 'Removals' });
    expect(await term.getAttribute('title')).toBe(GLOSSARY.removed.technical);
    await term.click();
    const entry = page.locator('.glossary:popover-open');
    expect(await entry.innerText()).toContain(GLOSSARY.removed.text);
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await entry.count()).toBe(0);
  });

  test('in dark colours axe finds no violation', async () => {
    const { page } = await open(source, { colorScheme: 'dark', viewport: { width: 1440, height: 900 } });
    await page.getByLabel('Weight of Newer', { exact: true }).fill('9');
    await page.locator('.card').nth(1).click();
    expect(await violationsIn(page)).toEqual([]);
  });

  test('while a weight is dragged, screen readers receive at most one text in a second', async () => {
    const { page } = await open(source);
    await page.evaluate(`{
      window.spoken = [];
      const [region] = document.querySelectorAll('.changes [aria-live]');
      new MutationObserver(() => window.spoken.push(region.textContent))
        .observe(region, { childList: true, characterData: true, subtree: true });
    }`);
    const slider = page.getByLabel('Weight of Newer', { exact: true });
    const start = performance.now();
    for (let k = 0; k < 30; k++) await slider.fill(String(3 + k / 20));
    const spoken = () => page.evaluate<string[]>('window.spoken');
    await expect.poll(async () => (await spoken()).at(-1)).toMatch(/^1 change, \d+ new in the top 12/);
    const most = 1 + Math.ceil((performance.now() - start) / 1000);
    expect((await spoken()).filter((text) => text !== '').length).toBeLessThanOrEqual(most);
    expect(most).toBeLessThan(30);
  });
});
