import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { inStudio, violationsIn, widerThanThePage } from './in-studio.js';
import { products, SHOP } from './shop.js';

/** The checks of ACCESSIBILITY.md that a browser can do, beside those of `access.test.ts`. */
describe.skipIf(CHROMIUM === undefined || !isBuilt)('checks of accessibility [chromium]', () => {
  const open = inStudio('simple');
  const profile = newFolder().write('shop.yaml', SHOP);
  const source = { profile, candidates: products(), context: {} };
  const focused = (page: Page) =>
    page.evaluate<string>(`(({ activeElement: one }) => one.getAttribute('aria-label') ?? one.textContent)(document)`);

  test('the title names the profile, and the page its language', async () => {
    const { page } = await open(source);
    await expect.poll(() => page.title()).toBe('shop.yaml – Assize studio');
    expect(await page.getAttribute('html', 'lang')).toBe('en');
  });

  test('each dialog takes the focus, and gives it back to the button that opened it', async () => {
    const { page } = await open(source);
    const add = page.getByRole('group', { name: 'Add to the recipe' });
    for (const name of ['Criterion', 'Removal', 'Boost', 'Limit per group', 'Variety', 'Budget', 'Signal', 'Report']) {
      const isInMenu = !['Criterion', 'Removal', 'Boost'].includes(name);
      const opener = isInMenu ? add.locator('summary') : add.getByRole('button', { name, exact: true });
      await opener.focus();
      const before = await focused(page);
      await page.keyboard.press('Enter');
      if (isInMenu) {
        await add.getByRole('button', { name, exact: true }).focus();
        await page.keyboard.press('Enter');
      }
      await page.getByRole('dialog').waitFor();
      expect(
        await page.evaluate(`document.querySelector('dialog :is(input, select)') === document.activeElement`),
        name,
      ).toBe(true);
      await expect.poll(() => page.getByRole('dialog').getByRole('status').innerText()).not.toContain('is computed');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await focused(page), name).toBe(before);
    }
  });

  test('the Tab key leaves every part of the page', async () => {
    const { page } = await open(source);
    const seen = new Set<string>();
    for (let k = 0; k < 100 && !seen.has('end'); k++) {
      await page.keyboard.press('Tab');
      seen.add((await page.evaluate('document.activeElement === document.body')) ? 'end' : await focused(page));
    }
    expect([...seen]).toEqual(
      expect.arrayContaining(['Skip to the items', 'Share of Rating, in percent', 'Items', 'end']),
    );
  });

  test('a single letter does nothing outside of the items', async () => {
    const { page } = await open(source);
    const isOn = () => page.getByRole('button', { name: 'Judge', exact: true }).getAttribute('aria-pressed');
    for (const key of ['g', 'j', 'c', '3']) await page.keyboard.press(key);
    expect(await isOn()).toBe('false');
    expect(await page.locator('.card.active').count()).toBe(0);
    await page.getByRole('listbox', { name: 'Items' }).focus();
    await page.keyboard.press('g');
    await expect.poll(isOn).toBe('true');
  });

  test('a control is named by the words that are visible, with its effect as description', async () => {
    const { page } = await open(source);
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const removal = nodes.find(({ role, name }) => role?.value === 'checkbox' && name?.value === 'out of stock');
    expect(removal?.description?.value).toBe('removes 15 now');
    const roles = ['button', 'checkbox', 'combobox', 'listbox', 'option', 'slider', 'spinbutton', 'tab', 'textbox'];
    const unnamed = nodes.filter(({ ignored, role, name }) => !ignored && roles.includes(role?.value) && !name?.value);
    expect(unnamed).toEqual([]);
  });

  test('in colours of the system, the legend and the borders of shares are visible', async () => {
    const { page } = await open(source, { forcedColors: 'active', viewport: { width: 1366, height: 768 } });
    const [swatch, border, panel] = await page.evaluate<string[]>(`[
      getComputedStyle(document.querySelector('.legend i')).backgroundColor,
      getComputedStyle(document.querySelector('.share-bar .border'), '::before').backgroundColor,
      getComputedStyle(document.querySelector('.panel')).backgroundColor,
    ]`);
    expect(swatch).not.toBe(panel);
    expect(border).not.toBe(panel);
    expect(await violationsIn(page)).toEqual([]);
  });

  test('with less motion, nothing moves when a weight changes', async () => {
    const { page } = await open(source, { reducedMotion: 'reduce', viewport: { width: 1366, height: 768 } });
    await page.getByLabel('Weight of Newer', { exact: true }).fill('5');
    await page.getByText('1 change').first().waitFor();
    const running = `document.getAnimations().filter(({ playState }) => playState === 'running').length`;
    expect(await page.evaluate(running)).toBe(0);
  });

  test('fits into 320 pixels, which is 1280 at 400 %', async () => {
    const { page } = await open(source, { viewport: { width: 320, height: 640 } });
    expect(await widerThanThePage(page)).toEqual([]);
    expect(await violationsIn(page)).toEqual([]);
  });

  test('cards grow with the text, so that no line covers another', async () => {
    const { page } = await open(source);
    await page.evaluate(`document.documentElement.style.fontSize = '28px'`);
    await page.getByRole('listbox', { name: 'Items' }).focus();
    for (const key of ['j', 'k']) await page.keyboard.press(key);
    const covered = `[...document.querySelectorAll('.card')].flatMap((card) => {
      const inner = card.getBoundingClientRect();
      const [title, bar] = ['.card-title', '.bar small'].map((one) => card.querySelector(one)?.getBoundingClientRect());
      return [title && title.bottom > inner.bottom, title && bar?.height > 0 && title.bottom > bar.top].filter(Boolean);
    }).length`;
    await expect.poll(() => page.evaluate(covered)).toBe(0);
    const tops = `[...document.querySelectorAll('.cards')].map((one) => one.getBoundingClientRect())
      .filter((box, k, all) => k > 0 && box.top < all[k - 1].bottom - 1).length`;
    expect(await page.evaluate(tops)).toBe(0);
  });
});
