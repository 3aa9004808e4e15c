import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { compareProfiles, evaluateProfiles, readDataset } from '@assize/evaluate';
import { differenceText, estimateText, pText, valueText } from '../../../evaluate/src/report/value-texts.js';
import { createPipeline } from 'assize';
import { packageRoot } from '../../../../../src/base/package-root.js';
import { exportStudio, openStudio, type Studio } from '@assize/studio';
import { Effort } from '../../../evaluate/src/tune/tune-options.js';
import { CHROMIUM, openChromium, openPage } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { command, openAsExpert, violationsIn } from './in-studio.js';

const films = join(packageRoot(), 'config', 'evaluation', 'films');

/** Searches for weights continue until they are ended, after this number of ranked queries. */
function fitUntilEnded(queries: number) {
  let pieces = 0;
  return vi.spyOn(Effort.prototype, 'breathe').mockImplementation(async function (this: Effort) {
    const isOver = (pieces += 1) <= queries ? () => true : () => this.isSpent;
    // oxlint-disable-next-line no-await-in-loop -- it waits
    do await new Promise((resolve) => setTimeout(resolve, 1));
    while (!isOver());
  });
}

// Its tests depend on each other.
describe.skipIf(CHROMIUM === undefined || !isBuilt)(
  'queries with judgements in a page [chromium]',
  { shuffle: false },
  () => {
    const folder = newFolder();
    const file = folder.write('measures.yaml', readFileSync(join(films, 'measures.yaml')));
    let browser: Browser;
    let studio: Studio;
    let page: Page;
    const errors: string[] = [];

    const queries = async () => {
      const dataset = await readDataset(join(films, 'films.csv'), { group: 'normalized_query', label: 'score' });
      return dataset.queries;
    };
    /** The profile and one with another weight of title, as assize evaluate compares them. */
    const compared = async () => {
      const lighter = { extends: [file], tier2_scorers: [{ id: 'title', weight: 0.3 }] };
      const pipelines = { left: await createPipeline<object>(file), right: await createPipeline<object>(lighter) };
      const evaluation = await evaluateProfiles(pipelines, await queries(), { measures: ['nDCG@10', 'AP', 'RR'] });
      return { evaluation, differences: compareProfiles(evaluation) };
    };
    const panel = () => page.getByRole('region', { name: 'Queries' });
    const weightOfTitle = () => page.getByLabel('Weight of title, as a number');

    beforeAll(async () => {
      studio = await openStudio({ profile: file, queries: await queries() });
      browser = await openChromium();
      page = await openPage(browser, { viewport: { width: 1400, height: 900 } });
      await openAsExpert(page);
      page.on('pageerror', ({ message }) => errors.push(message));
      await page.goto(studio.url);
      await page.getByRole('grid').waitFor();
    });
    afterAll(async () => {
      await browser?.close();
      await studio?.close();
    });

    test('the mean over all queries changes with a weight, and shows the gains and losses', async () => {
      await expect.poll(() => panel().innerText()).toMatch(/mean of 70 queries:\s*nDCG@10 0\.782/);
      await weightOfTitle().fill('0.3');
      await weightOfTitle().press('Enter');
      await expect.poll(() => panel().innerText()).toMatch(/\d+ better, \d+ worse, \d+ the same\s+gained:[^]*lost:/);
      // A gain has a colour only if the tests decide that it is not chance.
      const coloured = async (part: Locator) => {
        const texts = await part.locator('.quality > span:has(.up, .down)').allInnerTexts();
        return texts.map((text) => text.split(' ')[0]);
      };
      const { differences } = await compared();
      const decided = differences.filter(({ verdict }) => verdict === 'better' || verdict === 'worse');
      await expect.poll(() => coloured(panel())).toEqual(decided.map(({ measure }) => measure));
      expect(await coloured(page.locator('header'))).toEqual([]);
    });

    test('in the split view, both means are compared like assize evaluate does', async () => {
      await page.getByRole('tab', { name: 'Side by side' }).click();
      const { evaluation, differences } = await compared();
      const table = page.getByRole('table', { name: 'Means of 70 queries' });
      for (const { measure, mean, interval, adjusted, verdict } of differences) {
        const difference = estimateText(mean, interval, differenceText);
        const row = [measure, ...evaluation.profiles.map(({ means }) => valueText(means[measure]!)), difference];
        const name = [...row, pText(adjusted), verdict].join(' ');
        // oxlint-disable-next-line no-await-in-loop -- one after another
        await expect.poll(() => table.getByRole('row', { name }).count()).toBe(1);
      }
      expect(await violationsIn(page)).toEqual([]);
      await page.getByRole('tab', { name: 'Table' }).click();
    });

    test('another query is shown with the same weights, and undo continues', async () => {
      const name = (await panel().getByRole('button').first().innerText()).replace(/ [+−].*$/, '');
      await panel().getByRole('button').first().click();
      await expect.poll(() => panel().locator('option:checked').innerText()).toBe(name);
      expect(await weightOfTitle().inputValue()).toBe('0.3');
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => weightOfTitle().inputValue()).toBe('1');
    });

    test('tune shows the gain of its weights, which can be tried and reverted', async () => {
      await command(page, 'Find best weights…');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Find weights' }).click();
      await dialog.getByRole('button', { name: 'Try these weights' }).waitFor();
      expect(await dialog.innerText()).toMatch(/held out, 5 folds by query[^]*95 %: .* p /);
      await dialog.getByRole('button', { name: 'Try these weights' }).click();
      await expect.poll(() => weightOfTitle().inputValue()).not.toBe('1');
      expect(readFileSync(file, 'utf8')).toBe(readFileSync(join(films, 'measures.yaml'), 'utf8'));
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => weightOfTitle().inputValue()).toBe('1');
    });

    test('an ended search shows the best weights so far, as unfinished', async () => {
      const search = fitUntilEnded(70);
      await command(page, 'Find best weights…');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Find weights' }).click();
      await dialog.getByText('fitting').waitFor();
      await dialog.getByRole('button', { name: 'End, and keep the best so far' }).click();
      await dialog.getByText('Unfinished:').waitFor();
      search.mockRestore();
      expect(await dialog.getByRole('button', { name: 'Try these weights' }).count()).toBe(1);
      await page.keyboard.press('Escape');
      await expect.poll(() => dialog.count()).toBe(0);
    });

    test('ask works by the keyboard until it is decided; no answer finds nothing', async () => {
      await command(page, 'Choose between pairs…');
      await page.getByRole('dialog').getByText('Pair 1;').waitFor();
      await page.keyboard.press('q');
      await page.getByRole('dialog').getByText('No question was answered').waitFor();
      expect(await page.getByRole('button', { name: 'Try these weights' }).count()).toBe(0);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
      await command(page, 'Choose between pairs…');
      const dialog = page.getByRole('dialog');
      for (const question of [1, 2, 3]) {
        await dialog.getByText(`Pair ${question};`).waitFor();
        await page.keyboard.press('a');
      }
      await dialog.getByText('Pair 4;').waitFor();
      expect(await violationsIn(page)).toEqual([]);
      await page.keyboard.press('q');
      await expect
        .poll(() => dialog.innerText())
        .toMatch(/\d+ more chosen pairs are needed: \d+ for \d+ criteria, and you have 3/);
      await page.keyboard.press('Escape');
      await expect.poll(() => dialog.count()).toBe(0);
    });

    test('an exported page contains the queries, and uses no server', async () => {
      const path = await exportStudio({ profile: file, queries: await queries() }, join(folder.path, 'out'));
      const exported = await openPage(browser);
      await openAsExpert(exported);
      await exported.goto(pathToFileURL(path).href);
      await expect.poll(() => exported.getByText('mean of 70 queries:').count()).toBe(1);
      await exported.getByText('More', { exact: true }).click();
      expect(
        await exported
          .getByRole('button', { name: 'Expert view' })
          .or(exported.getByRole('button', { name: 'Simple view' }))
          .count(),
      ).toBe(1);
      expect(await exported.getByRole('button', { name: 'Find best weights…' }).count()).toBe(0);
      await exported.close();
    });

    test('the page had no errors', () => {
      expect(errors).toEqual([]);
    });
  },
);
