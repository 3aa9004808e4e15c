import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../../../../src/base/package-root.js';
import { openStudio } from '@assize/studio';
import { formatScore } from '../../src/page/parts/format.js';
import { rankedByPage } from './in-studio.js';
import { CHROMIUM, openChromium, openPage } from '../../../../../test/bundling/chromium.js';
import { assize } from '../../../../../test/cli/run-here.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { openAsExpert } from './in-studio.js';
import { type PresetCase, presetCases } from './preset-cases.js';

/** The presets without weights: one has no scorers, one combines by a formula. */
const WITHOUT_WEIGHTS = ['context', 'mixed-dag'];
const NOW = '2026-06-01';

const cases = await presetCases();
const folder = newFolder();

interface Row {
  readonly id: string;
  readonly score: number;
}

/** A row of the JSON of a ranking. */
type Placed = Row & { readonly rank?: number };

/** The ranking of a file by the command line. */
async function rankedByCli(file: string, { candidates, context }: PresetCase): Promise<readonly Row[]> {
  const input = folder.write('candidates.json', JSON.stringify(candidates));
  const request = folder.write('context.json', JSON.stringify(context));
  const { code, out, err } = await assize(
    ['rank', '-p', file, '--now', NOW, '--context', request, '--format', 'json', input],
    { stdin: '' },
  );
  expect({ code, err }).toMatchObject({ code: 0 });
  const { selected, not_selected: others } = JSON.parse(out) as Record<'selected' | 'not_selected', readonly Placed[]>;
  const placed = [...selected, ...others].filter(({ rank }) => rank !== undefined);
  return placed.toSorted((a, b) => a.rank! - b.rank!).map(({ id, score }) => ({ id, score }));
}

/** Drags some weights, one of a case if there are cases; otherwise disables a scorer. */
async function change(page: Page): Promise<void> {
  const weights = page.getByLabel(/^Weight of .*, as a number$/).and(page.locator(':enabled'));
  const set = async (k: number, to: string): Promise<void> => {
    await weights.nth(k).fill(to);
    await weights.nth(k).press('Enter');
  };
  const count = await weights.count();
  if (count === 0)
    return page.getByRole('region', { name: 'Criteria' }).getByRole('listitem').last().getByRole('checkbox').uncheck();
  await set(0, '0.37');
  if (count > 2) await set(2, '0.62');
  const inCase = page.getByLabel('Case');
  if ((await inCase.count()) === 0) return;
  await inCase.selectOption({ index: 1 });
  await set(1, '0.81');
}

test('every shipped preset is one of these', () => {
  const shipped = readdirSync(join(packageRoot(), 'config', 'presets')).map((file) => file.replace('.yaml', ''));
  expect([...cases.map(({ preset }) => preset), ...WITHOUT_WEIGHTS].toSorted()).toEqual(shipped.toSorted());
});

describe.skipIf(CHROMIUM === undefined || !isBuilt)('the saved file of the page [chromium]', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await openChromium();
    page = await openPage(browser, { viewport: { width: 1400, height: 900 } });
    await openAsExpert(page);
  });
  afterAll(() => browser?.close());

  test.each(cases)('is ranked the same by the command line and the page: $preset', async (one) => {
    const { preset, change: differently, candidates, context } = one;
    const file = folder.write(`${preset}.yaml`, `extends: [${preset}]\n${differently}`);
    const before = readFileSync(file, 'utf8');
    const studio = await openStudio({ profile: file, candidates, context: { ...context, now: NOW } });
    try {
      await page.goto(studio.url);
      await page.getByRole('grid').waitFor();
      await change(page);
      await page.getByRole('button', { name: 'Save…' }).click();
      const rows = page.locator('[role=row][id]');
      const shown = await rows.evaluateAll((all) =>
        all.map((row) => {
          const { innerText } = row as unknown as { innerText: string };
          return innerText.split('\n').map((cell) => cell.trim());
        }),
      );
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => readFileSync(file, 'utf8')).not.toBe(before);
      const saved = await rankedByCli(file, one);
      expect(shown.length).toBeGreaterThan(1);
      for (const [k, { id, score }] of saved.slice(0, shown.length).entries()) {
        expect(shown[k]).toEqual(expect.arrayContaining([id, formatScore(score)]));
      }
      await expect.poll(async () => (await rankedByPage(studio.url)).ranked).toEqual(saved);
    } finally {
      await studio.close();
    }
  });
});
