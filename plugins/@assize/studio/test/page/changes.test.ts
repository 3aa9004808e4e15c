import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { command, inStudio, violationsIn } from './in-studio.js';
import { products, SHOP } from './shop.js';

describe.skipIf(CHROMIUM === undefined || !isBuilt)('the changes of the studio [chromium]', () => {
  const open = inStudio('simple');
  const folder = newFolder();
  const candidates = products();
  let files = 0;
  const newProfile = (): string => folder.write(`shop-${(files += 1)}.yaml`, SHOP);

  test('are summed up, reviewed in words and as lines, and saved with a note', async () => {
    const profile = newProfile();
    const { page, errors } = await open({ profile, candidates, context: {} });
    const bar = page.getByRole('region', { name: 'Changes' });
    expect(await bar.innerText()).toContain('No changes against the saved profile');
    await page.getByLabel('Weight of Newer', { exact: true }).fill('5');
    await page.getByRole('checkbox', { name: 'out of stock' }).uncheck();
    const pipeline = await createPipeline<object>(profile);
    const before = new Set((await pipeline.rank(candidates, {})).selected.map(({ id }) => id));
    const now = await (await pipeline.rank(candidates, {}, { weights: { newness: 5 } })).whatIf({
      without: 'out_of_stock',
    });
    const entered = now.selected.filter(({ id }) => !before.has(id)).length;
    await expect.poll(() => bar.innerText()).toContain(`${entered} enter`);
    await expect.poll(() => bar.innerText()).toMatch(/2 changes against the saved profile[^]*% similar order/);

    await bar.getByRole('button', { name: `${entered} enter the top 12` }).click();
    const moved = page.locator('.moved:popover-open');
    await expect.poll(() => moved.innerText()).toMatch(/Enter: .* by score\)[^]*Leave: /);
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await bar.getByRole('button', { name: 'Review and save…' }).click();
    const dialog = page.getByRole('dialog');
    await expect
      .poll(() => dialog.innerText())
      .toMatch(/Newer counts 50 % \(was 29 %\)\s+Out of stock is switched off/);
    await expect.poll(() => dialog.innerText()).toMatch(/105 → 120 ranked/);
    await expect
      .poll(() => dialog.getByRole('region', { name: 'Lines that change' }).innerText())
      .toContain('weight: 5');
    expect(await violationsIn(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export ranking' }).click();
    const csv = readFileSync(await (await download).path(), 'utf8').split('\r\n');
    expect(csv.slice(0, 2)).toEqual(['rank,id,title,score,shown', expect.stringMatching(/^1,sku-\d+,.*,yes$/)]);
    expect(csv).toHaveLength(122);
    await dialog.getByLabel(/^Note/).fill('Spring');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => readFileSync(profile, 'utf8')).toContain('weight: 5');
    await expect.poll(() => bar.innerText()).toContain('No changes against the saved profile');
    await expect.poll(() => bar.innerText()).toMatch(/^Saved 2 changes to shop-\d+\.yaml/);
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Dismiss');
    await page.keyboard.press('Enter');
    await expect.poll(() => bar.innerText()).not.toContain('Saved');
    await page.locator('.card').first().click();
    await page.getByRole('tab', { name: /^History/ }).click();
    await expect.poll(() => page.locator('.history b', { hasText: 'Spring' }).count()).toBe(1);
    expect(errors).toEqual([]);
  });

  test('if the file changes on disk, a person keeps theirs or takes those of the file', async () => {
    const profile = newProfile();
    const { page } = await open({ profile, candidates, context: {} });
    const weight = page.getByLabel('Weight of Newer', { exact: true });
    await weight.fill('5');
    writeFileSync(profile, SHOP.replace('weight: 3', 'weight: 4'));
    await page.getByRole('button', { name: 'Keep yours' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Keep yours' }).count()).toBe(0);
    expect(await weight.inputValue()).toBe('5');
    writeFileSync(profile, SHOP.replace('weight: 3', 'weight: 6'));
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => weight.inputValue()).toBe('2');
    expect(await page.getByLabel('Weight of Rating', { exact: true }).inputValue()).toBe('6');
  });

  test('if the file changes on disk and nothing is set, the bar names the file until a person dismisses that', async () => {
    const profile = newProfile();
    const { page } = await open({ profile, candidates, context: {} });
    const bar = page.getByRole('region', { name: 'Changes' });
    writeFileSync(profile, SHOP.replace('weight: 3', 'weight: 0.1'));
    await expect
      .poll(() => bar.innerText())
      .toMatch(/shop-\d+\.yaml was changed outside this page; \d+ items? entered the top 12/);
    await bar.getByRole('button', { name: 'Dismiss' }).click();
    expect(await bar.innerText()).not.toMatch(/outside|enter/);
  });

  test('a limit that replaces items changes the similarity, and a dialog that previews it says so in the bar', async () => {
    const { page } = await open({ profile: newProfile(), candidates, context: {} });
    const bar = page.getByRole('region', { name: 'Changes' });
    await command(page, 'Limit per group…');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox').first().selectOption('brand');
    await dialog.getByLabel('At most this many per value').fill('2');
    await expect.poll(() => dialog.innerText()).toMatch(/8 are shown now: \d+ new, and \d+ no longer shown/);
    expect(await bar.innerText()).toContain('Preview:');
    expect(await bar.innerText()).not.toContain('1 change');
    expect(await bar.innerText()).toMatch(/\d+ % similar order/);
    await dialog.getByRole('button', { name: 'Add limit' }).click();
    await expect
      .poll(() => bar.innerText())
      .toMatch(/1 change against the saved profile[^]*\d+ (?:is|are) newly shown/);
    await bar.getByRole('button', { name: 'Review and save…' }).click();
    expect(await page.getByRole('dialog').innerText()).toMatch(/Leave: .* by score: 2 of .* are already shown/);
  });

  test('copying a link is confirmed, and Escape closes the menu before the details', async () => {
    const { page } = await open({ profile: newProfile(), candidates, context: {} });
    await page.context().grantPermissions(['clipboard-write']);
    await page.locator('.card').first().click();
    await page.getByText('More', { exact: true }).click();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: 'Copy link' }).isVisible()).toBe(false);
    expect(await page.getByRole('region', { name: /^Why/ }).count()).toBe(1);
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(() => page.getByRole('region', { name: 'Changes' }).innerText()).toContain('Link copied');
  });

  test('the review says where a link opens, and what was exported', async () => {
    const { page } = await open({ profile: newProfile(), candidates, context: {} });
    await page.context().grantPermissions(['clipboard-write']);
    await page.getByLabel('Weight of Newer', { exact: true }).fill('5');
    await page.getByRole('button', { name: 'Review and save…' }).click();
    const said = page.getByRole('dialog').getByRole('status');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(() => said.innerText()).toContain('It opens only in this browser');
    await page.getByRole('button', { name: 'Export for a colleague' }).click();
    await expect.poll(() => said.innerText()).toMatch(/-studio\.html is in your downloads/);
    await page.getByRole('button', { name: 'Export ranking' }).click();
    await expect.poll(() => said.innerText()).toMatch(/-ranking\.csv is in your downloads/);
  });

  test('few queries do not show that quality changed', async () => {
    const grades = candidates.map((_, k) => k % 4);
    const queries = [0, 1, 2].map((q) => ({
      id: `q${q}`,
      context: {},
      candidates: candidates.slice(q),
      grades: grades.slice(q),
    }));
    const { page } = await open({ profile: newProfile(), queries });
    await page.getByLabel('Weight of margin', { exact: true }).fill('5');
    const bar = page.getByRole('region', { name: 'Changes' });
    await expect.poll(() => bar.innerText()).toMatch(/quality [+−]\d\.\d+ \(3 queries: too few to be sure\)/);
  });
});
