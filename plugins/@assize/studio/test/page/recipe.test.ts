import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { inStudio, shownTitles, violationsIn, widerThanThePage } from './in-studio.js';
import { products, SHOP } from './shop.js';

describe.skipIf(CHROMIUM === undefined || !isBuilt)('the recipe of the studio [chromium]', () => {
  const open = inStudio('simple');
  const folder = newFolder();
  const profile = folder.write('shop.yaml', SHOP);
  const candidates = products();
  const share = (page: Page, name: string) => page.getByLabel(`Share of ${name}, in percent`);
  const border = (page: Page, left: string, right: string) =>
    page.getByRole('slider', { name: `Border between ${left} and ${right}` });
  const first = async (weights: Readonly<Record<string, number>>): Promise<string[]> => {
    const { selected } = await (await createPipeline<{ name: string }>(profile)).rank(candidates, {}, { weights });
    return selected.slice(0, 5).map(({ candidate }) => candidate.name);
  };
  const shows = async (page: Page, titles: readonly string[]): Promise<void> => {
    await expect.poll(async () => (await shownTitles(page)).slice(0, titles.length)).toEqual(titles);
  };

  test('is sentences: criteria with shares, removals and boosts with counts, and the cut', async () => {
    const { page, errors } = await open({ profile, candidates, context: {} });
    const recipe = page.getByRole('region', { name: 'Recipe' });
    expect(await share(page, 'Rating').inputValue()).toBe('43');
    const text = (await recipe.innerText()).replace(/\s+/g, ' ');
    expect(text).toContain('Must not: Out of stock removes 15 now');
    expect(text).toContain('Own brand adds 0.05 for');
    expect(text).toMatch(/Show the top .*with a score of at least/);
    expect(await violationsIn(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test('a typed share ranks like the weight that gives it, and can be undone', async () => {
    const { page } = await open({ profile, candidates, context: {} });
    await shows(page, await first({}));
    await share(page, 'Newer').fill('60');
    await share(page, 'Newer').press('Enter');
    await shows(page, await first({ newness: 7.5 }));
    expect(await share(page, 'Rating').inputValue()).toBe('24');
    await page.getByRole('button', { name: 'Undo' }).click();
    await shows(page, await first({}));
  });

  test('a slider that is dropped keeps its place, and says the share', async () => {
    const { page } = await open({ profile, candidates, context: {} });
    const slider = page.getByLabel('Weight of Newer', { exact: true });
    expect(await slider.getAttribute('aria-valuetext')).toBe('29 %');
    const end = Number(await slider.getAttribute('max'));
    const nearEnd = String(0.9 * end);
    await slider.fill(nearEnd);
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('47 %');
    expect([await slider.inputValue(), Number(await slider.getAttribute('max'))]).toEqual([nearEnd, end]);
    await slider.fill(String(end));
    await expect.poll(async () => Number(await slider.getAttribute('max'))).toBeGreaterThan(end);
  });

  test('the border between two criteria moves by keys and by the pointer', async () => {
    const { page } = await open({ profile, candidates, context: {} });
    const between = border(page, 'Rating', 'Newer');
    await between.focus();
    for (let k = 0; k < 3; k++) await page.keyboard.press('ArrowLeft');
    await expect.poll(() => between.getAttribute('aria-valuetext')).toBe('Rating 40 %, Newer 32 %');
    const box = (await between.boundingBox())!;
    const bar = (await page.getByRole('group', { name: 'Shares of the criteria' }).boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(bar.x + bar.width * 0.2, box.y + 10, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => between.getAttribute('aria-valuetext')).toBe('Rating 20 %, Newer 51 %');
    await page.keyboard.press('Control+z');
    await expect.poll(() => between.getAttribute('aria-valuetext')).toBe('Rating 40 %, Newer 32 %');
  });

  test('a locked share stays when another changes', async () => {
    const { page } = await open({ profile, candidates, context: {} });
    await page.getByRole('button', { name: 'Lock Rating' }).click();
    await share(page, 'Newer').fill('40');
    await share(page, 'Newer').press('Enter');
    await expect.poll(() => share(page, 'Newer').inputValue()).toBe('40');
    expect(await share(page, 'Rating').inputValue()).toBe('43');
    expect(await share(page, 'Rating').isDisabled()).toBe(true);
    expect(await border(page, 'Rating', 'Newer').getAttribute('aria-disabled')).toBe('true');
  });

  test('the cut moves with its numbers', async () => {
    const { page } = await open({ profile, candidates, context: {} });
    await page.getByLabel('Items shown').fill('3');
    await page.getByLabel('Items shown').press('Enter');
    await expect.poll(() => page.getByText('3 shown, 102 below the cut').count()).toBe(1);
    await page.getByLabel('Least score').fill('2');
    await page.getByLabel('Least score').press('Enter');
    await expect.poll(() => page.getByText('0 shown, 105 below the cut').count()).toBe(1);
  });

  test('twenty criteria with long and hostile labels keep the layout', async () => {
    const label = JSON.stringify(`<b onclick=x>${'An_endless_label'.repeat(3)}</b>`);
    const many = Array.from({ length: 20 }, (_, k) => `  - { id: c${k}, label: ${label}, expr: candidate.margin }\n`);
    const { page, errors } = await open(
      { profile: folder.write('many.yaml', `tier2_scorers:\n${many.join('')}`), candidates, context: {} },
      { viewport: { width: 1024, height: 768 } },
    );
    expect(await page.getByRole('slider', { name: /^Weight of/ }).count()).toBe(20);
    expect(await widerThanThePage(page)).toEqual([]);
    const panel = page.getByRole('region', { name: 'Controls' });
    const overflow = await panel.evaluate((element) => {
      const { scrollWidth, clientWidth } = element as unknown as { scrollWidth: number; clientWidth: number };
      return scrollWidth - clientWidth;
    });
    expect(overflow).toBe(0);
    expect(errors).toEqual([]);
  });
});
