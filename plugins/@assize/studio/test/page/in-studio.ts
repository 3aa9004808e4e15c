import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { openStudio, type Studio, type StudioOptions, type StudioSource } from '@assize/studio';
import type { StudioData } from '../../src/data/studio-data.js';
import { StudioModel } from '../../src/page/model/studio-model.js';
import { openChromium, openPage } from '../../../../../test/bundling/chromium.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A studio in a page, and its errors. */
export interface StudioPage {
  readonly page: Page;
  readonly studio: Studio;
  readonly errors: readonly string[];
}

/** What a page shows at first. */
export type View = 'simple' | 'expert';

/** Lets the pages of a context open in the expert view: a table, with ids and weights. */
export async function openAsExpert(page: Page): Promise<void> {
  await page.context().addInitScript(`try { localStorage.setItem('assize-studio-expert', 'yes') } catch {}`);
}

/** Does something by its name in the search. */
export async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByLabel('Search items and commands').fill(name);
  await page.getByRole('option', { name, exact: true }).click();
}

/** A button of the recipe, whose menu “More” is opened if it has the button. */
export async function recipeButton(page: Page, name: string): Promise<Locator> {
  const recipe = page.getByRole('region', { name: 'Recipe' });
  const button = recipe.getByRole('button', { name, exact: true });
  if ((await button.count()) === 0) await recipe.locator('.add-buttons summary').click();
  return button;
}

/** Lists only the items that a search finds. */
export async function listOnly(page: Page, search: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByLabel('Search items and commands').fill(search);
  await page.getByRole('option', { name: `List only the items with “${search}”` }).click();
}

/** Opens studios in pages of one browser, which all close after the tests of the file. */
export function inStudio(
  view: View = 'expert',
): (source: StudioSource, options?: BrowserContextOptions & StudioOptions) => Promise<StudioPage> {
  let browser: Browser;
  const studios: Studio[] = [];
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all(studios.map((studio) => studio.close()));
  });
  return async (source, options = { viewport: { width: 1366, height: 768 } }) => {
    const { images, ...context } = options;
    const studio = await openStudio(source, { images });
    studios.push(studio);
    const page = await openPage(browser, context);
    if (view === 'expert') await openAsExpert(page);
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(studio.url);
    await page.getByRole(view === 'expert' ? 'grid' : 'listbox').waitFor();
    return { page, studio, errors };
  };
}

interface Row {
  readonly id: string;
  readonly score: number;
}

/** The ranking by the engine of the page, with the data of its server. */
export async function rankedByPage(url: string): Promise<{ readonly ranked: Row[]; readonly selected: Row[] }> {
  const [origin, token] = url.split('/#token=') as [string, string];
  const answer = await fetch(`${origin}/api/data`, { headers: { authorization: `Bearer ${token}` } });
  const { ranking } = await StudioModel.open((await answer.json()) as StudioData);
  return {
    ranked: ranking.ranked.map(({ id, score }) => ({ id, score })),
    selected: ranking.selected.map(({ id, score }) => ({ id, score: score! })),
  };
}

/** The ids of the drawn rows. */
export const idsOf = (page: Page): Promise<string[]> => page.locator('.grid [role=row] .id').allInnerTexts();

/** The titles of the drawn cards. */
export const shownTitles = (page: Page): Promise<string[]> => page.locator('.card .card-title').allInnerTexts();

/** The elements that reach over the right edge of the page. */
export const widerThanThePage = (page: Page): Promise<readonly string[]> =>
  page.evaluate<string[]>(`document.documentElement.scrollWidth <= innerWidth ? [] :
    [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
      .map((one) => one.outerHTML.slice(0, 200))`);

/** Every violation that axe finds, with its first element. */
export async function violationsIn(page: Page): Promise<unknown> {
  await page.evaluate(axe);
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    'axe.run().then(({ violations }) => violations)',
  );
  return found.map(({ id, nodes }) => [id, nodes[0]?.html]);
}

/** Waits until the page shows these ids first, in this order. */
export async function showsFirst(page: Page, ids: readonly string[]): Promise<void> {
  await expect.poll(async () => (await idsOf(page)).slice(0, ids.length)).toEqual(ids);
}
