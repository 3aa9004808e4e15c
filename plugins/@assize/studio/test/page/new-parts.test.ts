import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { changedLines } from '../../src/save/changed-lines.js';
import { placeIn } from '../../src/page/add/text-place.js';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { command, inStudio, recipeButton, violationsIn } from './in-studio.js';
import { products } from './shop.js';

const candidates = products(60);
const YAML = `# Shop
tier2_scorers:
  - { id: rating, expr: candidate.rating / 5 } # stars
`;
const dialogOf = (page: Page) => page.getByRole('dialog');
const field = (page: Page, label: string) => dialogOf(page).getByLabel(label, { exact: true });

describe('the place of a part in the text of a profile', () => {
  const text = `${YAML}select:\n  top: 3\n  "per": { by: candidate.brand, top: 9 }\n`;

  test.each([
    [['select', 'per'], '"per"'],
    [['tier2_scorers', { id: 'rating' }], 'id: rating'],
    [['select', 'place'], 'select:'],
    [['tier2_scorers', { id: 'rating' }, 'expr'], 'expr:'],
  ])('%j is at %s', (path, found) => {
    expect(text.slice(placeIn(text, path))).toMatch(new RegExp(`^${found}`));
  });

  test('a part that the text does not have is at its end', () => {
    expect(placeIn(text, ['signals'])).toBe(text.length);
  });
});

