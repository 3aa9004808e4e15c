import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createPipeline } from '../../../src/index.js';
import { CHROMIUM } from '../../bundling/chromium.js';
import { isBuilt, newFolder } from '../../workers/folder.js';
import { idsOf, inStudio, showsFirst, violationsIn } from './in-studio.js';

const YAML = `tier2_scorers:
  - { id: size, class: CurveScorer, weight: 2, params: { value: size, points: [[0, 0], [10, 0.5], [39, 1]] } } # rises
  - id: stars
    class: CurveScorer
    params:
      scorer: { expr: candidate.stars / 40 }
      points: # of forty
        - [0, 0]
        - [0.5, 0.1]
        - [1, 1]
`;
const candidates = Array.from({ length: 40 }, (_, k) => ({ id: `c${k}`, stars: (k * 7) % 40, size: k }));

describe.skipIf(CHROMIUM === undefined || !isBuilt)('the curves of the studio [chromium]', () => {
  const open = inStudio();
  const profile = newFolder().write('profile.yaml', YAML);
  const ranked = async (params = {}): Promise<string[]> => {
    const ranking = await (await createPipeline<object>(profile)).rank(candidates, {});
    return (await ranking.whatIf({ params })).ranked.map(({ id }) => id);
  };

  test('points are moved by keys, numbers and the pointer, undone, and saved as these scalars', async () => {
    const { page, errors } = await open({ profile, candidates, context: {} });
    await showsFirst(page, (await ranked()).slice(0, 10));
    const third = page.getByRole('slider', { name: 'Point 3 of stars' });
    await third.focus();
    for (let k = 0; k < 10; k++) await page.keyboard.press('Shift+ArrowDown');
    expect(await third.getAttribute('aria-valuetext')).toBe('1 gives 0');
    const falling = {
      stars: {
        points: [
          [0, 0],
          [0.5, 0.1],
          [1, 0],
        ],
      },
    };
    await showsFirst(page, (await ranked(falling)).slice(0, 10));
    expect(await page.getByText('It no longer goes one way').count()).toBe(1);
    await page.getByRole('button', { name: 'Reset' }).click();
    await showsFirst(page, (await ranked()).slice(0, 10));

    await page.getByText('points').first().click();
    const middle = page.getByLabel('x of point 2 of size');
    await middle.fill('50');
    await middle.press('Enter');
    expect(await middle.inputValue()).toBe('10');
    const point = await page.getByRole('slider', { name: 'Point 2 of size' }).boundingBox();
    await page.mouse.move(point!.x + 7, point!.y + 7);
    await page.mouse.down();
    await page.mouse.move(point!.x + 90, point!.y + 47, { steps: 4 });
    await page.mouse.up();
    const shown = await page.getByRole('slider', { name: 'Point 2 of size' }).getAttribute('aria-valuetext');
    const [x, y] = shown!.split(' gives ').map(Number);
    expect(x).toBeGreaterThan(15);
    expect(y).toBeLessThan(0.1);
    const moved = {
      size: {
        points: [
          [0, 0],
          [x!, y!],
          [39, 1],
        ],
      },
    };
    await showsFirst(page, (await ranked(moved)).slice(0, 10));
    expect(await violationsIn(page)).toEqual([]);

    const order = await idsOf(page);
    await page.getByRole('button', { name: 'Save…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => readFileSync(profile, 'utf8')).toBe(YAML.replace('[10, 0.5]', `[${x}, ${y}]`));
    await expect.poll(() => page.getByRole('button', { name: 'Save…' }).isDisabled()).toBe(true);
    expect((await ranked()).slice(0, order.length)).toEqual(order);
    expect(errors).toEqual([]);
  });
});
