import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linkState } from '../../src/data/link-state.js';
import { stateIn } from '../../src/page/model/link.js';
import { openStudio } from '@assize/studio';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { inStudio, showsFirst } from './in-studio.js';

const hashOf = (state: unknown): string => `#${new URLSearchParams({ state: JSON.stringify(state) }).toString()}`;

describe('settings in the address', () => {
  test('are empty, or those of a link of the page', () => {
    expect(stateIn('')).toBeUndefined();
    expect(stateIn('#token=x')).toBeUndefined();
    const settings = {
      edits: [{ path: ['adjustments', { id: 'r' }], value: { id: 'r', add: 1 } }],
      weights: { a: 1 },
      cases: {},
      params: { b: { points: [[0, 1]] } },
      off: ['c'],
      on: ['d'],
      top: 3,
    } as const;
    expect(stateIn(`#${linkState({ settings, version: 'v' })}`)).toEqual({ settings, version: 'v' });
  });

  const part = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant({}), fc.constant([]));
  const keys = ['edits', 'weights', 'cases', 'params', 'off', 'top', 'minScore'];
  test('are damaged otherwise: only settings are accepted', () => {
    const settingsOf = (settings: object) => {
      try {
        return stateIn(hashOf({ settings }))!.settings;
      } catch (error) {
        expect((error as Error).message).toBe('the link is damaged, so its settings are not applied');
        return undefined;
      }
    };
    const given = fc.dictionary(fc.constantFrom(...keys), part, { maxKeys: 2 });
    fc.assert(
      fc.property(given, (settings) => {
        const { weights, off, top = 0 } = settingsOf(settings) ?? { weights: {}, off: [] };
        expect([top, ...Object.values(weights)].every((one) => typeof one === 'number')).toBe(true);
        expect(off.every((id) => typeof id === 'string')).toBe(true);
      }),
    );
  });
});

describe.skipIf(CHROMIUM === undefined || !isBuilt)('a link in a page [chromium]', () => {
  const open = inStudio();
  const folder = newFolder();
  const candidates = Array.from({ length: 20 }, (_, k) => ({ id: `c${k}`, stars: k, size: 40 - 3 * k }));
  const YAML = `tier2_scorers:
  - { id: stars, expr: candidate.stars, weight: 2 }
  - { id: size, expr: candidate.size, weight: 1 }
`;

  test('opens in the tab of its studio, and reports another version, or damage', async () => {
    const { page, studio, errors } = await open({ profile: folder.write('p.yaml', YAML), candidates, context: {} });
    const address = studio.url.replace(/#.*/, '');
    const said = () => page.getByRole('alert').allInnerTexts();
    await showsFirst(page, ['c0', 'c1']);
    await page.goto(address + hashOf({ version: 'another', settings: { weights: { size: 0 } } }));
    await showsFirst(page, ['c19', 'c18']);
    await expect.poll(said).toEqual(['the link was made for another version of p.yaml']);
    expect(page.url()).toBe(address);
    await page.getByRole('button', { name: 'Undo' }).click();
    await showsFirst(page, ['c0', 'c1']);
    for (const [state, words] of [
      [{ settings: { off: 5 } }, 'the link is damaged, so its settings are not applied'],
      [{ settings: { weights: { stars: -5 } } }, expect.stringContaining('stars is the number -5')],
    ] as const) {
      await page.goto(address + hashOf(state));
      await expect.poll(said).toEqual([words]);
      await showsFirst(page, ['c0', 'c1']);
    }
    const second = await page.context().newPage();
    await second.goto(`${studio.url}&state=x`);
    await expect.poll(() => second.getByRole('alert').allInnerTexts()).toEqual([expect.stringContaining('damaged')]);
    await showsFirst(second, ['c0', 'c1']);
    await second.close();
    expect(errors).toEqual([]);
  });

  test('opens in a new tab of the same browser, next to another studio, and not in another browser', async () => {
    const profile = folder.write('q.yaml', YAML);
    const { page, studio } = await open({ profile, candidates, context: {} });
    const other = await openStudio({ profile: folder.write('r.yaml', YAML), candidates, context: {} });
    const link = studio.url.replace(/#.*/, '') + hashOf({ settings: { weights: { size: 0 } } });
    const [second, third] = [await page.context().newPage(), await page.context().newPage()];
    await second.goto(other.url);
    await showsFirst(second, ['c0', 'c1']);
    await third.goto(link);
    await showsFirst(third, ['c19', 'c18']);
    await second.goto('about:blank');
    await second.goto(other.url.replace(/#.*/, ''));
    await showsFirst(second, ['c0', 'c1']);
    const stranger = await page.context().browser()!.newPage();
    await stranger.goto(link);
    await expect.poll(() => stranger.locator('.problem').innerText()).toContain('This browser has no access');
    expect(await stranger.locator('.problem').innerText()).toMatch(
      /no token, on purpose.*assize studio printed.*“Export for a colleague”/s,
    );
    expect(stranger.url()).toBe(link); // to be loaded again
    await Promise.all([second, third, stranger].map((one) => one.close()));
    await other.close();
  });
});
