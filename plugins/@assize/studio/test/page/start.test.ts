import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { assize } from '../../../../../test/cli/run-here.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { inStudio } from './in-studio.js';
import { presetCases } from './preset-cases.js';

const folder = newFolder();
const NOW = '2026-06-01';

/** The most bytes that a browser may load before the first list, compressed. */
const MOST = 300_000;

const candidates = Array.from({ length: 20 }, (_, k) => ({ id: `c${k}`, stars: (k * 7) % 20 }));
const plain = folder.write('plain.yaml', 'tier2_scorers: [{ id: stars, expr: candidate.stars }]\n');

/** The files of the page that a document names, by name: the scripts to preload, the styles and the first script. */
const namedIn = (html: string): readonly string[] =>
  [...html.matchAll(/(?:href|src)="([^"]+\/[\w-]+\.(?:js|css))"/g)].map(([, address = '']) => address);

const nameOf = (address: string): string => address.replace(/^.*\//, '');

/** The files of the page that a browser has loaded. */
const loadedIn = (page: Page): Promise<readonly string[]> =>
  page
    .evaluate<string[]>(`performance.getEntriesByType('resource').map(({ name }) => name)`)
    .then((names) => names.filter((name) => /\.(?:js|css)$/.test(name)).map(nameOf));

/** A file as a server sends it, without decompression. */
async function sent(address: string, encoding: string): Promise<readonly [IncomingMessage, Buffer]> {
  const [answer] = (await once(get(address, { headers: { 'accept-encoding': encoding } }), 'response')) as [
    IncomingMessage,
  ];
  return [answer, await buffer(answer)];
}

describe.skipIf(CHROMIUM === undefined || !isBuilt)('the start of the page [chromium]', () => {
  const open = inStudio('simple');

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
  ])('loads at most 300,000 bytes with %s', async (accepted, encoding) => {
    const { studio } = await open({ profile: plain, candidates, context: {} });
    const { origin } = new URL(studio.url);
    const html = await (await fetch(origin)).text();
    const files = namedIn(html);
    expect(files.map(nameOf).toSorted()).toEqual(['engine.js', 'page.js', 'runtime.js', 'studio-page.css']);
    const all = await Promise.all(files.map((file) => sent(`${origin}/${file}`, accepted)));
    expect(all.map(([{ headers }]) => headers['content-encoding'])).toEqual(files.map(() => encoding));
    expect(all.reduce((total, [, bytes]) => total + bytes.length, html.length)).toBeLessThanOrEqual(MOST);
  });

  test('loads nothing that the document does not name before the first list, and the rest while it is idle', async () => {
    const { page, studio, errors } = await open({ profile: plain, candidates, context: {} });
    const html = await (await fetch(new URL(studio.url).origin)).text();
    const atStart = namedIn(html).map(nameOf);
    await expect.poll(() => loadedIn(page)).toContain('later.js');
    expect((await loadedIn(page)).toSorted()).toEqual([...atStart, 'later.js'].toSorted());
    expect(errors).toEqual([]);
  });

  test('asks the server for no file on the second visit', async () => {
    const { page, studio } = await open({ profile: plain, candidates, context: {} });
    await expect.poll(() => loadedIn(page)).toContain('later.js');
    const again = await page.context().newPage();
    const watch = await page.context().newCDPSession(again);
    const asked: string[] = [];
    await watch.send('Network.enable');
    watch.on('Network.responseReceived', ({ response }) => {
      if (!response.fromDiskCache) asked.push(new URL(response.url).pathname);
    });
    await again.goto(studio.url);
    await again.getByRole('listbox').waitFor();
    await expect.poll(() => loadedIn(again)).toContain('later.js');
    expect(asked.filter((path) => /\.(?:js|css)$/.test(path))).toEqual([]);
    expect(asked).toContain('/api/data');
    await again.close();
  });

  test('opens dialogs also if the server has ended', async () => {
    const { page, studio } = await open({ profile: plain, candidates, context: {} });
    await expect.poll(() => loadedIn(page)).toContain('later.js');
    await studio.close();
    await page.keyboard.press('Control+k');
    await page.getByLabel('Search items and commands').fill('Compare side by side');
    await page.getByRole('option', { name: 'Compare side by side', exact: true }).click();
    await page.getByRole('tabpanel', { name: 'Side by side' }).waitFor();
  });
});

describe.skipIf(CHROMIUM === undefined || !isBuilt)('a page of a profile with plugins [chromium]', () => {
  const open = inStudio();

  /** The ids that the command line selects, and those that it ranks, best first. */
  async function byCommandLine(profile: string, items: readonly object[], context: object) {
    const input = folder.write('candidates.json', JSON.stringify(items));
    const request = folder.write('context.json', JSON.stringify(context));
    const args = ['rank', '-p', profile, '--now', NOW, '--context', request, '--format', 'json', input];
    const { out } = await assize(args, { stdin: '' });
    const rows = JSON.parse(out) as Record<
      'selected' | 'not_selected',
      readonly { readonly id: string; readonly rank?: number }[]
    >;
    const placed = [...rows.selected, ...rows.not_selected].flatMap(({ id, rank }) =>
      rank === undefined ? [] : [{ id, rank }],
    );
    return placed.toSorted((a, b) => a.rank - b.rank).map(({ id }) => id);
  }

  const cases = presetCases();
  test.each([
    ['document-qa', ['core.js', 'cupel.js']],
    ['interview', []],
    ['next-tool', []],
  ])('ranks as the command line does: %s, with the files %j', async (preset, plugins) => {
    const one = (await cases).find((each) => each.preset === preset)!;
    const profile = folder.write(`${preset}.yaml`, `extends: [${preset}]\n${one.change}`);
    const { page, studio, errors } = await open({
      profile,
      candidates: one.candidates,
      context: { ...one.context, now: NOW },
    });
    const expected = await byCommandLine(profile, one.candidates, one.context);
    const shown = await page.locator('.grid [role=row] .id').allInnerTexts();
    expect(shown.length).toBeGreaterThan(1);
    expect(shown).toEqual(expected.slice(0, shown.length));
    const named = namedIn(await (await fetch(new URL(studio.url).origin)).text()).map(nameOf);
    expect(named).toEqual(expect.arrayContaining(plugins));
    await expect.poll(() => loadedIn(page)).toContain('later.js');
    // While it is idle, the page also loads the classes of params, to rank by them without the server.
    expect(await loadedIn(page)).toEqual(expect.arrayContaining([...named, 'later.js']));
    expect(errors).toEqual([]);
  });

  test('loads the plugin of a criterion that is switched off', async () => {
    const yaml = `plugins: [cupel]
tier2_scorers:
  - { id: stars, expr: candidate.stars }
  - { id: recency, class: RecencyScorer, enabled: false }
`;
    const { page } = await open({ profile: folder.write('off.yaml', yaml), candidates, context: { now: NOW } });
    expect(await loadedIn(page)).toEqual(expect.arrayContaining(['core.js', 'cupel.js']));
  });
});