describe.skipIf(CHROMIUM === undefined || !isBuilt)('adding every part by forms in a page [chromium]', () => {
  const open = inStudio('simple');
  const folder = newFolder();

  /** Opens a dialog that adds something. */
  async function add(page: Page, name: string): Promise<void> {
    await (await recipeButton(page, name)).click();
    await dialogOf(page).waitFor();
  }

  async function confirm(page: Page): Promise<void> {
    await expect.poll(() => dialogOf(page).getByRole('status').innerText()).toMatch(/the top/i);
    await dialogOf(page).locator('[type=submit]').click();
    await dialogOf(page).waitFor({ state: 'detached' });
  }

  async function save(page: Page, file: string): Promise<readonly string[]> {
    const before = readFileSync(file, 'utf8');
    await page.getByRole('button', { name: 'Save…' }).click();
    const button = dialogOf(page).getByRole('button', { name: 'Save' });
    await expect.poll(() => button.isEnabled()).toBe(true);
    await button.click();
    await expect.poll(() => readFileSync(file, 'utf8')).not.toBe(before);
    return changedLines(before, readFileSync(file, 'utf8')).flatMap(({ sign, text }) => (sign === '-' ? [text] : []));
  }

  test('a measure, a signal, a strategy, a report, an order and criteria of other kinds are added and saved', async () => {
    const file = folder.write('shop.yaml', YAML);
    const { page, errors } = await open({ profile: file, candidates, context: { now: '2026-01-01' } });

    await add(page, 'Measure');
    expect(await violationsIn(page)).toEqual([]);
    await field(page, 'Field').selectOption('stock');
    await field(page, 'Number').fill('10');
    await field(page, 'Name (optional)').fill('Stock in tens');
    await confirm(page);

    await add(page, 'Signal');
    await expect.poll(() => field(page, 'Method').locator('option').allInnerTexts()).toEqual(['Expression']);
    await field(page, 'Value (needed)').fill('context.now');
    await field(page, 'Name (optional)').fill('Today');
    expect(await violationsIn(page)).toEqual([]);
    await confirm(page);

    await add(page, 'Report');
    await expect.poll(() => field(page, 'Method').inputValue()).toBe('Alternatives');
    await dialogOf(page).getByText('2 more settings').click();
    await field(page, 'Count').fill('5');
    await confirm(page);

    await add(page, 'Strategy');
    await field(page, 'Name (optional)').fill('nothing else');
    await confirm(page);

    await add(page, 'Order of the shown items');
    await field(page, 'Method').selectOption('SpreadSelector');
    await field(page, 'By (needed)').fill('candidate.brand');
    await confirm(page);

    await add(page, 'Other kind of criterion');
    await field(page, 'Method').selectOption('ScaledScorer');
    await field(page, 'Scorer expr (needed)').fill('candidate.price');
    await field(page, 'Name (optional)').fill('Dear');
    await confirm(page);

    await add(page, 'Other kind of removal');
    await field(page, 'Method').selectOption('ThresholdVeto');
    await field(page, 'Value (needed)').fill('price');
    await dialogOf(page)
      .getByText(/more settings/)
      .click();
    await field(page, 'Max').fill('150');
    await field(page, 'Name (optional)').fill('Too dear');
    await confirm(page);

    expect(await save(page, file)).toEqual([]);
    expect(parse(readFileSync(file, 'utf8'))).toEqual({
      tier2_scorers: [
        { id: 'rating', expr: 'candidate.rating / 5' },
        {
          id: 'dear',
          label: 'Dear',
          class: 'ScaledScorer',
          params: { scorer: { expr: 'candidate.price' } },
          weight: 1,
        },
      ],
      measures: [{ id: 'stock_in_tens', label: 'Stock in tens', expr: 'candidate.stock / 10' }],
      signals: [{ id: 'today', label: 'Today', class: 'ExpressionSignal', params: { value: 'context.now' } }],
      report: [{ id: 'alternatives', class: 'Alternatives', params: { count: 5 } }],
      strategies: [{ id: 'nothing_else' }],
      select: { place: { class: 'SpreadSelector', params: { by: 'candidate.brand' } } },
      tier1_scorers: [
        { id: 'too_dear', label: 'Too dear', class: 'ThresholdVeto', params: { value: 'price', max: 150 } },
      ],
    });
    expect(errors).toEqual([]);
  });

  test('other parts have a form each, and are saved', async () => {
    const file = folder.write('parts.yaml', YAML);
    const { page, errors } = await open({ profile: file, candidates, context: {} });
    for (const [part, act] of [
      ['Show similar items once', () => field(page, 'Field').selectOption('brand')],
      ['Order of equal scores', () => field(page, 'Field').selectOption('price')],
      ['Always show some items', () => field(page, 'Field').selectOption('price')],
      ['Statistic of all items', () => field(page, 'Name (optional)').fill('prices')],
      ['If a field is absent', () => field(page, 'On absent').fill('refuse')],
      ['Score of items without data', () => field(page, 'Score of items without data').fill('0.5')],
      ['If nothing is left to show', () => field(page, 'Use').fill('P1')],
    ] as const) {
      // oxlint-disable no-await-in-loop -- one dialog after another
      await command(page, 'Add another part…');
      await field(page, 'Part').selectOption({ label: part });
      await act();
      await expect.poll(() => dialogOf(page).getByRole('status').innerText()).toMatch(/the top/i);
      expect(await violationsIn(page)).toEqual([]);
      await confirm(page);
      // oxlint-enable no-await-in-loop
    }
    expect(await save(page, file)).toEqual([]);
    const { candidate, stats, ...rest } = parse(readFileSync(file, 'utf8'));
    expect(candidate).toEqual({ pinned: expect.stringMatching(/^candidate\.price < \d/) });
    expect(stats).toEqual({ prices: { of: expect.stringMatching(/^candidate\.\w+ \/ 1$/) } });
    expect(rest).toEqual({
      tier2_scorers: [{ id: 'rating', expr: 'candidate.rating / 5' }],
      select: { duplicates: 'candidate.brand', ties: ['candidate.price'] },
      defaults: { on_absent: 'refuse' },
      on_unscored: 0.5,
      fallback: [{ use: 'P1' }],
    });
    expect(errors).toEqual([]);
  });

  test('a part without a form says why, and opens the text at its place', async () => {
    const file = folder.write(
      'text.yaml',
      `${YAML}signals: [{ id: mode, class: ExpressionSignal, params: { value: '1' } }]\n`,
    );
    const { page, errors } = await open({ profile: file, candidates, context: {} });
    await add(page, 'Other kind of criterion');
    await field(page, 'Method').selectOption('CurveScorer');
    await expect
      .poll(() => dialogOf(page).innerText())
      .toContain('This method needs “points”, which has parts in parts');
    await field(page, 'Method').selectOption('ModelScorer');
    await expect.poll(() => dialogOf(page).innerText()).toContain('This method needs “file”, which names a file');
    await dialogOf(page).getByRole('button', { name: 'Open the text of the file there' }).click();
    const atCursor = () =>
      page.evaluate<string>(`(() => {
        const { value, selectionStart } = document.querySelector('.yaml textarea');
        return value.slice(selectionStart).split('\\n')[0];
      })()`);
    await expect.poll(atCursor).toBe('tier2_scorers:');
    await page.getByRole('button', { name: 'Close', exact: true }).click();

    await page.getByRole('button', { name: 'Change the signal Mode' }).click();
    await dialogOf(page).getByRole('button', { name: 'Show in the text of the file' }).click();
    await expect.poll(atCursor).toMatch(/^id: mode/);
    await page.getByRole('button', { name: 'Close', exact: true }).click();

    await add(page, 'Another part');
    await field(page, 'Part').selectOption({ label: 'Plugins' });
    await expect.poll(() => dialogOf(page).innerText()).toContain('edit the file with an editor');
    expect(await violationsIn(page)).toEqual([]);
    expect(errors).toEqual([]);
  });
});
