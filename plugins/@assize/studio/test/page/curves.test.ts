import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
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
  const ranked = async (params = {}, by = profile): Promise<string[]> => {
    const ranking = await (await createPipeline<object>(by)).rank(candidates, {});
    return (await ranking.whatIf({ params })).ranked.map(({ id }) => id);
  };

  test('moves points by keys, numbers and the pointer, undoes, and saves these scalars', async () => {
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
    expect(await page.getByText('The curve is no longer monotone').count()).toBe(1);
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

  test('adds and removes points by the pointer, keys and buttons, and saves these lines', async () => {
    const file = newFolder().write('profile.yaml', YAML);
    const { page, errors } = await open({ profile: file, candidates, context: {} });
    const points = (name: string) => page.getByRole('group', { name: `Curve of ${name}` }).getByRole('slider');
    const focused = () => page.evaluate<string>('document.activeElement.getAttribute("aria-label")');
    const before = (await ranked({}, file)).slice(0, 10);

    // On the line, where it changes nothing, and has the focus.
    await points('stars').nth(1).focus();
    await page.keyboard.press('Insert');
    await expect.poll(() => points('stars').count()).toBe(4);
    await expect.poll(focused).toBe('Point 3 of stars');
    expect(await points('stars').nth(2).getAttribute('aria-valuetext')).toBe('0.75 gives 0.55');
    await page.keyboard.press('Delete');
    await expect.poll(() => points('stars').count()).toBe(3);
    await showsFirst(page, before);

    const box = (await page.getByRole('group', { name: 'Curve of size' }).boundingBox())!;
    await page.mouse.dblclick(box.x + box.width / 2, box.y + 5);
    await expect.poll(() => points('size').count()).toBe(4);
    expect(await page.getByText('The curve is no longer monotone').count()).toBe(0);
    const [x, y] = (await points('size').nth(2).getAttribute('aria-valuetext'))!.split(' gives ').map(Number);
    expect(y).toBeGreaterThan(0.9);

    await page.getByText('points').nth(1).click();
    await page.getByRole('button', { name: 'Remove point 1 of stars' }).click();
    await expect.poll(() => points('stars').count()).toBe(2);
    expect(await page.getByRole('button', { name: 'Remove point 1 of stars' }).isDisabled()).toBe(true);
    await points('stars').first().focus();
    await page.keyboard.press('Delete'); // a curve has two
    expect(await points('stars').count()).toBe(2);
    await page.getByRole('button', { name: 'Add a point to stars' }).click();
    await expect.poll(() => points('stars').count()).toBe(3);
    expect(await violationsIn(page)).toEqual([]);

    await page.getByRole('button', { name: 'Save…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    const written = YAML.replace('[10, 0.5], ', `[10, 0.5], [${x}, ${y}], `)
      .replace('        - [0, 0]\n', '')
      .replace('        - [1, 1]\n', '        - [0.75, 0.55]\n        - [1, 1]\n');
    await expect.poll(() => readFileSync(file, 'utf8')).toBe(written);
    await expect.poll(() => page.getByRole('button', { name: 'Save…' }).isDisabled()).toBe(true);
    await showsFirst(page, (await ranked({}, file)).slice(0, 10));
    expect(errors).toEqual([]);
  });

  test('drops a dragged point beside the new value if the file changes', async () => {
    const file = newFolder().write('profile.yaml', YAML);
    const { page, errors } = await open({ profile: file, candidates, context: {} });
    const point = page.getByRole('slider', { name: 'Point 2 of size' });
    const box = (await point.boundingBox())!;
    await page.mouse.move(box.x + 7, box.y + 7);
    await page.mouse.down();
    await page.mouse.move(box.x + 7, box.y + 27, { steps: 2 });
    writeFileSync(file, YAML.replace('weight: 2', 'weight: 3'));
    await expect.poll(() => page.getByLabel('Weight of size, as a number').inputValue()).toBe('3');
    await page.mouse.move(box.x + 57, box.y + 27, { steps: 2 });
    await page.mouse.up();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => point.getAttribute('aria-valuetext')).toBe('10 gives 0.5');
    expect(await page.getByLabel('Weight of size, as a number').inputValue()).toBe('3');
    expect(errors).toEqual([]);
  });
});
