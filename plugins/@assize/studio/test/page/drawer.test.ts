import { describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { ordinal } from '../../src/page/parts/in-words.js';
import { strengthsText } from '../../src/page/why/verdict.js';
import { weightChange } from '../../src/page/why/weight-words.js';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { inStudio, shownTitles, violationsIn } from './in-studio.js';
import { products, SHOP } from './shop.js';

test('a verdict names the strengths that count most, the weaknesses, and missing data', () => {
  const standings = [
    { id: 'rating', beats: 0.9, weight: 3 },
    { id: 'margin', beats: 0.99, weight: 1 },
    { id: 'size', beats: 1, weight: 0.1 },
    { id: 'newness', beats: 0.1, weight: 1 },
    { id: 'price', beats: 0.5, weight: 1 },
    { id: 'discount', beats: undefined, weight: 1 },
  ];
  expect(strengthsText(standings, (id) => id)).toBe(
    'strong on rating and margin, weak on newness, no data for discount',
  );
  expect(strengthsText([], (id) => id)).toBe('');
});

test('changes of weights in words', () => {
  expect([weightChange(1, 1.7), weightChange(2, 0.5), weightChange(2, 0), weightChange(0, 3)]).toEqual([
    'counts 1.7 times as much',
    'counts 25 % as much',
    'counts nothing',
    'has the weight 3',
  ]);
  expect([1, 2, 3, 11, 12, 13, 22, 1203].map(ordinal)).toEqual([
    '1st',
    '2nd',
    '3rd',
    '11th',
    '12th',
    '13th',
    '22nd',
    '1,203rd',
  ]);
});

describe.skipIf(CHROMIUM === undefined || !isBuilt)('the item drawer of the studio [chromium]', () => {
  const open = inStudio('simple');
  const profile = newFolder().write('shop.yaml', SHOP);
  const candidates = products();
  const rank = async () => (await createPipeline<{ name: string }>(profile)).rank(candidates, {});

  test('shows a verdict, and a waterfall whose parts add up to the score', async () => {
    const { page, errors } = await open({ profile, candidates, context: {} });
    await page.locator('.card').nth(2).click();
    const drawer = page.getByRole('region', { name: /^Why/ });
    expect(await drawer.locator('.verdict').innerText()).toMatch(/^3rd of 105: .*(?:strong|weak) on/);
    const { ranked } = await rank();
    const parts = await drawer.locator('.waterfall tbody .number').allInnerTexts();
    const total = Number(await drawer.locator('.waterfall tfoot .number').innerText());
    expect(total).toBeCloseTo(ranked[2]!.score, 2);
    const sum = parts.reduce((all, part) => all + (Number(part.replace('−', '-')) || 0), 0);
    expect(sum).toBeCloseTo(total, 2);
    await page.getByRole('listbox', { name: 'Items' }).focus();
    await page.keyboard.press('j');
    await expect.poll(() => drawer.locator('.verdict').innerText()).toMatch(/^4th of 105/);
    await drawer.getByText('All details').click();
    expect(await violationsIn(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test('a removed item says where it would be without the rule, which can be switched off', async () => {
    const { page } = await open({ profile, candidates, context: {} });
    const off = await (await rank()).whatIf({ without: 'out_of_stock' });
    const place = off.ranked.findIndex(({ id }) => id === 'sku-13') + 1;
    await page.keyboard.press('Control+k');
    await page.getByLabel('Search items and commands').fill('sku-13');
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('region', { name: /^Why/ });
    await expect.poll(() => drawer.innerText()).toContain(`Would be ${ordinal(place)} without Out of stock.`);
    await drawer.getByRole('button', { name: 'Switch off' }).click();
    await expect.poll(() => drawer.locator('.verdict').innerText()).toMatch(new RegExp(`^${ordinal(place)} of 120`));
  });

  test('what would make it first, makes it first', async () => {
    const { page } = await open({ profile, candidates, context: {} });
    const [, second] = await shownTitles(page);
    await page.locator('.card').nth(1).click();
    await page.getByRole('button', { name: 'What would make it first?' }).click();
    await page.getByRole('region', { name: 'What would make it first' }).getByRole('button').first().click();
    await expect.poll(async () => (await shownTitles(page))[0]).toBe(second);
  });

  test('the search for what makes it first leaves the page free, and can be stopped', async () => {
    const { page } = await open({ profile, candidates: products(30_000), context: {} });
    await page.locator('.card').nth(1).click();
    const search = page.getByRole('button', { name: 'What would make it first?' });
    await search.waitFor();
    // In the page, so that the search cannot end before it is stopped.
    const share = await page.evaluate<number>(`new Promise((done) => {
      const press = (text) => [...document.querySelectorAll('.drawer button')].find((one) => one.textContent === text).click();
      press('What would make it first?');
      const look = () => {
        const { value } = document.querySelector('.drawer progress') ?? {};
        if (!value) return requestAnimationFrame(look);
        press('Stop');
        done(value);
      };
      requestAnimationFrame(look);
    })`);
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan(1);
    await search.waitFor();
  });

  test('compares two to four items, and reverses the order of two', async () => {
    const { page } = await open({ profile, candidates, context: {} });
    const [first, second] = await shownTitles(page);
    await page.getByRole('listbox', { name: 'Items' }).focus();
    for (const key of ['j', 'c', 'j', 'Enter']) await page.keyboard.press(key);
    const comparison = page.getByRole('region', { name: 'Comparison' });
    await comparison
      .getByRole('button', { name: /counts/ })
      .first()
      .click();
    await expect
      .poll(async () => {
        const titles = await shownTitles(page);
        return titles.indexOf(second!) < titles.indexOf(first!);
      })
      .toBe(true);
    await page.getByRole('listbox', { name: 'Items' }).focus();
    for (const key of ['c', 'End', 'c', 'ArrowLeft', 'c']) await page.keyboard.press(key);
    await expect.poll(() => comparison.getByRole('columnheader').count()).toBe(4);
    expect(await violationsIn(page)).toEqual([]);
  });
});
