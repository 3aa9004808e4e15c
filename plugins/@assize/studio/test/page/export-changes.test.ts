import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Download, Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { linkState } from '../../src/data/link-state.js';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { command, idsOf as allIdsOf, inStudio } from './in-studio.js';
import { products, SHOP } from './shop.js';

/** The file of a download, under its own name. */
async function downloaded(page: Page, start: () => Promise<void>): Promise<Download> {
  const download = page.waitForEvent('download');
  await start();
  return download;
}

/** The ids of the first rows: how many are drawn depends on the height. */
const idsOf = async (page: Page): Promise<readonly string[]> => (await allIdsOf(page)).slice(0, 10);

const changesOf = (page: Page): Locator => page.getByRole('region', { name: 'Changes' });

const review = async (page: Page): Promise<Locator> => {
  await changesOf(page)
    .getByRole('button', { name: /^Review/ })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor(); // its part of the page may be loaded by then
  return dialog;
};

const SHOP_WITH_CLASSES = SHOP.replace(
  'adjustments:',
  `  - { id: price, class: LinearScorer, params: { weights: { price: -0.001 }, intercept: 0.5 }, weight: 1 }
  - { id: curve, class: CurveScorer, params: { value: price, points: [[20, 1], [220, 0]] }, weight: 1 }
adjustments:`,
).replace(
  'tier2_scorers:',
  '  - { id: cheap, class: ThresholdVeto, params: { value: price, min: 30 } }\ntier2_scorers:',
);

