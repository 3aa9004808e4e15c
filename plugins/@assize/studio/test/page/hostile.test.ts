import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { linkState } from '../../src/data/link-state.js';
import { openStudio } from '@assize/studio';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { idsOf, inStudio, showsFirst } from './in-studio.js';

const YAML = `tier1_scorers: [{ id: gone, expr: candidate.gone }]
tier2_scorers:
  - { id: stars, expr: candidate.stars, weight: 2 }
  - { id: size, expr: candidate.size, weight: 1 }
`;
const candidates = Array.from({ length: 20 }, (_, k) => ({ id: `c${k}`, stars: k, size: 40 - 3 * k, gone: k === 0 }));
const HTML = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`;

describe.skipIf(CHROMIUM === undefined || !isBuilt)('a studio under stress [chromium]', () => {
  const open = inStudio();
  const folder = newFolder();
  let files = 0;
  const newProfile = (yaml = YAML): string => folder.write(`profile-${(files += 1)}.yaml`, yaml);

  test('ids, fields, labels and names with HTML are shown as text', async () => {
    const label = JSON.stringify(HTML);
    const profile = newProfile(YAML.replace('id: stars,', `id: stars, label: ${label},`));
    const evil = candidates.map((one, k) => ({ ...one, id: `${HTML}${k}`, [HTML]: HTML, nested: { [HTML]: k } }));
    const { page, errors } = await open({ profile, candidates: evil, context: {} });
    await page.getByText('Columns').click();
    for (const box of await page.locator('.menu input').all()) await box.check();
    await page.keyboard.press('Escape');
    await page.getByRole('grid').focus();
    for (const key of ['ArrowDown', 'c', 'ArrowDown']) await page.keyboard.press(key);
    await page.getByRole('tab', { name: 'Filters' }).click();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByLabel('Name of the current settings').fill(HTML);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Side by side ${HTML}` }).click();
    expect(await page.locator('.side-left .id').first().innerText()).toContain(HTML);
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.title()).toMatch(/ – Assize studio$/);
    expect(errors).toEqual([]);
  });

  test('an incomplete file, and then a changed one: keeps settings of entries that still exist', async () => {
    const profile = newProfile();
    const { page, errors } = await open({ profile, candidates, context: {} });
    await showsFirst(page, ['c1', 'c2']);
    await page.getByLabel('Weight of size', { exact: true }).fill('0');
    await page.getByLabel('Weight of stars, as a number').fill('5');
    await page.getByLabel('Weight of stars, as a number').press('Enter');
    await showsFirst(page, ['c19', 'c18']);
    writeFileSync(profile, YAML.slice(0, 100));
    await expect.poll(() => page.getByRole('alert').count()).toBe(1);
    expect((await idsOf(page))[0]).toBe('c19');
    await page.reload();
    await page.getByRole('grid').waitFor();
    await showsFirst(page, ['c19', 'c18']);
    writeFileSync(profile, YAML.replace(/.*id: size.*\n/, ''));
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await expect.poll(() => page.getByLabel('Weight of size', { exact: true }).count()).toBe(0);
    expect(await page.getByLabel('Weight of stars, as a number').inputValue()).toBe('5');
    await showsFirst(page, ['c19', 'c18']);
    expect(errors).toEqual([]);
  });

  test('two pages of one file: each follows the other, also during the question whether to save', async () => {
    const profile = newProfile();
    const { page, studio } = await open({ profile, candidates, context: {} });
    const second = await page.context().newPage();
    await second.goto(studio.url);
    await second.getByRole('grid').waitFor();
    const set = async (of: typeof page, name: string, weight: string) => {
      await of.getByLabel(`Weight of ${name}, as a number`).fill(weight);
      await of.getByLabel(`Weight of ${name}, as a number`).press('Enter');
      await of.getByRole('button', { name: 'Save…' }).click();
    };
    await set(second, 'size', '3');
    const dialog = second.getByRole('dialog');
    await expect.poll(() => dialog.innerText()).toContain('weight: 3');
    await second.keyboard.press('Control+z'); // not behind the dialog
    await second.evaluate(`location.hash = '${linkState({ settings: { weights: { size: 4 } } })}'`);
    await expect.poll(() => dialog.innerText()).toContain('weight: 4');
    await set(page, 'stars', '7');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => readFileSync(profile, 'utf8')).toContain('weight: 7');
    await expect.poll(() => second.getByLabel('Weight of stars, as a number').inputValue()).toBe('7');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    expect(readFileSync(profile, 'utf8')).toBe(
      YAML.replace('weight: 2', 'weight: 7').replace('weight: 1', 'weight: 4'),
    );
    await second.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => second.getByLabel('Weight of size, as a number').inputValue()).toBe('3');
    await second.close();
  });

  test('a typed weight is kept to the last digit, and an invalid number keeps the previous one and says why', async () => {
    const { page } = await open({ profile: newProfile(), candidates, context: {} });
    const weight = page.getByLabel('Weight of stars, as a number');
    const stays = ['Type a number; 1,234.5678 stays.'];
    for (const [typed, shown, reasons] of [
      ['1234.5678', '1234.5678', []],
      ['', '1234.5678', stays],
      ['1e999', '1234.5678', stays],
      ['-3', '1234.5678', []], // the engine refuses it
    ] as const) {
      await weight.click();
      await weight.press('Control+a');
      await weight.press('Delete');
      await weight.pressSequentially(typed);
      await weight.press('Enter');
      await expect.poll(() => weight.inputValue()).toBe(shown);
      expect(await page.locator('.refused').allInnerTexts()).toEqual(reasons);
      const described = await weight.getAttribute('aria-describedby');
      expect(described).toBe(reasons.length === 0 ? null : await page.locator('.refused').getAttribute('id'));
    }
    expect(await page.getByRole('alert').innerText()).toContain('stars is the number -3');
  });

  test('a server that ends, and another at its address: reports it, loses nothing, and opens in the tab', async () => {
    const source = { profile: newProfile(), candidates, context: {} };
    const { page, studio } = await open(source);
    const said = () => page.getByRole('alert').allInnerTexts();
    await page.getByLabel('Weight of size', { exact: true }).fill('0');
    await showsFirst(page, ['c19', 'c18']);
    await studio.close();
    await expect.poll(said).toEqual([expect.stringContaining('check that assize studio is still running')]);
    await page.getByLabel('Weight of stars, as a number').fill('7');
    await page.getByLabel('Weight of stars, as a number').press('Enter');
    await page.getByRole('button', { name: 'Save…' }).click();
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    const next = await openStudio(source, { port: Number(new URL(studio.url).port) });
    await expect.poll(said).toEqual([expect.stringContaining('the address that assize studio printed')]);
    await page.goto(next.url);
    await expect.poll(said).toEqual([]);
    await showsFirst(page, ['c19', 'c18']);
    expect(await page.getByLabel('Weight of stars, as a number').inputValue()).toBe('7');
    await page.goto('about:blank');
    await next.close();
  });

  test('ten megabytes of candidates', async () => {
    const text = 'word '.repeat(100);
    const many = Array.from({ length: 20_000 }, (_, k) => ({ id: `c${k}`, stars: (k * 7919) % 20_000, size: k, text }));
    const { page, errors } = await open({ profile: newProfile(), candidates: many, context: {} });
    await page.getByLabel('Weight of size', { exact: true }).fill('0');
    await showsFirst(
      page,
      [...many]
        .sort((a, b) => b.stars - a.stars)
        .slice(0, 5)
        .map(({ id }) => id),
    );
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await expect.poll(async () => (await idsOf(page)).length).toBeGreaterThan(5);
    expect(await page.locator('.grid [role=row]').count()).toBeLessThan(60);
    expect(errors).toEqual([]);
  });
});
