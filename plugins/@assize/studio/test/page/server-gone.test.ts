import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openStudio } from '@assize/studio';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { inStudio, showsFirst } from './in-studio.js';

const YAML = '# mine\ntier2_scorers:\n  - { id: stars, expr: candidate.stars }\n';
const WRONG = YAML.replace('candidate.stars', 'candidate.');
const candidates = Array.from({ length: 9 }, (_, k) => ({ id: `c${k}`, stars: k, size: 9 - k }));

describe.skipIf(CHROMIUM === undefined || !isBuilt)('a page whose server ends [chromium]', () => {
  const open = inStudio();
  const folder = newFolder();
  const text = (page: Page) => page.getByLabel('YAML', { exact: true });
  const changes = (page: Page) => page.getByRole('region', { name: 'Changes' });

  test('before the dialogs are loaded: says so, and opens the dialog when the server is back', async () => {
    const source = { profile: folder.write('gone.yaml', YAML), candidates, context: {} };
    const { page, studio } = await open(source);
    // The same as in the first second: the browser has not loaded the dialogs.
    let isGone = true;
    await page.route(/later\.js/, (route) => (isGone ? route.abort() : route.continue()));
    await page.goto('about:blank');
    await page.goto(studio.url);
    await page.getByRole('grid').waitFor();
    await page.getByRole('button', { name: 'Removal', exact: true }).click();
    const problem = page.getByRole('alert');
    await expect.poll(() => problem.innerText()).toMatch(/^The studio’s server does not answer; this part/);
    isGone = false;
    await page.getByRole('dialog', { name: 'Add a removal' }).waitFor();
    await expect.poll(() => problem.count()).toBe(0);
  });

  test('keeps a typed text that is not valid, also after the server was started again', async () => {
    const file = folder.write('typed.yaml', YAML);
    const source = { profile: file, candidates, context: {} };
    const { page, studio } = await open(source);
    await page.getByRole('button', { name: 'Text of the file' }).click();
    await expect.poll(() => text(page).inputValue()).toBe(YAML);
    await text(page).fill(WRONG);
    await expect.poll(() => page.getByText('This text is not valid yet.').count()).toBe(1);
    await expect.poll(() => changes(page).innerText()).toContain('not valid yet, so it is not among the changes');
    await page.reload();
    await page.getByRole('grid').waitFor();
    await showsFirst(page, ['c8', 'c7']);
    await page.getByRole('button', { name: 'Show the text' }).click();
    await expect.poll(() => text(page).inputValue()).toBe(WRONG);

    await studio.close();
    const again = await openStudio(source);
    await page.goto('about:blank');
    await page.goto(again.url);
    await page.getByRole('button', { name: 'Show the text' }).click();
    await expect.poll(() => text(page).inputValue()).toBe(WRONG);
    await expect.poll(() => page.getByRole('alert').first().innerText()).toMatch(/ASZ\d+/);
    await text(page).fill(YAML.replace('candidate.stars', 'candidate.size'));
    await showsFirst(page, ['c0', 'c1']);
    await expect.poll(() => changes(page).innerText()).not.toContain('not valid yet');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await expect.poll(() => changes(page).innerText()).toContain('1 change');
    expect(readFileSync(file, 'utf8')).toBe(YAML);
    await again.close();
  });

  test('keeps a text that is typed in the moment before the page is loaded again, and discards it', async () => {
    const { page } = await open({ profile: folder.write('moment.yaml', YAML), candidates, context: {} });
    await page.getByRole('button', { name: 'Text of the file' }).click();
    await expect.poll(() => text(page).inputValue()).toBe(YAML);
    await text(page).fill(`${YAML}select: [`);
    await page.reload();
    await page.getByRole('button', { name: 'Show the text' }).click();
    await expect.poll(() => text(page).inputValue()).toBe(`${YAML}select: [`);
    await page.getByRole('button', { name: 'Discard the typed text' }).click();
    await expect.poll(() => text(page).inputValue()).toBe(YAML);
    await expect.poll(() => changes(page).innerText()).not.toContain('not valid yet');
  });
});
