import { expect, test, describe } from 'vitest';
import { writeFileSync } from 'node:fs';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { inStudio } from './in-studio.js';

const YAML = `tier2_scorers:
  - { id: stars, expr: candidate.stars, weight: 2 }
  - { id: fresh, expr: candidate.fresh, weight: 1 }
`;
const candidates = Array.from({ length: 20 }, (_, i) => ({ id: `c${i}`, stars: i % 7, fresh: (i * 3) % 5 }));

describe.skipIf(CHROMIUM === undefined || !isBuilt)('weights and files that change [chromium]', () => {
  const folder = newFolder();
  const open = inStudio();

  test('the end of a slider stays while it is dragged to it, and is further away afterwards', async () => {
    const profile = folder.write('dragged.yaml', YAML);
    const { page, errors } = await open({ profile, candidates, context: {} });
    const slider = page.getByLabel('Weight of stars', { exact: true });
    const drag = (event: string): Promise<{ value: number; max: number }> =>
      slider.evaluate((element, type) => {
        const input = element as unknown as {
          value: string;
          valueAsNumber: number;
          max: string;
          dispatchEvent(event: Event): boolean;
        };
        if (type === 'input') input.value = input.max;
        input.dispatchEvent(new Event(type, { bubbles: true }));
        return { value: input.valueAsNumber, max: Number(input.max) };
      }, event);
    const first = await drag('input');
    for (let k = 0; k < 10; k++) {
      // oxlint-disable-next-line no-await-in-loop -- moves of one drag
      await page.evaluate(() => new Promise((drawn) => setTimeout(drawn, 20)));
      // oxlint-disable-next-line no-await-in-loop -- moves of one drag
      expect(await drag('input')).toEqual(first);
    }
    await drag('change');
    await expect.poll(async () => Number(await slider.getAttribute('max'))).toBeGreaterThan(first.max);
    expect(errors).toEqual([]);
  });

  test('reports a change on disk during an edit, and after a save compares with the saved file', async () => {
    const profile = folder.write('edited.yaml', YAML);
    const { page } = await open({ profile, candidates, context: {} });
    await page.getByLabel('Weight of fresh', { exact: true }).fill('2');
    writeFileSync(profile, YAML.replace('weight: 2', 'weight: 0.5'));
    await expect
      .poll(() => page.getByRole('status').allInnerTexts())
      .toEqual([expect.stringContaining('edited.yaml has changed on disk; your unsaved changes are kept')]);
    await page.getByRole('button', { name: 'Save…' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => page.getByText('No changes against the saved profile').count()).toBe(1);
    expect(await page.getByText('similar order').count()).toBe(0);
  });
});
