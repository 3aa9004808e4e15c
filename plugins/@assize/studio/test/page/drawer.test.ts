import { describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';
import type { StudioData } from '../../src/data/studio-data.js';
import { ordinal } from '../../src/page/parts/in-words.js';
import { differencesText } from '../../src/page/why/comparison-words.js';
import { proposalsOf } from '../../src/page/why/proposals.js';
import { StudioModel } from '../../src/page/model/studio-model.js';
import { strengthsText } from '../../src/page/why/verdict.js';

import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { inStudio, shownTitles, violationsIn } from './in-studio.js';
import { type Product, products, SHOP } from './shop.js';

const emptyData: StudioData = {
  title: 'shop',
  profile: {},
  scores: {},
  refusals: {},
  signals: {},
  units: {},
  bounded: {},
  controls: {},
  curves: {},
  context: {},
  candidates: [],
  notes: [],
};

/** What each criterion and boost of the shop adds to a score; a criterion without data counts as the average of the others. */
function partsOf({ rating, fresh, margin, discount, brand }: Product): Readonly<Record<string, number>> {
  const known = (3 * rating) / 5 + 2 * fresh + margin;
  const average = discount === undefined ? known / 6 : (known + discount) / 7;
  return {
    rating: (3 * rating) / 5 / 7,
    newer: (2 * fresh) / 7,
    margin: margin / 7,
    discount: (discount ?? average) / 7,
    'the boost own brand': brand === 'Nordhem' ? 0.05 : 0,
  };
}

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

test('with weights by case, a proposal names the weight of each group instead of one share', async () => {
  const model = await StudioModel.open({
    ...emptyData,
    profile: {
      tier2_scorers: [
        { id: 'rating', expr: 'candidate.rating', weight: 2 },
        { id: 'fresh', expr: 'candidate.fresh' },
      ],
      weights: { by: 'candidate.brand', cases: { Lund: { rating: 4 }, Fjord: { fresh: 5 } } },
    },
    candidates: products(4),
  });
  const texts = (to: number) => proposalsOf(model, [{ id: 'rating', from: 2, to }]).map(({ text }) => text);
  expect(texts(2.5)).toEqual(['If Rating had the weight 2.5 in all groups instead of 2 (Lund: 4)']);
  expect(texts(2)).toEqual(['If Rating had the weight 2 in all groups instead of 2 (Lund: 4)']);
  expect(texts(60)).toEqual([]); // more than nine tenths
});

test('the differences of two items in words', () => {
  const part = (id: string, amount: number) => ({ id, amount, isBoost: false });
  const text = (...parts: ReturnType<typeof part>[]) => differencesText(parts, ['Up', 'Alien'], (id) => id);
  expect(text(part('Press', 0.02), part('Votes', 0.009), part('Fresh', -0.011))).toBe(
    'Up is ahead by 0.018: Press +0.020 and Votes +0.009; Alien gains by Fresh +0.011.',
  );
  expect(text(part('Press', 0.02))).toBe('Up is ahead by 0.020: Press +0.020.');
  expect(text(part('Press', 0.02), part('Fresh', -0.02))).toBe(
    'Up and Alien have nearly the same score: Up gains by Press +0.020; Alien gains by Fresh +0.020.',
  );
});

test('ordinals', () => {
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
  const rank = async () => (await createPipeline<Product>(profile)).rank(candidates, {});

  test('shows a verdict, and a waterfall whose parts add up to the score', async () => {
    const { page, errors } = await open({ profile, candidates, context: {} });
    await page.locator('.card').nth(2).click();
    const drawer = page.getByRole('region', { name: /^Why/ });
    expect(await drawer.locator('.verdict').innerText()).toMatch(
      /^3rd of 105: behind .*, which gains more by .*; it is most above the average in /,
    );
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
    const ways = page.getByRole('region', { name: 'What would make it first' });
    expect(await ways.locator('li > span').first().innerText()).toMatch(/^If .* counted [\d.]+ % instead of [\d.]+ %$/);
    await ways
      .getByRole('button', { name: /^Try this/ })
      .first()
      .click();
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

  test('the first item is ahead of the second by the parts that separate the two', async () => {
    const { page } = await open({ profile, candidates, context: {} });
    const [, second] = await shownTitles(page);
    await page.locator('.card').first().click();
    const verdict = await page.locator('.verdict').innerText();
    expect(verdict).toMatch(/^1st of 105: ahead of .* by /);
    expect(verdict).toContain(`ahead of ${second} by `);
    const [a, b] = (await rank()).ranked.map(({ candidate }) => partsOf(candidate));
    const differences = Object.keys(a!).map((name) => ({ name, by: a![name]! - b![name]! }));
    const [most] = differences.toSorted((one, two) => two.by - one.by);
    expect(verdict.toLowerCase()).toContain(most!.name);
  });

  test('an item that a limit keeps out says so, in the drawer, the search and the review', async () => {
    const limited = newFolder().write(
      'shop.yaml',
      SHOP.replace('{ top: 12 }', '{ top: 12, per: { by: candidate.brand, top: 2 } }'),
    );
    const { page, errors } = await open({ profile: limited, candidates, context: {} });
    const ranking = await (await createPipeline<Product>(limited)).rank(candidates, {});
    const out = ranking.notSelected.find(({ reason }) => reason === 'per')!;
    const words = `${ordinal(out.rank!)} by score, not shown: 2 of ${out.candidate.brand} are already shown`;
    await page.keyboard.press('Control+k');
    await page.getByLabel('Search items and commands').fill(out.candidate.name);
    const result = page.locator('.result', { hasText: out.candidate.name }).locator('.status').first();
    await expect.poll(() => result.innerText()).toBe(words);
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('region', { name: /^Why/ });
    await expect.poll(() => drawer.locator('.verdict').innerText()).toContain(words);
    expect(await drawer.getByRole('button', { name: 'What would make it first?' }).count()).toBe(0);
    expect(errors).toEqual([]);
  });

  test('a removal is named by its condition in words', async () => {
    const named = newFolder().write(
      'shop.yaml',
      SHOP.replace('expr: candidate.stock == 0', 'expr: \'candidate.brand in ["Nordhem", "Casa Viva"]\''),
    );
    const { page } = await open({ profile: named, candidates, context: {} });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('no. 4'); // of Nordhem
    await page.locator('.result.removed').first().click();
    await expect
      .poll(() => page.locator('.verdict').innerText())
      .toBe('Removed by Out of stock: brand is “Nordhem” or “Casa Viva”.');
  });

  test('a removal by bounds names its field, and joined conditions are words', async () => {
    const text = `tier1_scorers:
  - { id: poor, class: ThresholdVeto, params: { value: '["Net price"]', min: 10000 } }
  - { id: gone, expr: 'candidate.stock == 0 && candidate.price > 10' }
tier2_scorers: [{ id: rating, expr: candidate.rating / 5 }]
`;
    const priced = candidates.map((one, k) => ({ ...one, 'Net price': k === 3 ? 8778 : 40_000 }));
    const bounded = newFolder().write('shop.yaml', text);
    const { page } = await open({ profile: bounded, candidates: priced, context: {} });
    const verdictOf = async (id: string): Promise<string> => {
      await page.keyboard.press('Control+k');
      await page.getByLabel('Search items and commands').fill(id);
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: `Why ${id}`, exact: true }).waitFor();
      return page.locator('.verdict').innerText();
    };
    expect(await verdictOf('sku-3')).toBe('Removed by Poor: Net price is 8,778, below 10,000.');
    expect(await verdictOf('sku-13')).toBe('Removed by Gone: stock is 0 and price is more than 10.');
  });

  test('a removed item in the comparison is not scored', async () => {
    const { page } = await open({ profile, candidates, context: {} });
    await page.locator('.card').first().click();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.keyboard.press('Control+k');
    await page.getByLabel('Search items and commands').fill('sku-13');
    await page.keyboard.press('Enter');
    const comparison = page.getByRole('region', { name: 'Comparison' });
    await expect.poll(() => comparison.innerText()).toContain('not scored (removed by Out of stock)');
    expect(await comparison.innerText()).not.toContain('no data');
  });

  test('compares two to four items, and reverses the order of two', async () => {
    const { page } = await open({ profile, candidates, context: {} });
    const [first, second] = await shownTitles(page);
    await page.getByRole('listbox', { name: 'Items' }).focus();
    for (const key of ['j', 'c', 'j', 'Enter']) await page.keyboard.press(key);
    const comparison = page.getByRole('region', { name: 'Comparison' });
    expect(await comparison.locator('p').first().innerText()).toContain(`${first} is ahead by 0.`);
    const { ranked } = await rank();
    const footer = await comparison.locator('tfoot td').allInnerTexts();
    expect(footer.slice(0, 2)).toEqual(ranked.slice(0, 2).map(({ score }) => score.toFixed(3)));
    const differences = await comparison.locator('tbody td:last-child').allInnerTexts();
    const sum = differences.reduce((all, one) => all + (Number(one.replace('−', '-')) || 0), 0);
    expect(sum).toBeCloseTo(ranked[0]!.score - ranked[1]!.score, 2);
    await comparison
      .getByRole('button', { name: /^Try this/ })
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
