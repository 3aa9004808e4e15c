import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../../../../src/base/package-root.js';
import { changedLines } from '../../src/save/changed-lines.js';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { assize } from '../../../../../test/cli/run-here.js';
import { films } from '../../../../../test/demo/films.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { openStudio } from '@assize/studio';
import { inStudio, rankedByPage, recipeButton, showsFirst, violationsIn } from './in-studio.js';

const NOW = '2011-01-01';
const candidates = films();

/** Opens a dialog of the recipe by keys alone. */
async function openDialog(page: Page, title: string): Promise<void> {
  await (await recipeButton(page, title)).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
}

/** Chooses an option of a list by the arrow keys. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  const select = page.getByRole('dialog').getByLabel(label, { exact: true });
  await select.focus();
  await page.keyboard.press('Home');
  // oxlint-disable-next-line no-await-in-loop -- one key after the other
  while ((await select.inputValue()) !== option) await page.keyboard.press('ArrowDown');
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('dialog').getByLabel(label, { exact: true }).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

/** Waits for the effect of what is tried, and confirms with Enter. */
async function confirm(page: Page): Promise<string> {
  const effect = page.getByRole('dialog').getByRole('status');
  await expect.poll(() => effect.innerText()).toMatch(/the top|are shown now/i);
  const words = await effect.innerText();
  await page.getByRole('dialog').locator('[type=submit]').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return words;
}

