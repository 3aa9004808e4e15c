import { describe, expect, test } from 'vitest';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { idsOf, inStudio, listOnly, showsFirst, violationsIn } from './in-studio.js';

const YAML = `
measures: [{ id: bulk, expr: candidate.size }]
tier1_scorers: [{ id: gone, expr: candidate.gone }]
tier2_scorers:
  - { id: stars, label: Popularity, expr: candidate.stars / 100, weight: 2 }
  - { id: fresh, expr: candidate.facts.fresh, weight: 1 }
select: { top: 5 }
`;
const candidates = Array.from({ length: 40 }, (_, k) => ({
  id: `c${String(k).padStart(2, '0')}`,
  stars: (k * 7) % 40,
  size: k,
  facts: { fresh: ((k * 11) % 40) / 40 },
  gone: k % 10 === 9,
}));
const ranked = candidates
  .filter(({ gone }) => !gone)
  .toSorted((a, b) => b.stars / 50 + b.facts.fresh - (a.stars / 50 + a.facts.fresh));

describe.skipIf(CHROMIUM === undefined || !isBuilt)('the list of the studio [chromium]', () => {
  const open = inStudio();
  const profile = newFolder().write('profile.yaml', YAML);

  test('selects ranges by keys and by the pointer, with a search; ranks are unchanged', async () => {
    const { page, errors } = await open({ profile, candidates, context: {} });
    await page.getByRole('tab', { name: 'Filters' }).click();
    const least = page.getByRole('slider', { name: 'Least facts.fresh' });
    await least.focus();
    for (let k = 0; k < 5; k++) await page.keyboard.press('PageUp');
    const bound = Number(await least.getAttribute('aria-valuenow'));
    expect(bound).toBeCloseTo(0.475, 3);
    const inRange = ranked.filter(({ facts }) => facts.fresh >= bound);
    await showsFirst(
      page,
      inRange.slice(0, 10).map(({ id }) => id),
    );
    expect(await page.getByText(`${ranked.length - inRange.length} of 36 hidden`).count()).toBe(1);
    const rank = await page.locator('.grid [role=row] .rank').nth(4).innerText();
    expect(Number(rank)).toBe(ranked.indexOf(inRange[4]!) + 1);

    const bars = page.locator('.filters li', { hasText: 'size' }).locator('.plot');
    await bars.scrollIntoViewIfNeeded();
    const plot = await bars.boundingBox();
    await page.mouse.move(plot!.x + plot!.width / 4, plot!.y + 10);
    await page.mouse.down();
    await page.mouse.move(plot!.x + plot!.width / 2, plot!.y + 10, { steps: 3 });
    await page.mouse.up();
    const most = Number(await page.getByRole('slider', { name: 'Most size' }).getAttribute('aria-valuenow'));
    expect(most).toBeGreaterThan(15);
    expect(most).toBeLessThan(24);
    const least2 = Number(await page.getByRole('slider', { name: 'Least size' }).getAttribute('aria-valuenow'));
    const both = inRange.filter(({ size }) => size >= least2 && size <= most).map(({ id }) => id);
    await expect.poll(() => idsOf(page)).toEqual(both);
    await listOnly(page, 'c1');
    await expect.poll(() => idsOf(page)).toEqual(both.filter((id) => id.includes('c1')));
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show all' }).click();
    await showsFirst(
      page,
      ranked.slice(0, 10).map(({ id }) => id),
    );
    expect(errors).toEqual([]);
  });

  test('sorts by any column, both ways, and by columns of fields, scorers and measures', async () => {
    const { page } = await open({ profile, candidates, context: {} });
    await page.getByText('Columns').click();
    for (const name of ['facts.fresh', 'Popularity']) await page.getByRole('checkbox', { name }).last().check();
    await page.keyboard.press('Escape');
    const bySize = (sign: number) =>
      ranked.toSorted((a, b) => sign * (a.facts.fresh - b.facts.fresh)).map(({ id }) => id);
    await page.getByRole('button', { name: 'facts.fresh' }).click();
    await showsFirst(page, bySize(-1).slice(0, 5));
    expect(await page.getByRole('columnheader', { name: 'facts.fresh' }).getAttribute('aria-sort')).toBe('descending');
    await page.keyboard.press('Enter');
    await showsFirst(page, bySize(1).slice(0, 5));
    await page.getByRole('button', { name: 'id', exact: true }).click();
    await showsFirst(page, ['c00', 'c01', 'c02']);
  });

  test('shows candidates below the cut and removed candidates, with reasons', async () => {
    const { page } = await open({ profile, candidates, context: {} });
    await page.getByText('Below the cut 31', { exact: true }).click();
    await page.getByText('Below the top 31', { exact: true }).click();
    expect(await page.locator('.not-selected li').first().innerText()).toMatch(/^c\d\d below the top/);
    await page.getByText('Removed by a rule 4', { exact: true }).click();
    await page.getByText('Gone 4', { exact: true }).click();
    await page.getByRole('button', { name: 'c09' }).click();
    await expect.poll(() => page.getByRole('region', { name: 'Why c09' }).innerText()).toMatch(/Removed by Gone/);
  });
});

