import { describe, expect, test } from 'vitest';
import { SearchIndex } from '../../src/page/search/search-index.js';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { command, inStudio, shownTitles, violationsIn } from './in-studio.js';
import { products, SHOP } from './shop.js';

describe('the index of the search', () => {
  const candidates = ['Red lamp', 'Lamp, blue', 'Chair', 'LAMP'].map((name, k) => ({
    name,
    colour: k === 2 ? 'lamp red' : 'x',
    nested: {},
  }));
  const index = new SearchIndex(candidates, ({ ...one }) => String(Reflect.get(one, 'name')));
  const ranks = Int32Array.of(1, 3, 2, 0);

  test('finds all words: whole texts first, then in titles, each by rank and unranked ones last', () => {
    expect(index.find('lamp', 50, ranks)).toEqual([3, 1, 0, 2]);
    expect(index.find('RED lamp', 50, ranks)).toEqual([0, 2]);
    expect(index.find('x', 1, ranks)).toEqual([0]);
    expect(index.find('lamp', 2, ranks)).toEqual([3, 1]);
  });

  test('finds nothing without words, or with a word that no candidate has', () => {
    expect(index.find('  ', 50, ranks)).toEqual([]);
    expect(index.find('lamp sofa', 50, ranks)).toEqual([]);
  });
});

describe.skipIf(CHROMIUM === undefined || !isBuilt)('the search of the studio [chromium]', () => {
  const open = inStudio('simple');
  const folder = newFolder();
  const profile = folder.write('shop.yaml', SHOP);

  test('finds every item with its status: shown, below the cut, and removed', async () => {
    const { page, errors } = await open({ profile, candidates: products(20_000), context: {} });
    const [best] = await shownTitles(page);
    const result = (text: string) => page.locator('.result', { hasText: text }).locator('.status').first();
    const search = page.getByLabel('Search items and commands');
    await page.keyboard.press('Control+k');
    await search.fill(best!);
    await expect.poll(() => result(best!).innerText()).toBe('1st');
    await search.fill('sku-13');
    await expect.poll(() => page.locator('.result.removed').first().innerText()).toMatch(/removed: Out of stock/);
    await search.fill('no. 13');
    await expect.poll(() => page.locator('.result.below').first().innerText()).toMatch(/below the cut/);
    expect(await page.locator('.result').count()).toBe(51); // fifty items and the command that lists only them
    expect(await violationsIn(page)).toEqual([]);
    await search.fill('sku-13');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.getByRole('region', { name: /^Why/ }).innerText())
      .toContain('Removed by Out of stock');
    expect(errors).toEqual([]);
  });

  test('a command that starts with the search comes before items that only contain it', async () => {
    const candidates = products().map((product) => ({ ...product, note: 'for the expert view' }));
    const { page } = await open({ profile, candidates, context: {} });
    const first = () => page.locator('.result .result-title').first().innerText();
    await page.keyboard.press('Control+k');
    await page.getByLabel('Search items and commands').fill('expert');
    await expect.poll(first).toBe('Expert view');
    await page.getByLabel('Search items and commands').fill('the expert');
    await expect.poll(first).toMatch(/no\. \d+/);
  });

  test('finds entries of the recipe, and takes the letters that follow its key at once', async () => {
    const { page } = await open({ profile, candidates: products(), context: {} });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('newer');
    expect(await page.getByLabel('Search items and commands').inputValue()).toBe('newer');
    await expect.poll(() => page.locator('.result').first().innerText()).toMatch(/Newer\s+criterion/);
    await page.keyboard.press('Enter');
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    await expect.poll(focused).toBe('Share of Newer, in percent');
    await page.getByLabel('Weight of Newer', { exact: true }).fill('5');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('save');
    await expect.poll(() => page.locator('.result').first().innerText()).toBe('Review and save…');
  });

  test('a command that starts with the search comes before an entry with the word further back', async () => {
    const reviews = folder.write('reviews.yaml', SHOP.replace('label: Newer', 'label: Many reviews'));
    const { page } = await open({ profile: reviews, candidates: products(), context: {} });
    const titles = () => page.locator('.result-title').allInnerTexts();
    await page.getByLabel('Weight of Rating', { exact: true }).fill('5');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('review');
    await expect.poll(async () => (await titles()).slice(0, 2)).toEqual(['Review and save…', 'Many reviews']);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('many');
    await expect.poll(async () => (await titles())[0]).toBe('Many reviews');
  });

  test('runs commands, and lists only what it finds', async () => {
    const { page } = await open({ profile, candidates: products(), context: {} });
    await command(page, 'Show table');
    await page.getByRole('grid').waitFor();
    await command(page, 'Expert view');
    expect(await page.getByLabel('Weight of Rating, as a number').inputValue()).toBe('3');
    await command(page, 'Simple view');
    await page.keyboard.press('Meta+k');
    await page.getByLabel('Search items and commands').fill('lamp');
    await page.keyboard.press('End');
    await page.getByRole('option', { name: 'List only the items with “lamp”' }).click();
    await expect.poll(async () => (await shownTitles(page)).every((title) => title.includes('lamp'))).toBe(true);
    await page.getByRole('button', { name: '“lamp” : clear' }).click();
    await expect.poll(async () => (await shownTitles(page)).every((title) => title.includes('lamp'))).toBe(false);
  });
});
