import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { openStudio, type Studio, type StudioSource } from '@assize/studio';
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

/** Opens studios in pages of one browser, which all close after the tests of the file. */
export function inStudio(): (source: StudioSource, options?: BrowserContextOptions) => Promise<StudioPage> {
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
    const studio = await openStudio(source);
    studios.push(studio);
    const page = await openPage(browser, options);
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(studio.url);
    await page.getByRole('grid').waitFor();
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