describe.skipIf(CHROMIUM === undefined || !isBuilt)('the history of the studio [chromium]', () => {
  const open = inStudio();
  const folder = newFolder();
  const profile = folder.write('profile.yaml', YAML);
  const other = folder.write('other.yaml', 'tier2_scorers: [{ id: size, expr: candidate.size }]\nselect: { top: 5 }\n');

  test('compares two profiles and kept states; supports return, undo, and the baseline', async () => {
    const { page, errors } = await open({ profile, others: [other], candidates, context: {} });
    await page.getByRole('tab', { name: 'Side by side' }).click();
    const second = (): Promise<string[]> => page.locator('.side-right .id').allInnerTexts();
    expect((await second()).slice(0, 3)).toEqual(['c39', 'c38', 'c37']);
    expect(await page.locator('.side-left .id').first().innerText()).toBe(ranked[0]!.id);

    await page.getByLabel('Weight of fresh', { exact: true }).fill('0');
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByLabel('Name of the current settings').fill('Only stars');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('button', { name: 'Side by side Only stars' }).click();
    const byStars = ranked.toSorted((a, b) => b.stars - a.stars).map(({ id }) => id);
    expect((await page.locator('.side-left .id').allInnerTexts()).slice(0, 5)).toEqual(byStars.slice(0, 5));
    await expect.poll(async () => (await second())[0]).toBe(ranked[0]!.id);
    expect(await violationsIn(page)).toEqual([]);

    await page.getByRole('button', { name: 'Go back Only stars' }).click();
    await expect.poll(async () => (await second()).slice(0, 5)).toEqual(byStars.slice(0, 5));
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await second())[0]).toBe(ranked[0]!.id);
    await page.getByRole('button', { name: 'Set as baseline Only stars' }).click();
    await page.getByRole('tab', { name: 'Table' }).click();
    const moves = ranked.slice(0, 10).map(({ id }, rank) => byStars.indexOf(id) - rank);
    const shown = moves.map((by) => (by === 0 ? '' : by > 0 ? `▲ ${by}` : `▼ ${-by}`));
    expect((await page.locator('.grid .move').allInnerTexts()).slice(0, 10)).toEqual(shown);
    expect(errors).toEqual([]);
  });

  test('reports another profile that becomes invalid, and keeps the page until it is fixed', async () => {
    const own = folder.write('own.yaml', YAML);
    const beside = folder.write('beside.yaml', 'tier2_scorers: [{ id: size, expr: candidate.size }]\n');
    const { page } = await open({ profile: own, others: [beside], candidates, context: {} });
    folder.write('beside.yaml', 'tier2_scorers: [{ id: size, expr: candidate. }]\n');
    folder.write('own.yaml', `${YAML}# changed\n`);
    await expect
      .poll(() => page.getByRole('alert').allInnerTexts())
      .toEqual([expect.stringMatching(/beside\.yaml:1:/)]);
    expect((await idsOf(page))[0]).toBe(ranked[0]!.id);
    folder.write('beside.yaml', 'tier2_scorers: [{ id: size, expr: -candidate.size }]\n');
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await page.getByRole('tab', { name: 'Side by side' }).click();
    expect(await page.locator('.side-right .id').first().innerText()).toBe('c00');
  });
});