describe.skipIf(CHROMIUM === undefined || !isBuilt)('adding to a profile in a page [chromium]', () => {
  const open = inStudio();
  const folder = newFolder();

  test('by keyboard: a criterion, a removal, a boost, a limit and variety; the saved file ranks the same', async () => {
    const file = join(folder.path, 'movies.yaml');
    copyFileSync(join(packageRoot(), 'config', 'demo', 'movies.yaml'), file);
    const before = readFileSync(file, 'utf8');
    const { page, studio, errors } = await open({ profile: file, candidates, context: { now: NOW } });

    await openDialog(page, 'Criterion');
    await choose(page, 'Field', 'Production Budget');
    await choose(page, 'What is good', 'less');
    await type(page, 'Name (optional)', 'Cheap');
    expect(await violationsIn(page)).toEqual([]);
    await confirm(page);

    await openDialog(page, 'Removal');
    await choose(page, 'Field', 'MPAA Rating');
    expect(await page.getByRole('dialog').locator('.sentence').innerText()).toContain('a rule that removes items if');
    await expect
      .poll(() => page.getByRole('dialog').locator('.sentence').innerText())
      .toMatch(/It matches [\d,]+ of 3,201 items\. [\d,]+ of them leave the list/);
    expect(await confirm(page)).toMatch(/fewer are ranked/);

    await openDialog(page, 'Boost');
    await choose(page, 'Field', 'Distributor');
    await type(page, 'Amount', '1.5');
    await confirm(page);

    await openDialog(page, 'Limit per group');
    await choose(page, 'Field', 'Director');
    await type(page, 'At most this many per value', '1');
    await confirm(page);

    await openDialog(page, 'Variety');
    await choose(page, 'Field in which they should differ', 'Major Genre');
    await confirm(page);

    await openDialog(page, 'Criterion');
    const tried = page.getByRole('dialog').getByRole('status');
    await expect.poll(() => tried.innerText()).toMatch(/the top|are shown now/i);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => page.getByRole('button', { name: 'Redo' }).isDisabled()).toBe(true);

    await page.getByRole('button', { name: 'Save…' }).click();
    const save = page.getByRole('dialog').getByRole('button', { name: 'Save' });
    await expect.poll(() => save.isEnabled()).toBe(true);
    await save.click();
    await expect.poll(() => readFileSync(file, 'utf8')).not.toBe(before);
    const after = readFileSync(file, 'utf8');
    expect(
      changedLines(before, after)
        .filter(({ sign }) => sign === '-')
        .map(({ text }) => text),
    ).toEqual(['select: { top: 12 }']);
    expect(parse(after)).toMatchObject({
      tier1_scorers: expect.arrayContaining([expect.objectContaining({ id: 'mpaa_rating_is_r' })]) as unknown,
      tier2_scorers: expect.arrayContaining([expect.objectContaining({ id: 'cheap', label: 'Cheap' })]) as unknown,
      select: { top: 12, per: { by: 'candidate.Director', top: 1 }, diversify: { class: 'MmrSelector' } },
    });
    const input = folder.write('films.json', JSON.stringify(candidates));
    const { code, out, err } = await assize(['rank', '-p', file, '--now', NOW, '--format', 'json', input], {
      stdin: '',
    });
    expect({ code, err }).toMatchObject({ code: 0 });
    const { selected } = JSON.parse(out) as { readonly selected: readonly { id: string; score: number }[] };
    await expect
      .poll(async () => (await rankedByPage(studio.url)).selected)
      .toEqual(selected.map(({ id, score }) => ({ id, score })));
    await expect.poll(() => page.getByRole('button', { name: 'Save…' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Save…' }).isEnabled()).toBe(true);
    expect(errors).toEqual([]);
  });

  test('a half-life is a number in its sentence, and the bar and the review name structural changes', async () => {
    const profile = join(folder.path, 'half-life.yaml');
    copyFileSync(join(packageRoot(), 'config', 'demo', 'movies.yaml'), profile);
    const { page, errors } = await open({ profile, candidates, context: { now: NOW } });
    const recipe = page.getByRole('region', { name: 'Recipe' });
    const halfLife = recipe.getByLabel('fresh: half as new after, in days');
    expect(await halfLife.inputValue()).toBe('3650');
    expect(await recipe.innerText()).toMatch(/half as new after\s+days/);
    await halfLife.fill('365');
    await halfLife.press('Enter');
    const bar = page.getByRole('region', { name: 'Changes' });
    const changed = 'Fresh: half as new after 365 days (was 3,650 days)';
    await expect.poll(() => bar.innerText()).toContain(changed);
    await page.keyboard.press('Control+k');
    await page.getByLabel('Search items and commands').fill('add a removal');
    await page.keyboard.press('Enter');
    await choose(page, 'Field', 'Distributor');
    await type(page, 'Name (optional)', 'Their rivals');
    await confirm(page);
    await expect.poll(() => bar.innerText()).toContain('Added removal “Their rivals”');
    await bar.getByRole('button', { name: 'Review and save…' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.locator('.words li').allInnerTexts()).toEqual([changed, 'Added removal “Their rivals”']);
    await expect
      .poll(() => dialog.getByRole('region', { name: 'Lines that change' }).innerText())
      .toContain('half_life: 365d');
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await recipe.getByRole('button', { name: 'Change Their rivals' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => bar.innerText()).not.toContain('Their rivals');
    // The dialog tries each choice on the way to the last one. If one is refused, the browser logs the answer.
    expect(errors.filter((text) => !text.includes('a status of 422'))).toEqual([]);
  });

  test('the text of the file, both ways: shows what is set, ranks a typed text, and places its problems', async () => {
    const YAML = '# mine\ntier2_scorers:\n  - { id: stars, expr: candidate.stars, weight: 2 } # thousands\n';
    const stars = Array.from({ length: 9 }, (_, k) => ({ id: `c${k}`, stars: k, size: 9 - k }));
    const { page, errors } = await open({ profile: folder.write('text.yaml', YAML), candidates: stars, context: {} });
    await page.getByRole('button', { name: 'Text of the file' }).click();
    const area = page.getByLabel('YAML', { exact: true });
    await expect.poll(() => area.inputValue()).toBe(YAML);
    await page.getByLabel('Weight of stars, as a number').fill('5');
    await page.getByLabel('Weight of stars, as a number').press('Enter');
    await expect.poll(() => area.inputValue()).toBe(YAML.replace('weight: 2', 'weight: 5'));
    await area.fill(YAML.replace('candidate.stars', 'candidate.size'));
    await showsFirst(page, ['c0', 'c1']);
    await area.fill(YAML.replace('candidate.stars', 'candidate.'));
    await expect.poll(() => page.getByRole('alert').allInnerTexts()).toEqual([expect.stringMatching(/^3:\d+ ASZ\d+ /)]);
    await showsFirst(page, ['c0', 'c1']);
    await area.fill(`plugins: [./evil.mjs]\n${YAML}`);
    await expect
      .poll(() => page.getByRole('alert').allInnerTexts())
      .toEqual([expect.stringContaining('outside of the profile')]);
    await area.fill(YAML.replace('candidate.stars', 'candidate.size'));
    await area.blur();
    await showsFirst(page, ['c0', 'c1']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await showsFirst(page, ['c8', 'c7']);
    await expect.poll(() => area.inputValue()).toBe(YAML.replace('weight: 2', 'weight: 5'));
    expect(errors.filter((text) => !/status of 4\d\d/.test(text))).toEqual([]);
  });

  test('a text that is typed and shown is kept if the page is loaded again', async () => {
    const YAML = 'tier2_scorers:\n  - { id: stars, expr: candidate.stars }\n';
    const stars = Array.from({ length: 9 }, (_, k) => ({ id: `c${k}`, stars: k, size: 9 - k }));
    const { page, errors } = await open({ profile: folder.write('kept.yaml', YAML), candidates: stars, context: {} });
    await page.getByRole('button', { name: 'Text of the file' }).click();
    const area = page.getByLabel('YAML', { exact: true });
    await expect.poll(() => area.inputValue()).toBe(YAML);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await area.fill(YAML.replace('candidate.stars', 'candidate.size'));
    await showsFirst(page, ['c0', 'c1']);
    await page.reload();
    await page.getByRole('grid').waitFor();
    await showsFirst(page, ['c0', 'c1']);
    expect(await page.getByRole('region', { name: 'Changes' }).innerText()).toContain('1 change');
    expect(errors).toEqual([]);
  });

  test('changes a param of an entry that exists, and removes the entry', async () => {
    const YAML = `tier1_scorers:
  - { id: few, class: ThresholdVeto, params: { value: stars, min: 2 } } # enough
tier2_scorers:
  - { id: stars, expr: candidate.stars } # the best
`;
    const file = folder.write('change.yaml', YAML);
    const stars = Array.from({ length: 9 }, (_, k) => ({ id: `c${k}`, stars: k }));
    const { page, errors } = await open({ profile: file, candidates: stars, context: {} });
    const save = async (expected: string) => {
      await page.getByRole('button', { name: 'Save…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
      await expect.poll(() => readFileSync(file, 'utf8')).toBe(expected);
      await expect.poll(() => page.getByRole('button', { name: 'Save…' }).isDisabled()).toBe(true);
    };
    await openDialog(page, 'Change few');
    const dialog = page.getByRole('dialog', { name: 'Edit few' });
    expect(await dialog.getByRole('status').innerText()).toBe('Nothing is changed yet.');
    await type(page, 'Min', '5');
    expect(await confirm(page)).toContain('3 fewer are ranked');
    await save(YAML.replace('min: 2', 'min: 5'));
    await openDialog(page, 'Change few');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => page.locator('.grid [role=row] .id').count()).toBe(9);
    await save(YAML.replace(/^tier1[^]*enough\n/, ''));
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.locator('.grid [role=row] .id').count()).toBe(4);
    expect(errors).toEqual([]);
  });

  test('unsaved changes and named states, after the server was started again', async () => {
    const YAML = 'tier2_scorers:\n  - { id: stars, expr: candidate.stars }\n';
    const stars = Array.from({ length: 9 }, (_, k) => ({ id: `c${k}`, stars: k, kind: k < 4 ? 'old' : 'new' }));
    const source = { profile: folder.write('again.yaml', YAML), candidates: stars, context: {} };
    const { page, studio } = await open(source);
    await openDialog(page, 'Removal');
    await choose(page, 'Field', 'kind');
    await confirm(page);
    await showsFirst(page, ['c3', 'c2']);
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByLabel('Name of the current settings').fill('without new');
    await page.keyboard.press('Enter');
    await studio.close();
    const again = await openStudio(source);
    expect(new URL(again.url).host).toBe(new URL(studio.url).host);
    await page.goto('about:blank');
    await page.goto(again.url);
    await showsFirst(page, ['c3', 'c2']);
    await page.getByRole('button', { name: 'Reset' }).click();
    await showsFirst(page, ['c8', 'c7']);
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Go back without new' }).click();
    await showsFirst(page, ['c3', 'c2']);
    await again.close();
  });
});
