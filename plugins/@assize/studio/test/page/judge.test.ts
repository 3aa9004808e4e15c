import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { evaluateProfiles, readDataset, readPairs } from '@assize/evaluate';
import { openStudio } from '@assize/studio';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { command, inStudio, shownTitles, violationsIn, widerThanThePage } from './in-studio.js';
import { products, SHOP } from './shop.js';

const bar = (page: Page) => page.getByRole('region', { name: 'Judge' });
const barText = async (page: Page) => (await bar(page).innerText()).replaceAll(/\s+/g, ' ');

/** Starts the mode by its button. */
const judge = (page: Page) => page.getByRole('button', { name: 'Judge', exact: true }).click();

describe.skipIf(CHROMIUM === undefined || !isBuilt)('judging in a page [chromium]', () => {
  const open = inStudio('simple');

  /** A shop in its own folder, whose grades file is empty at first. */
  const newShop = () => {
    const folder = newFolder();
    const profile = folder.write('shop.yaml', SHOP);
    const candidates = products(48);
    const file = folder.write('shop.json', JSON.stringify(candidates));
    const gradesFile = join(folder.path, 'shop.grades.jsonl');
    const lines = () =>
      readFileSync(gradesFile, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { readonly id: string; readonly grade: number | null });
    return { profile, file, gradesFile, lines, source: { profile, candidates, context: {} } };
  };
  const grades = async (lines: () => readonly { readonly grade: number | null }[]) => lines().map(({ grade }) => grade);

  test('grades by keys alone, moves to the next item, and evaluate measures the same to the bit', async () => {
    const { profile, file, gradesFile, lines, source } = newShop();
    const { page, errors } = await open(source);
    await page.locator('.shelf').focus();
    await page.keyboard.press('g');
    await bar(page).waitFor();
    expect(await page.locator('.card.active .card-rank').innerText()).toBe('1');
    for (const key of ['3', '0', '2', '1', '3', '2']) await page.keyboard.press(key);
    await expect.poll(() => barText(page)).toMatch(/6 of \d+ graded quality 0\.\d{3}/);
    expect(await page.locator('.card.active .card-rank').innerText()).toBe('7');
    // The file is written later than the page: its states are read one by one.
    await expect.poll(() => grades(lines)).toEqual([3, 0, 2, 1, 3, 2]);
    await page.keyboard.press('k');
    await page.keyboard.press('Backspace');
    await expect.poll(() => barText(page)).toMatch(/5 of \d+ graded/);
    await expect.poll(() => grades(lines)).toHaveLength(5); // before that, the file has the earlier six
    await page.keyboard.press('Control+z');
    await expect.poll(() => barText(page)).toMatch(/6 of \d+ graded/);
    await expect.poll(() => grades(lines)).toEqual([3, 0, 2, 1, 3, 2]);
    const { queries, hasQueries } = await readDataset(file, { grades: gradesFile });
    expect(hasQueries).toBe(true);
    const evaluation = await evaluateProfiles({ shop: await createPipeline(profile) }, queries, {
      measures: ['nDCG@10'],
    });
    const quality = evaluation.profiles[0]!.means['nDCG@10']!.toFixed(3);
    await expect.poll(() => barText(page)).toContain(`quality ${quality}`);
    expect(errors).toEqual([]);
  });

  test('grades by the mouse, on a card and by the buttons; undo and redo keep the order of all steps', async () => {
    const { lines, source } = newShop();
    const { page } = await open(source);
    await page.getByRole('button', { name: 'Judge', exact: true }).click();
    await page.locator('.card').nth(2).locator('[data-grade="2"]').click();
    await expect.poll(() => page.locator('.card').nth(2).locator('.grade').innerText()).toBe('good');
    const [, , , next = ''] = await shownTitles(page);
    const group = bar(page).getByRole('group', { name: `Grade of ${next}` });
    await group.getByRole('button', { name: 'bad' }).click();
    await expect.poll(() => grades(lines)).toEqual([2, 0]);
    const sizes = await page.evaluate<number[]>(
      `[...document.querySelectorAll('[data-grade], .judge button')].flatMap((one) => {
        const { width, height } = one.getBoundingClientRect();
        return [width, height];
      })`,
    );
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(23.5);
    await page.getByLabel('Weight of Newer', { exact: true }).fill('9');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.getByLabel('Weight of Newer', { exact: true }).inputValue()).not.toBe('9');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => grades(lines)).toEqual([2]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => grades(lines)).toEqual([]);
    await page.getByRole('button', { name: 'Redo' }).click();
    await expect.poll(() => grades(lines)).toEqual([2]);
  });

  test('grades survive a reload and a restart of the server', async () => {
    const { lines, source } = newShop();
    const { page, studio } = await open(source);
    await page.keyboard.press('Control+k');
    await page.getByLabel('Search items and commands').fill('Judge');
    await page.getByRole('option', { name: /^Judge items/ }).click();
    await bar(page).waitFor();
    for (const key of ['3', '1']) await page.keyboard.press(key);
    await expect.poll(() => grades(lines)).toEqual([3, 1]);
    await page.reload();
    await page.getByRole('listbox').waitFor();
    await judge(page);
    await expect.poll(() => barText(page)).toMatch(/2 of \d+ graded/);
    await studio.close();
    const again = await openStudio(source);
    await page.goto(again.url);
    await page.getByRole('listbox').waitFor();
    await judge(page);
    await expect.poll(() => barText(page)).toMatch(/2 of \d+ graded/);
    expect(await page.locator('.card .grade').allInnerTexts()).toEqual(['perfect', 'fair']);
    await page.close();
    await again.close();
  });

  test('two tabs show the grades of each other, and lose none', async () => {
    const { lines, source } = newShop();
    const { page, studio } = await open(source);
    const other = await page.context().newPage();
    await other.goto(studio.url);
    await other.getByRole('listbox').waitFor();
    await judge(page);
    await page.locator('.card').nth(6).click();
    await judge(other);
    await bar(other).waitFor();
    await Promise.all([
      (async () => {
        for (const key of ['1', '1', '1', '1']) await page.keyboard.press(key);
      })(),
      (async () => {
        for (const key of ['2', '2', '2', '2']) await other.keyboard.press(key);
      })(),
    ]);
    await expect
      .poll(async () => (await grades(lines)).toSorted((a, b) => Number(a) - Number(b)))
      .toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
    for (const one of [page, other]) {
      // oxlint-disable-next-line no-await-in-loop -- one page after another
      await expect.poll(() => barText(one)).toMatch(/8 of \d+ graded/);
    }
  });

  test('an item that another program grades at the same time: keep yours, or take theirs', async () => {
    const { gradesFile, lines, source } = newShop();
    const { page } = await open(source);
    await judge(page);
    await page.keyboard.press('1');
    await expect.poll(() => grades(lines)).toEqual([1]);
    await page.keyboard.press('k');
    // The page grades the item again before the server reports the change.
    await page.route('**/api/changed*', (route) => route.abort());
    writeFileSync(gradesFile, readFileSync(gradesFile, 'utf8').replace('"grade":1', '"grade":3'));
    await page.keyboard.press('0');
    await bar(page)
      .getByText(/was graded 3 in shop\.grades\.jsonl meanwhile/)
      .waitFor();
    expect(await page.locator('.card .grade').allInnerTexts()).toEqual(['perfect']);
    await bar(page).getByRole('button', { name: 'Keep yours' }).click();
    await expect.poll(() => grades(lines)).toEqual([0]);
    expect(await page.locator('.card .grade').allInnerTexts()).toEqual(['bad']);
  });

  test('a grade that cannot be written is taken back, and the page says why', async () => {
    const { gradesFile, lines, source } = newShop();
    const { page } = await open(source);
    await judge(page);
    await page.keyboard.press('3');
    await expect.poll(() => grades(lines)).toEqual([3]);
    chmodSync(gradesFile, 0o444);
    await page.keyboard.press('1');
    await bar(page).getByRole('alert').getByText('not saved: shop.grades.jsonl is read-only').waitFor();
    await expect.poll(() => page.locator('[data-grade].given').allInnerTexts()).toEqual(['3']);
    chmodSync(gradesFile, 0o644);
    await page.keyboard.press('2');
    await expect.poll(() => grades(lines)).toEqual([3, 2]);
    expect(await bar(page).getByRole('alert').count()).toBe(0);
  });

  test('with several queries, grades belong to the current one, and the mean equals that of evaluate', async () => {
    const folder = newFolder();
    const profile = folder.write(
      'words.yaml',
      'tier2_scorers: [{ id: a, expr: candidate.a }, { id: b, expr: candidate.b }]\n',
    );
    const rows = Array.from({ length: 30 }, (_, k) => ({
      query: `q${k % 3}`,
      id: k === 0 ? '__proto__' : `r${k}`,
      a: (k * 7) % 11,
      b: (k * 5) % 13,
      old: k % 3 === 2 ? undefined : k % 2,
    }));
    const file = folder.write('rows.json', JSON.stringify(rows));
    const { queries } = await readDataset(file, { group: 'query', label: 'old', unjudged: true });
    const { page } = await open({ profile, queries, label: 'old' });
    await judge(page);
    expect(await bar(page).getByRole('combobox', { name: 'Scale' }).inputValue()).toBe('1');
    await bar(page).getByRole('combobox', { name: 'Scale' }).selectOption('3');
    await page.locator('.shelf').focus();
    for (const key of ['3', 'Backspace', 'j', '2']) await page.keyboard.press(key);
    await page.getByRole('combobox', { name: 'Query' }).selectOption('2');
    await expect.poll(() => barText(page)).toContain('0 of 10 graded for q2');
    await page.locator('.shelf').focus();
    for (const key of ['0', '1', '3', '2', '1']) await page.keyboard.press(key);
    await expect.poll(() => barText(page)).toContain('5 of 10 graded for q2');
    await expect
      .poll(async () => readFileSync(join(folder.path, 'words.grades.jsonl'), 'utf8').match(/"q2"/g)?.length)
      .toBe(5);
    const given = { group: 'query', label: 'old', grades: join(folder.path, 'words.grades.jsonl') };
    const evaluation = await evaluateProfiles(
      { words: await createPipeline(profile) },
      (await readDataset(file, given)).queries,
      { measures: ['nDCG@10'] },
    );
    const mean = evaluation.profiles[0]!.means['nDCG@10']!.toFixed(3);
    await expect
      .poll(() => page.getByRole('region', { name: 'Queries' }).innerText())
      .toMatch(new RegExp(`mean of 3 queries:\\s*quality ${mean}`, 'i'));
  });

  test('pairs are chosen by keys and the mouse, without scores, and kept in a file for tune', async () => {
    const { profile, file, source } = newShop();
    const { page } = await open(source);
    await command(page, 'Choose between pairs…');
    const dialog = page.getByRole('dialog');
    const answers = () => readPairs(profile.replace('.yaml', '.answers.jsonl'));
    await dialog.getByText('Pair 1; 20 more needed;').waitFor();
    expect(await dialog.locator('.pair').innerText()).not.toMatch(/score|0\.\d/);
    await page.keyboard.press('ArrowLeft');
    await dialog.getByText('Pair 2; 19 more needed;').waitFor();
    await page.keyboard.press('ArrowRight');
    await dialog.getByText('Pair 3; 18 more needed;').waitFor();
    await page.keyboard.press('ArrowDown');
    await dialog.getByText('Pair 4; 18 more needed;').waitFor();
    await dialog.locator('.pair button').nth(1).click();
    await dialog.getByText('Pair 5; 17 more needed;').waitFor();
    expect((await answers()).map(({ winner }) => winner)).toEqual(['a', 'b', 'same', 'b']);
    await page.keyboard.press('q');
    await dialog.getByText('17 more chosen pairs are needed: 20 for 4 criteria, and you have 3.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Try these weights' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await command(page, 'Choose between pairs…');
    // A person who wants the newest items: the answers find that.
    const items = new Map(products(48).map((one) => [one.name, one.fresh]));
    for (let pair = 5; ; pair++) {
      // oxlint-disable-next-line no-await-in-loop -- one question after another
      await dialog
        .getByText(new RegExp(`Pair ${pair};|agree with`))
        .first()
        .waitFor();
      // oxlint-disable-next-line no-await-in-loop -- one question after another
      const [left, right] = await dialog.locator('.pair b').allInnerTexts();
      if (left === undefined || right === undefined) break;
      // oxlint-disable-next-line no-await-in-loop -- one question after another
      await page.keyboard.press(items.get(left)! > items.get(right)! ? 'ArrowLeft' : 'ArrowRight');
    }
    expect(await dialog.innerText()).toMatch(
      /Newer counts more: \d+ % → \d+ %\.[^]*Of \d+ pairs that you chose, the new weights agree with \d+ \(before \d+\)/,
    );
    const saved = readFileSync(profile, 'utf8');
    await dialog.getByRole('button', { name: 'Try these weights' }).click();
    await expect.poll(() => page.locator('.changes').innerText()).toMatch(/changes? against the saved profile/);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.locator('.changes').innerText()).toContain('No changes');
    expect(readFileSync(profile, 'utf8')).toBe(saved);
    const dataset = await readDataset(file, { pairs: profile.replace('.yaml', '.answers.jsonl') });
    expect(dataset).toMatchObject({ arePairs: true });
  });

  test('is clean for axe and fits at 1440 and 390 pixels, with the dialogs', async () => {
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one page after another
      await (async () => {
        const { source } = newShop();
        const { page } = await open(source, { viewport });
        await page.getByRole('button', { name: 'Judge', exact: true }).click();
        await page.keyboard.press('2');
        await page.keyboard.press('0');
        await expect.poll(() => barText(page)).toMatch(/2 of \d+ graded/);
        expect(await violationsIn(page)).toEqual([]);
        expect(await widerThanThePage(page)).toEqual([]);
        await bar(page).getByRole('button', { name: 'Choose between pairs…' }).click();
        await page.getByRole('dialog').getByText('Pair 1; 20 more needed;').waitFor();
        expect(await violationsIn(page)).toEqual([]);
        await page.keyboard.press('q');
        await page.getByRole('dialog').getByText('No question was answered').waitFor();
        await page.keyboard.press('Escape');
        await bar(page).getByRole('button', { name: 'Find best weights…' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Find weights' }).click();
        await page.getByRole('dialog').getByText('38 more grades are needed').waitFor();
        expect(await violationsIn(page)).toEqual([]);
      })();
    }
  });
});
