import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { packageRoot } from '../../../../../src/base/package-root.js';
import { exportStudio, openStudio, type Studio } from '@assize/studio';
import { CHROMIUM, openChromium, openPage } from '../../../../../test/bundling/chromium.js';
import { films } from '../../../../../test/demo/films.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { listOnly, openAsExpert } from './in-studio.js';

const context = { now: '2011-01-01' };
const candidates = films();
const demo = join(packageRoot(), 'config', 'demo', 'movies.yaml');
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The rows of the list: rank, id and score of the first ones. */
const rowsOf = (page: Page): Promise<string[]> =>
  page
    .locator('[role=row][id]')
    .evaluateAll((rows) =>
      rows.map((row) => (row as unknown as { innerText: string }).innerText.split('\n').slice(0, 4).join(' ').trim()),
    );

const idsOf = (page: Page): Promise<string[]> => page.locator('[role=row] .id').allInnerTexts();

// Its tests depend on each other.
describe.skipIf(CHROMIUM === undefined || !isBuilt)('the studio in a page [chromium]', { shuffle: false }, () => {
  const folder = newFolder();
  const file = join(folder.path, 'movies.yaml');
  let browser: Browser;
  let studio: Studio;
  let page: Page;
  const errors: string[] = [];

  const ranksAsTheFile = async (): Promise<void> => {
    const ranking = await (await createPipeline<object>(file)).rank(candidates, context);
    const shown = await idsOf(page);
    expect(shown.length).toBeGreaterThan(10);
    expect(shown).toEqual(ranking.ranked.slice(0, shown.length).map(({ id }) => id));
  };

  beforeAll(async () => {
    copyFileSync(demo, file);
    studio = await openStudio({ profile: file, candidates, context });
    browser = await openChromium();
    page = await openPage(browser, { viewport: { width: 1400, height: 900 } });
    await openAsExpert(page);
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(studio.url);
    await page.getByRole('grid').waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await studio?.close();
  });

  test('shows the ranking of the file, and hides the token', async () => {
    await ranksAsTheFile();
    expect(page.url()).not.toContain('token');
    expect(await page.getByText('1,435 removed').count()).toBe(1);
  });

  test('ranks change as a weight is dragged, by the arithmetic of the engine', async () => {
    await page.getByLabel('Weight of fresh', { exact: true }).fill('6');
    const pipeline = await createPipeline<object>(file);
    const expected = await pipeline.rank(candidates, context, { weights: { fresh: 6 } });
    await expect
      .poll(() => idsOf(page))
      .toEqual(expected.ranked.slice(0, (await idsOf(page)).length).map(({ id }) => id));
    expect((await rowsOf(page))[0]).toMatch(/^1 ▲ \d+ Toy Story 3/);
  });

  test('undo, redo and reset', async () => {
    const dragged = await idsOf(page);
    await page.keyboard.press('Control+z');
    await expect.poll(() => idsOf(page)).not.toEqual(dragged);
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => idsOf(page)).toEqual(dragged);
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Reset' }).isDisabled()).toBe(true);
    await ranksAsTheFile();
  });

  test('explains by the keyboard, with the notes of the class', async () => {
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const why = page.getByRole('region', { name: /^Why/ });
    await expect.poll(() => why.innerText()).toMatch(/rank 2 of 1,766/);
    await why.locator('summary', { hasText: 'fresh' }).click();
    await expect.poll(() => why.innerText()).toMatch(/old, half-life 3650d[\s\S]*released/);
  });

  test('a comparison, and a change that reverses the order', async () => {
    await page.getByRole('grid').focus();
    await page.keyboard.press('c');
    await page.keyboard.press('ArrowDown');
    const [, second, third] = await idsOf(page);
    const comparison = page.getByRole('region', { name: 'Comparison' });
    await comparison
      .getByRole('button', { name: /^Try this/ })
      .first()
      .click();
    await expect
      .poll(async () => {
        const ids = await idsOf(page);
        return ids.indexOf(third!) < ids.indexOf(second!);
      })
      .toBe(true);
    await page.getByRole('button', { name: 'Reset' }).click();
  });

  test('a disabled rule', async () => {
    await page.getByRole('checkbox', { name: 'divisive' }).uncheck();
    const off = await createPipeline<object>(file)
      .then((one) => one.rank(candidates, context))
      .then((one) => one.whatIf({ without: 'divisive' }));
    await expect
      .poll(async () => (await idsOf(page)).join())
      .toBe(
        off.ranked
          .slice(0, (await idsOf(page)).length)
          .map(({ id }) => id)
          .join(),
      );
  });

  test('a disabled veto, and a param, by the server', async () => {
    await page.getByRole('checkbox', { name: 'few votes' }).uncheck();
    const ranking = await (await createPipeline<object>(file)).rank(candidates, context);
    const off = await ranking.whatIf({ without: ['divisive', 'few_votes'] });
    await expect.poll(() => page.getByText(`${off.ranked.length.toLocaleString('en')} ranked`).count()).toBe(1);
    const shown = await idsOf(page);
    expect(shown).toEqual(off.ranked.slice(0, shown.length).map(({ id }) => id));
    await page.keyboard.press('Control+z');
    await page.getByLabel('few votes: at least').fill('300000');
    await page.getByLabel('few votes: at least').press('Enter');
    const fewer = await ranking.whatIf({ without: 'divisive', params: { few_votes: { min: 300_000 } } });
    await expect.poll(() => page.getByText(`${fewer.ranked.length.toLocaleString('en')} ranked`).count()).toBe(1);
    await page.keyboard.press('Control+z');
    await expect.poll(() => page.getByText('1,766 ranked').count()).toBe(1);
  });

  test('a save changes only the edited characters, and the file then ranks like the page', async () => {
    const before = readFileSync(file, 'utf8');
    const dragged = await idsOf(page);
    await page.getByLabel('Weight of press, as a number').fill('0.5');
    await page.getByLabel('Weight of press, as a number').press('Enter');
    await expect.poll(() => idsOf(page)).not.toEqual(dragged);
    const shown = await idsOf(page);
    await page.getByRole('button', { name: 'Save…' }).click();
    const diff = page.getByRole('dialog');
    await expect.poll(() => diff.innerText()).toContain('weight: 0.5');
    await diff.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => readFileSync(file, 'utf8')).not.toBe(before);
    const expected = before
      .replace(`/ 100', weight: 3 }`, `/ 100', weight: 0.5 }`)
      .replace('> 0.35, multiply: 0.9 }', '> 0.35, multiply: 0.9, enabled: false }');
    expect(readFileSync(file, 'utf8')).toBe(expected);
    await expect.poll(() => page.getByRole('button', { name: 'Save…' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Dismiss' }).click(); // the notice takes lines of the table
    await expect.poll(() => idsOf(page)).toEqual(shown);
    await ranksAsTheFile();
  });

  test('the page follows a change of the file on disk, and reports its mistakes', async () => {
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      text.replace('candidate["Rotten Tomatoes Rating"] / 100', 'candidate["Rotten Tomatoes Rating"] /'),
    );
    await expect
      .poll(() => page.getByRole('alert').allInnerTexts())
      .toEqual([expect.stringMatching(/movies\.yaml:\d+:\d+ error ASZ401/)]);
    writeFileSync(file, readFileSync(demo));
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await ranksAsTheFile();
  });

  test('axe finds no violation', async () => {
    await page.evaluate(readFileSync(axe, 'utf8'));
    const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
      'axe.run().then(({ violations }) => violations)',
    );
    expect(found.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
  });

  test('the page had no errors', () => {
    expect(errors).toEqual([]);
  });

  test('an exported page is one file that works without a server; ids are escaped', async () => {
    const evil = '<img src=x onerror="document.title=1"></script><script>document.title=2</script>';
    const path = await exportStudio(
      { profile: file, candidates: [{ ...candidates[0], id: evil }, ...candidates.slice(1)], context },
      join(folder.path, 'out'),
    );
    const exported = await openPage(browser);
    await openAsExpert(exported);
    const requests: string[] = [];
    exported.on('request', (request) => requests.push(request.url()));
    await exported.goto(pathToFileURL(path).href);
    await exported.getByRole('grid').waitFor();
    await listOnly(exported, 'onerror');
    await exported.getByLabel('Weight of votes', { exact: true }).fill('3');
    expect(await exported.title()).toBe('movies.yaml – Assize studio');
    expect(requests.filter((url) => !url.startsWith('data:'))).toEqual([pathToFileURL(path).href]);
    expect(await exported.getByRole('button', { name: 'Save…' }).count()).toBe(0);
    await exported.close();
  });
});
