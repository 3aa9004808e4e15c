import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { inStudio } from './in-studio.js';
import { products } from './shop.js';

const SIX = `tier1_scorers:
  - { id: poor, class: ThresholdVeto, params: { value: rating, min: 2 } }
tier2_scorers:
  - { id: rating, label: Rating, expr: candidate.rating / 5, weight: 3 }
  - { id: newness, expr: candidate.fresh, weight: 2 }
  - { id: low, expr: 1 - candidate.price / 300 }
  - { id: in_stock, expr: candidate.stock / 10 }
  - { id: again, expr: candidate.rating / 10 }
  - { id: sixth, expr: candidate.price / 1000 }
adjustments: [{ id: own_brand, when: candidate.stock > 4, add: 0.05 }]
select: { top: 30, per: { by: candidate.brand, top: 9 } }
`;

/** The controls that are cut by the page or by what they are in, and the width of a page that scrolls sideways. */
const CUT = `(() => {
  const found = [];
  const width = innerWidth;
  if (document.documentElement.scrollWidth > width) found.push('the page is ' + document.documentElement.scrollWidth);
  for (const one of document.querySelectorAll('button, input, select, summary, [role=tab], [role=slider]')) {
    const { left, right, bottom, width: own } = one.getBoundingClientRect();
    if (!one.checkVisibility() || own === 0) continue;
    const name = one.ariaLabel || one.textContent || one.className;
    if (left < -1 || right > width + 1) found.push(name + ' is outside of the page');
    let scrolls = false;
    for (let outer = one.parentElement; outer; outer = outer.parentElement) {
      const box = outer.getBoundingClientRect();
      const { overflowX, overflowY } = getComputedStyle(outer);
      if (overflowX !== 'visible' && (right > box.right + 1 || left < box.left - 1)) found.push(name + ' is cut by ' + outer.className);
      if (overflowY === 'hidden' && !scrolls && bottom > box.bottom + 1) found.push(name + ' is cut at the end of ' + outer.className);
      scrolls ||= /auto|scroll/.test(overflowY);
    }
  }
  return found;
})()`;

/** Sets the size of text before the page loads, as the settings of a browser do. */
const textOf = (percent: number): string => `new MutationObserver((_, observer) => {
  if (!document.documentElement) return;
  document.documentElement.style.fontSize = '${percent}%';
  observer.disconnect();
}).observe(document, { childList: true })`;

describe.skipIf(CHROMIUM === undefined || !isBuilt)('windows and sizes of text [chromium]', () => {
  const open = inStudio('simple');
  const folder = newFolder();
  const candidates = products(60);

  /** What a person needs at any size. */
  async function checkControls(page: Page): Promise<void> {
    expect(await page.evaluate<readonly string[]>(CUT)).toEqual([]);
    for (const name of ['Judge', 'Undo', 'Redo', 'Search items and commands', 'Reset']) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect(await page.getByRole('button', { name }).first().isVisible(), name).toBe(true);
    }
  }

  test.each([
    [1440, 900, 100],
    [1024, 768, 100],
    [512, 768, 100],
    [390, 844, 100],
    [1440, 900, 200],
    [1024, 768, 200],
    [512, 768, 200],
    [390, 844, 200],
    [720, 450, 100], // 1440 × 900 at a zoom of 200 %
    [512, 384, 100], // 1024 × 768
    [195, 422, 100], // 390 × 844
  ])(
    '%i × %i pixels, text of %i percent: no control is cut, and adding needs no scrolling',
    async (width, height, text) => {
      const profile = folder.write('six.yaml', SIX);
      const { page, studio, errors } = await open(
        { profile, candidates, context: {} },
        { viewport: { width, height } },
      );
      if (text !== 100) {
        await page.addInitScript(textOf(text));
        await page.goto('about:blank');
        await page.goto(studio.url);
        await page.getByRole('listbox').waitFor();
      }
      await checkControls(page);
      const toggle = page.locator('.sheet-toggle');
      if (await toggle.isVisible()) {
        await toggle.click();
        await page.getByRole('region', { name: 'Recipe' }).waitFor();
        await checkControls(page);
      }
      const recipe = page.getByRole('region', { name: 'Recipe' });
      const add = recipe.getByRole('button', { name: 'Removal', exact: true });
      await page.evaluate(`document.querySelector('.controls > .tab-panel').scrollTo(0, 9999)`);
      await expect
        .poll(() => page.evaluate<number>(`document.querySelector('.controls > .tab-panel').scrollTop`))
        .toBeGreaterThan(0);
      await add.scrollIntoViewIfNeeded();
      expect(await page.evaluate<number>(`document.querySelector('.controls > .tab-panel').scrollTop`)).toBeGreaterThan(
        0,
      );
      await add.click();
      const dialog = page.getByRole('dialog', { name: 'Add a removal' });
      await dialog.waitFor();
      expect(await page.evaluate<readonly string[]>(CUT)).toEqual([]);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      await recipe.locator('.add-buttons summary').click();
      const last = recipe.getByRole('button', { name: 'Another part', exact: true });
      await last.scrollIntoViewIfNeeded();
      expect(await page.evaluate<readonly string[]>(CUT)).toEqual([]);
      await last.click();
      await page.getByRole('dialog', { name: 'Add another part' }).waitFor();
      expect(errors).toEqual([]);
    },
  );
});
