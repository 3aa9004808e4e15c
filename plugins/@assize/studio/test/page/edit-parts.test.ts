import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { changedLines } from '../../src/save/changed-lines.js';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { assize } from '../../../../../test/cli/run-here.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { command, inStudio, rankedByPage, recipeButton, violationsIn, widerThanThePage } from './in-studio.js';
import { products } from './shop.js';

const candidates = products(60);
const EVERY_PART = readFileSync(join(import.meta.dirname, 'every-part.yaml'), 'utf8');

const recipeOf = (page: Page) => page.getByRole('region', { name: 'Recipe' });
const dialogOf = (page: Page) => page.getByRole('dialog');

/** Opens the dialog of a part of the recipe by keys. */
async function press(page: Page, name: string): Promise<void> {
  await (await recipeButton(page, name)).focus();
  await page.keyboard.press('Enter');
  await dialogOf(page).waitFor();
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await dialogOf(page).getByLabel(label, { exact: true }).last().focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

/** Waits for the effect, and confirms with Enter. */
async function confirm(page: Page): Promise<void> {
  await expect.poll(() => dialogOf(page).getByRole('status').innerText()).toMatch(/the top|are shown now/i);
  await dialogOf(page).locator('[type=submit]').focus();
  await page.keyboard.press('Enter');
  await dialogOf(page).waitFor({ state: 'detached' });
}

/** Saves, and returns the changed lines that the file had before. */
async function save(page: Page, file: string): Promise<readonly string[]> {
  const before = readFileSync(file, 'utf8');
  await page.getByRole('button', { name: 'Save…' }).click();
  const button = dialogOf(page).getByRole('button', { name: 'Save' });
  await expect.poll(() => button.isEnabled()).toBe(true);
  await button.click();
  await expect.poll(() => readFileSync(file, 'utf8')).not.toBe(before);
  await dialogOf(page).waitFor({ state: 'detached' });
  // Until then the page ranks by the new file.
  await expect.poll(() => page.getByRole('button', { name: 'Save…' }).isDisabled()).toBe(true);
  const lines = changedLines(before, readFileSync(file, 'utf8'));
  return lines.filter(({ sign }) => sign === '-').map(({ text }) => text.trim());
}

describe.skipIf(CHROMIUM === undefined || !isBuilt)('editing all parts of a profile in a page [chromium]', () => {
  const open = inStudio('simple');
  const folder = newFolder();

  /** The items that the command line selects by a file. */
  async function selectedBy(file: string): Promise<readonly { id: string; score: number }[]> {
    const input = folder.write('items.json', JSON.stringify(candidates));
    const { code, out, err } = await assize(['rank', '-p', file, '--now', '2026-01-01', '--format', 'json', input], {
      stdin: '',
    });
    expect({ code, err }).toMatchObject({ code: 0 });
    const { selected } = JSON.parse(out) as { readonly selected: readonly { id: string; score: number }[] };
    return selected.map(({ id, score }) => ({ id, score }));
  }

  test('by keyboard: a budget, weights by group, a named value and a way to combine are added, and saved', async () => {
    const file = folder.write(
      'shop.yaml',
      '# Shop\ntier2_scorers:\n  - { id: rating, expr: candidate.rating / 5 } # stars\n',
    );
    const { page, studio, errors } = await open({ profile: file, candidates, context: { now: '2026-01-01' } });
    await press(page, 'Budget');
    expect(await violationsIn(page)).toEqual([]);
    await type(page, 'Budget', '1500');
    await confirm(page);
    await expect.poll(() => recipeOf(page).innerText()).toMatch(/Fills up to\s+of price; \d+ of 60 fit/);

    await press(page, 'Named value');
    await type(page, 'Number', '250');
    await type(page, 'Name (optional)', 'cheap');
    await confirm(page);

    await press(page, 'Weights by group');
    await dialogOf(page).getByLabel('Field that says the group').selectOption('brand');
    await dialogOf(page).getByLabel('Casa Viva').focus();
    await page.keyboard.press('Space');
    await type(page, 'Rating (empty: 1)', '4');
    await confirm(page);

    await press(page, 'How scores combine');
    await dialogOf(page).getByLabel('The score is').selectOption('weighted_sum');
    await confirm(page);

    expect(await save(page, file)).toEqual([]);
    expect(parse(readFileSync(file, 'utf8'))).toEqual({
      tier2_scorers: [{ id: 'rating', expr: 'candidate.rating / 5' }],
      select: { pack: { cost: 'candidate.price', budget: 1500 } },
      let: { cheap: 'candidate.price / 250' },
      weights: { by: 'candidate.brand', cases: { 'Casa Viva': { rating: 4 } } },
      combine: 'weighted_sum',
    });
    const selected = await selectedBy(file);
    expect(selected.length).toBeGreaterThan(3);
    await expect.poll(async () => (await rankedByPage(studio.url)).selected).toEqual(selected);
    expect(errors).toEqual([]);
  });

  test('numbers in sentences change only their lines, and each part can be removed', async () => {
    const file = folder.write('every-part.yaml', EVERY_PART);
    const { page, studio, errors } = await open({ profile: file, candidates, context: { now: '2026-01-01' } });
    const recipe = recipeOf(page);
    const fill = async (label: string, value: string) => {
      await recipe.getByLabel(label, { exact: true }).fill(value);
      await recipe.getByLabel(label, { exact: true }).press('Enter');
    };
    await fill('Budget', '2000');
    await fill('Number 1 of cheap', '300');
    await fill('Number 1 of Stocked', '3');
    const bar = page.getByRole('region', { name: 'Changes' });
    await expect
      .poll(() => bar.locator('.edits').getAttribute('title'))
      .toBe(
        [
          'The budget: budget is 2,000 (was 2,500)',
          'Changed the named value “cheap”: candidate.price / 300 (was candidate.price / 200)',
          'Changed measure “Stocked”: expression is candidate.stock * 3 (was candidate.stock * 2)',
        ].join('\n'),
      );
    await press(page, 'Change the weights by group');
    await dialogOf(page).getByLabel('Rating (empty: 3)').first().fill('7');
    await confirm(page);
    await press(page, 'Change the limit per group');
    await dialogOf(page).getByRole('button', { name: 'Remove' }).click();
    await dialogOf(page).waitFor({ state: 'detached' });
    await recipe.getByText('More of this profile').click();
    await press(page, 'Change ties');
    await dialogOf(page).getByLabel('Add to Ties').fill('candidate.brand');
    await dialogOf(page).getByLabel('Add to Ties').press('Enter');
    await dialogOf(page).getByRole('button', { name: 'Move candidate.brand up' }).focus();
    await page.keyboard.press('Enter');
    expect(await dialogOf(page).getByLabel('Ties, item 1').inputValue()).toBe('candidate.brand');
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    await expect.poll(focused).toBe('Move candidate.brand down');
    expect(await violationsIn(page)).toEqual([]);
    await confirm(page);
    expect(await save(page, file)).toEqual([
      'cheap: candidate.price / 200 # at most 1.1',
      '- { id: stocked, expr: candidate.stock * 2 }',
      'Nordhem: { rating: 9 } # our own',
      'per: { by: candidate.brand, top: 9 } # not too many',
      'pack: { cost: candidate.price, budget: 2500 }',
      'ties: [candidate.id]',
    ]);
    expect(readFileSync(file, 'utf8')).toContain('ties: [candidate.brand, candidate.id]');
    await expect.poll(async () => (await rankedByPage(studio.url)).selected).toEqual(await selectedBy(file));
    expect(errors).toEqual([]);
  });

  test('a removal has several conditions and a group, and keeps the text of the first', async () => {
    const text =
      'tier1_scorers:\n  - { id: gone, expr: "candidate.stock==0 && candidate.price>50" }\ntier2_scorers:\n  - { id: rating, expr: candidate.rating / 5 }\n';
    const file = folder.write('conditions.yaml', text);
    const { page, errors } = await open({ profile: file, candidates, context: {} });
    await press(page, 'Change gone');
    const dialog = dialogOf(page);
    expect(await dialog.getByRole('group', { name: 'Condition 2' }).getByLabel('Value').inputValue()).toBe('50');
    expect(await dialog.getByRole('status').innerText()).toBe('Nothing is changed yet.');
    await dialog.getByRole('group', { name: 'Condition 2' }).getByLabel('Comparison').selectOption('at least');
    await dialog.getByRole('button', { name: 'Add a group' }).click();
    const group = dialog.getByRole('group', { name: 'Group 3' });
    await group.getByLabel('Field').selectOption('brand');
    await group.getByRole('button', { name: 'Add a condition to group 3' }).click();
    await expect.poll(() => dialog.locator('.sentence').innerText()).toMatch(/ and \(.* or .*\)/);
    expect(await violationsIn(page)).toEqual([]);
    await confirm(page);
    await save(page, file);
    const [veto] = (parse(readFileSync(file, 'utf8')) as { tier1_scorers: { expr: string }[] }).tier1_scorers;
    expect(veto!.expr).toMatch(
      /^candidate\.stock==0 && candidate\.price >= 50 && \(candidate\.brand == "[^"]+" \|\| .+\)$/,
    );
    expect(errors).toEqual([]);
  });

  test('inherited parts are switched off in the file, or the dialog says why they cannot be removed', async () => {
    folder.write('base.yaml', EVERY_PART);
    const file = folder.write('mine.yaml', '# Mine\nextends: [./base.yaml]\n');
    const { page, errors } = await open({ profile: file, candidates, context: { now: '2026-01-01' } });
    await press(page, 'Change the limit per group');
    await dialogOf(page).getByRole('button', { name: 'Switch off' }).click();
    await dialogOf(page).waitFor({ state: 'detached' });
    await press(page, 'Change the budget');
    expect(await dialogOf(page).getByRole('button', { name: 'Remove' }).isDisabled()).toBe(true);
    expect(await dialogOf(page).innerText()).toContain('a profile cannot remove what it inherits');
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await press(page, 'Change own brand');
    await dialogOf(page).getByLabel('Name', { exact: true }).fill('Ours');
    await confirm(page);
    await save(page, file);
    expect(parse(readFileSync(file, 'utf8'))).toMatchObject({
      extends: ['./base.yaml'],
      select: { per: { top: 1_000_000_000 } },
      adjustments: [{ id: 'own_brand', label: 'Ours' }],
    });
    expect(readFileSync(file, 'utf8')).toContain('# Mine');
    expect(errors).toEqual([]);
  });

  test('an inherited boost gets another operation', async () => {
    folder.write(
      'boosted.yaml',
      'tier2_scorers: [{ id: rating, expr: candidate.rating / 5 }]\nadjustments: [{ id: own, when: candidate.stock > 2, add: 0.1 }]\n',
    );
    const file = folder.write('again.yaml', 'extends: [./boosted.yaml]\n');
    const { page } = await open({ profile: file, candidates, context: {} });
    await press(page, 'Change own');
    await dialogOf(page).getByLabel('Change of the score').selectOption('multiply');
    await confirm(page);
    await save(page, file);
    expect(parse(readFileSync(file, 'utf8'))).toMatchObject({ adjustments: [{ id: 'own', add: 0, multiply: 1.2 }] });
    await press(page, 'Change own');
    expect(await dialogOf(page).getByLabel('Change of the score').inputValue()).toBe('multiply');
  });

  test('a decay, lists among params and unset params have forms', async () => {
    const text = `tier2_scorers:
  - { id: fresh, class: DecayScorer, params: { field: at, curve: { type: linear, scale: 900d } } } # new
  - { id: fused, class: RankFusionScorer, params: { scorers: [{ expr: candidate.rating }, { expr: candidate.fresh, weight: 2 }] } }
report:
  - { id: other, class: Alternatives, params: { count: 3 } }
select:
  top: 5
  diversify: { class: MmrSelector, params: { fields: [brand, name] } }
`;
    const file = folder.write('params.yaml', text);
    const dated = candidates.map((one, k) => ({ ...one, at: `20${10 + (k % 15)}-03-01` }));
    const { page, errors } = await open({ profile: file, candidates: dated, context: { now: '2026-01-01' } });
    await press(page, 'Change fresh');
    expect(await dialogOf(page).getByLabel('Half of the score after').inputValue()).toBe('900');
    await dialogOf(page).getByLabel('With its age, the score').selectOption('exponential');
    await dialogOf(page).getByLabel('Without a date').selectOption('ignored');
    await confirm(page);
    await press(page, 'Change fused');
    await type(page, 'Scorers 2 weight', '3');
    await confirm(page);
    await recipeOf(page).getByText('More of this profile').click();
    await press(page, 'Change report other');
    await dialogOf(page).getByText('more setting').click();
    await type(page, 'Min score', '0.4');
    await dialogOf(page).getByLabel('Name', { exact: true }).fill('Others');
    await confirm(page);
    await save(page, file);
    expect(parse(readFileSync(file, 'utf8'))).toMatchObject({
      tier2_scorers: [
        { params: { curve: { type: 'exponential', half_life: '900d' }, null_timestamp_score: 'abstain' } },
        { params: { scorers: [{ expr: 'candidate.rating' }, { expr: 'candidate.fresh', weight: 3 }] } },
      ],
      report: [{ id: 'other', label: 'Others', params: { count: 3, min_score: 0.4 } }],
    });
    expect(readFileSync(file, 'utf8')).toContain('# new');
    expect(errors).toEqual([]);
  });

  test('a dialog keeps several fields, other expressions and a budget that requests set', async () => {
    const text = `tier2_scorers:
  - { id: rating, expr: candidate.rating / 5, weight: 2 }
  - { id: fresh, expr: candidate.fresh }
weights: { by: 'candidate.price > 90 ? "dear" : "cheap"', cases: { dear: { rating: 3 } } }
select:
  top: 5
  per: { by: candidate.brand + "!", top: 2 }
  diversify: { class: MmrSelector, params: { lambda: 0.655, fields: [brand, stock] } } # both
`;
    const file = folder.write('kept.yaml', text);
    const { page, errors } = await open({ profile: file, candidates, context: {} });
    const dialog = dialogOf(page);
    const cases = [
      ['Change the limit per group', 'Field', 'candidate.brand + "!"', 'with the same candidate.brand + "!"'],
      ['Change the weights by group', 'Field that says the group', 'candidate.price > 90 ? "dear" : "cheap"', 'dear'],
      ['Change the variety', 'Field in which they should differ', 'brand and stock', 'differ in brand and stock'],
    ] as const;
    for (const [button, label, chosen, sentence] of cases) {
      await press(page, button);
      const field = dialog.getByLabel(label, { exact: true });
      expect(await field.locator('option:checked').innerText()).toBe(chosen);
      expect(await dialog.locator('.sentence').innerText()).toContain(sentence);
      await expect.poll(() => dialog.getByRole('status').innerText()).toBe('Nothing is changed yet.');
      expect(await dialog.locator('[type=submit]').isDisabled()).toBe(true);
      expect(await violationsIn(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    await press(page, 'Change the variety');
    await type(page, 'Variety in percent', '50');
    await confirm(page);
    expect(await save(page, file)).toEqual([
      'diversify: { class: MmrSelector, params: { lambda: 0.655, fields: [brand, stock] } } # both',
    ]);
    expect(parse(readFileSync(file, 'utf8'))).toMatchObject({
      select: { diversify: { params: { lambda: 0.5, fields: ['brand', 'stock'] } } },
    });
    await press(page, 'Change the variety');
    await dialog.getByLabel('Field in which they should differ').selectOption('brand');
    await confirm(page);
    await save(page, file);
    expect(parse(readFileSync(file, 'utf8'))).toMatchObject({
      select: { diversify: { params: { lambda: 0.5, fields: 'brand' } } },
    });
    expect(errors).toEqual([]);
  });

  test('a dialog that the search opened returns the focus to a control', async () => {
    const file = folder.write('focus.yaml', EVERY_PART);
    const { page } = await open({ profile: file, candidates, context: {} });
    await command(page, 'Add a named value…');
    await dialogOf(page).waitFor();
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("role")')).toBe('listbox');
  });

  test('at 390 nothing is wider than the page, and the bar of changes has two lines', async () => {
    const file = folder.write('narrow.yaml', EVERY_PART);
    const { page } = await open({ profile: file, candidates, context: {} }, { viewport: { width: 390, height: 844 } });
    const bar = page.getByRole('region', { name: 'Changes' });
    const line = (await bar.getByRole('button', { name: 'Reset' }).boundingBox())!.height;
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    const budget = recipeOf(page).getByLabel('Budget', { exact: true });
    await budget.fill('700');
    await budget.press('Enter');
    await recipeOf(page).getByLabel('Number 1 of cheap').fill('400');
    await recipeOf(page).getByLabel('Number 1 of cheap').press('Enter');
    await expect.poll(() => bar.innerText()).toContain('2 changes');
    expect((await bar.boundingBox())!.height).toBeLessThan(2.5 * line);
    expect(await widerThanThePage(page)).toEqual([]);
    expect(await violationsIn(page)).toEqual([]);
    await press(page, 'Change the weights by group');
    expect(await widerThanThePage(page)).toEqual([]);
    expect(await violationsIn(page)).toEqual([]);
  });
});
