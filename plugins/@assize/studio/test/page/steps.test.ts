import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { idsOf, inStudio, showsFirst } from './in-studio.js';

const YAML = `tier1_scorers:
  - { id: small, class: ThresholdVeto, params: { value: size, min: 5 } }
tier2_scorers:
  - { id: stars, expr: candidate.stars, weight: 2 }
  - { id: size, class: ScaledScorer, params: { scorer: { expr: candidate.size } }, weight: 1 }
adjustments:
  - { id: odd, when: candidate.stars % 2 == 1, add: 3 }
`;
const candidates = Array.from({ length: 14 }, (_, k) => ({ id: `c${k}`, stars: k, size: 40 - 3 * k }));

const undo = (page: Page) => page.getByRole('button', { name: 'Undo' });
const weightOf = (page: Page, id: string) => page.getByLabel(`Weight of ${id}, as a number`);
const setWeight = async (page: Page, id: string, weight: string): Promise<void> => {
  await weightOf(page, id).fill(weight);
  await weightOf(page, id).press('Enter');
};
const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'Save…' }).isDisabled()).toBe(true);
};

describe.skipIf(CHROMIUM === undefined || !isBuilt)('settings over saves and reloads [chromium]', () => {
  const open = inStudio();
  const folder = newFolder();

  test('undo continues after a save: weights, a rule, and a veto of a class, which are saved again', async () => {
    const profile = folder.write('saved.yaml', YAML);
    const { page, errors } = await open({ profile, candidates, context: {} });
    const idsByFile = async (): Promise<string[]> =>
      (await (await createPipeline<object>(profile)).rank(candidates, {})).ranked.map(({ id }) => id);
    const before = await idsByFile();
    await showsFirst(page, before);
    await setWeight(page, 'stars', '5');
    await page.getByRole('checkbox', { name: 'odd' }).uncheck();
    await page.getByRole('checkbox', { name: 'small' }).uncheck();
    await page.getByText('14 ranked').waitFor();
    await save(page);
    const saved = await idsByFile();
    expect(saved).not.toEqual(before);
    await showsFirst(page, saved);
    await undo(page).click();
    await page.getByText('12 ranked').waitFor();
    await undo(page).click();
    await undo(page).click();
    await showsFirst(page, before);
    expect(await undo(page).isDisabled()).toBe(true);
    expect(await weightOf(page, 'stars').inputValue()).toBe('2');
    await save(page);
    expect(readFileSync(profile, 'utf8')).toBe(
      YAML.replace('min: 5 } }', 'min: 5 }, enabled: true }').replace('add: 3 }', 'add: 3, enabled: true }'),
    );
    expect(await idsByFile()).toEqual(before);
    await showsFirst(page, before);
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => weightOf(page, 'stars').inputValue()).toBe('5');
    expect(errors).toEqual([]);
  });

  test('a typed value is kept while the file changes, and applied afterwards', async () => {
    const profile = folder.write('typed.yaml', YAML);
    const { page, errors } = await open({ profile, candidates, context: {} });
    await weightOf(page, 'stars').fill('5');
    writeFileSync(profile, YAML.replace('weight: 1', 'weight: 9'));
    await expect.poll(() => weightOf(page, 'size').inputValue()).toBe('9');
    expect(await weightOf(page, 'stars').inputValue()).toBe('5');
    await weightOf(page, 'stars').press('Enter');
    await save(page);
    expect(readFileSync(profile, 'utf8')).toBe(
      YAML.replace('weight: 2', 'weight: 5').replace('weight: 1', 'weight: 9'),
    );
    expect(errors).toEqual([]);
  });

  test('undo continues after a change of the file: removed entries are not steps', async () => {
    const profile = folder.write('changed.yaml', YAML);
    const { page, errors } = await open({ profile, candidates, context: {} });
    await setWeight(page, 'stars', '5');
    await setWeight(page, 'size', '9');
    await expect.poll(() => weightOf(page, 'size').inputValue()).toBe('9');
    writeFileSync(profile, YAML.replace(/.*id: size.*\n/, ''));
    await expect.poll(() => weightOf(page, 'size').count()).toBe(0);
    expect(await weightOf(page, 'stars').inputValue()).toBe('5');
    await undo(page).click();
    await expect.poll(() => weightOf(page, 'stars').inputValue()).toBe('2');
    expect(await undo(page).isDisabled()).toBe(true);
    expect(errors).toEqual([]);
  });

  test('shows another profile that changes in its present form; settings are kept, and undone', async () => {
    const profile = folder.write('own.yaml', YAML);
    const other = newFolder().write('other.yaml', 'tier2_scorers: [{ id: a, expr: candidate.stars }]\n');
    const { page, errors } = await open({ profile, others: [other], candidates, context: {} });
    await setWeight(page, 'stars', '5');
    await page.getByRole('tab', { name: 'Side by side' }).click();
    const right = page.locator('.side-right .id');
    await expect.poll(() => right.first().innerText()).toBe('c13');
    writeFileSync(other, 'tier2_scorers: [{ id: a, expr: -candidate.stars }]\n');
    await expect.poll(() => right.first().innerText()).toBe('c0');
    expect(await weightOf(page, 'stars').inputValue()).toBe('5');
    await page.getByRole('tab', { name: 'History' }).click();
    expect(await page.getByText('Changed on disk').count()).toBe(0);
    await undo(page).click();
    await expect.poll(() => weightOf(page, 'stars').inputValue()).toBe('2');
    expect(errors).toEqual([]);
  });

  test('settings made while another query loads are kept', async () => {
    const profile = folder.write('queries.yaml', YAML);
    const grades = candidates.map(({ stars }) => stars % 3);
    const queries = ['one', 'two'].map((id, q) => ({ id, context: {}, candidates: candidates.slice(q), grades }));
    const { page, errors } = await open({ profile, queries });
    const least = page.getByLabel('small: at least');
    await least.fill('10');
    await least.press('Enter');
    await page.getByText('11 ranked').waitFor();
    let answer: () => void = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    const asked = page.waitForRequest(/api\/change/);
    await page.route(/api\/change/, (route) => held.then(() => route.continue()));
    await page.getByRole('region', { name: 'Queries' }).locator('select').selectOption('two');
    await asked;
    await setWeight(page, 'stars', '0.1');
    answer();
    await page.getByText('10 ranked').waitFor();
    expect(await weightOf(page, 'stars').inputValue()).toBe('0.1');
    expect(await idsOf(page)).toHaveLength(10);
    await undo(page).click();
    await expect.poll(() => weightOf(page, 'stars').inputValue()).toBe('2');
    expect(errors).toEqual([]);
  });
});