describe.skipIf(CHROMIUM === undefined || !isBuilt)('a page for a colleague [chromium]', () => {
  const open = inStudio();
  const folder = newFolder();
  const candidates = products();
  let files = 0;
  const newProfile = (text = SHOP): string => folder.write(`shop-${(files += 1)}.yaml`, text);

  /** Exports a page by the button of the review, and opens it from its file, without a server. */
  async function exported(page: Page): Promise<{ readonly other: Page; readonly errors: readonly string[] }> {
    const dialog = await review(page);
    const download = await downloaded(page, () =>
      dialog.getByRole('button', { name: 'Export for a colleague' }).click(),
    );
    expect(download.suggestedFilename()).toMatch(/^shop-\d+-studio\.html$/);
    const path = folder.write(download.suggestedFilename(), readFileSync(await download.path()));
    const other = await page.context().newPage();
    const errors: string[] = [];
    other.on('pageerror', ({ message }) => errors.push(message));
    other.on('request', (request) => {
      if (!/^(?:file|data|blob):/.test(request.url())) errors.push(request.url());
    });
    await other.goto(pathToFileURL(path).href);
    await other.getByRole('grid').waitFor();
    return { other, errors };
  }

  test('opens with the changed ranking and the changes, which can be undone', async () => {
    const { page, errors } = await open({ profile: newProfile(), candidates, context: {} });
    const saved = await idsOf(page);
    await page.getByLabel('Weight of Newer', { exact: true }).fill('5');
    await page.getByLabel('Weight of Newer', { exact: true }).press('Enter');
    await expect.poll(() => idsOf(page)).not.toEqual(saved);
    const changed = await idsOf(page);
    const effects = (of: Page) => changesOf(of).locator('.effects').innerText();
    const said = await effects(page);
    expect(said).toContain('1 change');
    const { other, errors: otherErrors } = await exported(page);
    expect(await idsOf(other)).toEqual(changed);
    expect(await effects(other)).toBe(said);
    const dialog = await review(other);
    expect(await dialog.innerText()).toMatch(/Newer counts 50 % \(was 29 %\)/);
    expect(await dialog.getByRole('button', { name: 'Export for a colleague' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await changesOf(other).getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => idsOf(other)).toEqual(saved);
    await other.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => idsOf(other)).toEqual(changed);
    expect([...errors, ...otherErrors]).toEqual([]);
  });

  test('has the answers of the server about params, removals and added entries', async () => {
    const { page, studio, errors } = await open({ profile: newProfile(SHOP_WITH_CLASSES), candidates, context: {} });
    const saved = await idsOf(page);
    const off = ['out_of_stock'];
    const state = {
      settings: { off, params: { cheap: { min: 60 }, price: { intercept: 1 } }, weights: { rating: 1 } },
    };
    await page.goto(`${studio.url.replace(/#.*/, '')}#${linkState(state)}`);
    await expect.poll(() => changesOf(page).innerText()).toContain('3 changes');
    await command(page, 'Limit per group…');
    await page.getByRole('dialog').getByRole('button', { name: 'Add limit' }).click();
    await expect.poll(() => changesOf(page).innerText()).toContain('4 changes');
    await expect.poll(() => idsOf(page)).not.toEqual(saved);
    const changed = await idsOf(page);
    const words = async (of: Page) =>
      (await (await review(of)).getByRole('list').first().innerText()).split('\n').sort();
    const said = await words(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    const { other, errors: otherErrors } = await exported(page);
    expect(await idsOf(other)).toEqual(changed);
    expect(await words(other)).toEqual(said);
    expect([...errors, ...otherErrors]).toEqual([]);
  });

  test('says why an item was removed in the same words: bounds with their field, and conditions', async () => {
    const text = `tier1_scorers:
  - { id: poor, class: ThresholdVeto, params: { value: '["Net price"]', min: 10000 } }
  - { id: gone, expr: 'size(candidate.brand) == 4 && candidate.stock == 0' }
tier2_scorers: [{ id: rating, expr: candidate.rating / 5 }]
`;
    const priced = candidates.map((one, k) => ({
      ...one,
      ...(k === 13 && { brand: 'Lund', stock: 0 }),
      'Net price': k === 3 ? 8778 : 40_000,
    }));
    const { page, errors } = await open({ profile: newProfile(text), candidates: priced, context: {} });
    const saysWhy = async (of: Page): Promise<void> => {
      await of.locator('.not-selected').getByText('Removed by a rule').click();
      await of.locator('.not-selected').getByText('Poor').click();
      const item = of.getByRole('listitem').filter({ hasText: 'Net price is' });
      await expect.poll(() => item.innerText()).toBe('sku-3 Net price is 8,778, below 10,000');
      await item.getByRole('button').click();
      await expect
        .poll(() => of.locator('.verdict').innerText())
        .toBe('Removed by Poor: Net price is 8,778, below 10,000.');
    };
    await saysWhy(page);
    await page.getByLabel('Items shown').fill('50');
    await page.getByLabel('Items shown').press('Enter');
    const { other, errors: otherErrors } = await exported(page);
    await saysWhy(other);
    expect([...errors, ...otherErrors]).toEqual([]);
  });

  test('ranks and measures every query by the changes, if there are several', async () => {
    const queries = [0, 1].map((k) => ({
      id: `q${k}`,
      candidates: candidates.slice(k * 60, k * 60 + 60),
      grades: Array.from({ length: 60 }, (_, n) => (n < 20 ? n % 3 : undefined)),
    }));
    const { page, studio, errors } = await open({ profile: newProfile(SHOP_WITH_CLASSES), queries });
    const state = { settings: { off: ['out_of_stock', 'cheap'], weights: { margin: 4 } } };
    await page.goto(`${studio.url.replace(/#.*/, '')}#${linkState(state)}`);
    await expect.poll(() => changesOf(page).innerText()).toContain('3 changes');
    const quality = (of: Page) => of.locator('.queries').innerText();
    const { other, errors: otherErrors } = await exported(page);
    await expect.poll(() => quality(other)).toBe(await quality(page));
    expect(await idsOf(other)).toEqual(await idsOf(page));
    expect([...errors, ...otherErrors]).toEqual([]);
  });
});

describe.skipIf(CHROMIUM === undefined || !isBuilt)('changes as a link or a file [chromium]', () => {
  const open = inStudio();
  const folder = newFolder();
  const candidates = products();
  const text = `${SHOP.replace('weight: 2', 'weight: 9')}${'# A note for the next person.\n'.repeat(300)}`;
  const settings = { edits: [{ text }], weights: { discount: 0 } };
  const alerts = (page: Page) => page.getByRole('alert').allInnerTexts();

  /** Drops a text as a file in the page. */
  async function drop(page: Page, name: string, content: string): Promise<void> {
    await page.evaluate(
      `{ const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}));
      for (const type of ['dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })); }`,
    );
  }

  test('are a file if they are too long for a link; another page of the profile opens it', async () => {
    const profile = folder.write('shop.yaml', SHOP);
    const { page, studio, errors } = await open({ profile, candidates, context: {} });
    const saved = await idsOf(page);
    await page.getByLabel('Weight of Newer', { exact: true }).fill('9');
    await page.getByLabel('Weight of Newer', { exact: true }).press('Enter');
    const short = await review(page);
    expect(await short.getByRole('button', { name: 'Copy link' }).count()).toBe(1);
    expect(await short.getByRole('button', { name: 'Download changes' }).count()).toBe(0);
    await short.getByRole('button', { name: 'Cancel' }).click();
    const address = studio.url.replace(/#.*/, '');
    await page.goto(`${address}#${linkState({ settings })}`);
    await expect.poll(() => changesOf(page).innerText()).toContain('2 changes');
    const changed = await idsOf(page);
    expect(changed).not.toEqual(saved);
    const dialog = await review(page);
    expect(await dialog.getByRole('button', { name: 'Copy link' }).count()).toBe(0);
    const download = await downloaded(page, () => dialog.getByRole('button', { name: 'Download changes' }).click());
    expect(download.suggestedFilename()).toBe('shop-changes.json');
    const file = folder.write('shop-changes.json', readFileSync(await download.path()));
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    const moved = newFolder();
    const { page: other, errors: otherErrors } = await open({
      profile: moved.write('shop.yaml', `# elsewhere\n${SHOP}`),
      candidates,
      context: {},
    });
    expect(await idsOf(other)).toEqual(saved);
    const chooser = other.waitForEvent('filechooser');
    await command(other, 'Open a file of changes…');
    await (await chooser).setFiles(file);
    await expect.poll(() => idsOf(other)).toEqual(changed);
    await expect.poll(() => alerts(other)).toEqual(['the changes were made for another version of shop.yaml']);
    await other.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => idsOf(other)).toEqual(saved);
    await drop(other, 'shop-changes.json', readFileSync(file, 'utf8'));
    await expect.poll(() => idsOf(other)).toEqual(changed);
    expect([...errors, ...otherErrors]).toEqual([]);
  });

  test('of another profile, and other files, are refused', async () => {
    const { page, errors } = await open({ profile: folder.write('books.yaml', SHOP), candidates, context: {} });
    const saved = await idsOf(page);
    const file = { format: 'assize-studio-changes', settings: { weights: { newness: 9 } } };
    const cases = [
      [
        'notes.txt',
        'hello',
        'notes.txt is not a file of changes: expected a file that “Download changes” of the studio has written',
      ],
      [
        'x.json',
        '{}',
        'x.json is not a file of changes: expected a file that “Download changes” of the studio has written',
      ],
      [
        'shop.json',
        JSON.stringify({ ...file, profile: { title: 'shop.yaml', entries: ['rating'] } }),
        'shop.json has changes of the profile shop.yaml; this page shows books.yaml',
      ],
      [
        'same.json',
        JSON.stringify({ ...file, profile: { title: 'books.yaml', entries: ['pages', 'year'] } }),
        'same.json has changes of another profile with the name books.yaml: this one has no entry pages, year',
      ],
      [
        'bad.json',
        JSON.stringify({ ...file, profile: { title: 'books.yaml', entries: ['rating'] }, settings: { weights: 'x' } }),
        'bad.json is damaged, so its changes are not applied',
      ],
    ] as const;
    for (const [name, content, said] of cases) {
      // oxlint-disable-next-line no-await-in-loop -- one file after the other
      await drop(page, name, content);
      // oxlint-disable-next-line no-await-in-loop -- one file after the other
      await expect.poll(() => alerts(page)).toEqual([said]);
    }
    expect(await idsOf(page)).toEqual(saved);
    expect(await changesOf(page).innerText()).toContain('No changes');
    await drop(page, 'good.json', JSON.stringify({ ...file, profile: { title: 'books.yaml', entries: ['rating'] } }));
    await expect.poll(() => idsOf(page)).not.toEqual(saved);
    expect(await alerts(page)).toEqual([]);
    expect(errors).toEqual([]);
  });
});
