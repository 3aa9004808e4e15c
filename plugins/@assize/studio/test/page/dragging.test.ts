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

  test('the end of a slider stays while it is dragged and afterwards, until a weight reaches it', async () => {
    const profile = folder.write('dragged.yaml', YAML);
    const { page, errors } = await open({ profile, candidates, context: {} });
    const slider = page.getByLabel('Weight of stars', { exact: true });
    let part = 0.9;
    const drag = (event: string): Promise<{ value: number; max: number }> =>
      slider.evaluate(
        (element, [type, to]) => {
          const input = element as unknown as {
            value: string;
            valueAsNumber: number;
            max: string;
            dispatchEvent(event: Event): boolean;
          };
          if (type === 'input') input.value = String(Number(input.max) * to);
          input.dispatchEvent(new Event(type, { bubbles: true }));
          return { value: input.valueAsNumber, max: Number(input.max) };
        },
        [event, part] as const,
      );
    const first = await drag('input');
    for (let k = 0; k < 10; k++) {
      // oxlint-disable-next-line no-await-in-loop -- moves of one drag
      await page.evaluate(() => new Promise((drawn) => setTimeout(drawn, 20)));
      // oxlint-disable-next-line no-await-in-loop -- moves of one drag
      expect(await drag('input')).toEqual(first);
    }
    await drag('change');
    const changes = page.getByRole('region', { name: 'Changes' });
    await expect.poll(() => changes.innerText()).toContain('1 change');
    expect(Number(await slider.getAttribute('max'))).toBe(first.max);
    part = 1;
    await drag('input');
    await drag('change');
    await expect.poll(async () => Number(await slider.getAttribute('max'))).toBeGreaterThan(first.max);
    expect(errors).toEqual([]);
  });

  test('a border of the bar follows the pointer from where it is pressed, and no other border moves', async () => {
    const profile = folder.write(
      'borders.yaml',
      `${YAML}  - { id: third, expr: candidate.fresh / 2, weight: 0.37 }\n  - { id: last, expr: candidate.stars / 3 }\n`,
    );
    const { page, errors } = await open({ profile, candidates, context: {} });
    const borders = page.getByRole('slider', { name: /^Border between/ });
    const middles = async () =>
      Promise.all(
        (await borders.all()).map(async (one) => {
          const { x, width } = (await one.boundingBox())!;
          return x + width / 2;
        }),
      );
    const before = await middles();
    const { y, height } = (await borders.first().boundingBox())!;
    const pressed = before[0]! + 8;
    await page.mouse.move(pressed, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(pressed + 1, y + height / 2);
    await expect.poll(async () => Math.abs((await middles())[0]! - before[0]! - 1)).toBeLessThan(1);
    for (const by of [-40, -90, 30]) {
      // oxlint-disable no-await-in-loop -- moves of one drag
      await page.mouse.move(pressed + by, y + height / 2, { steps: 5 });
      await expect.poll(async () => Math.abs((await middles())[0]! - before[0]! - by)).toBeLessThan(2);
      const now = await middles();
      for (const k of [1, 2]) expect(Math.abs(now[k]! - before[k]!)).toBeLessThan(0.05);
      // oxlint-enable no-await-in-loop
    }
    await page.mouse.up();
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
