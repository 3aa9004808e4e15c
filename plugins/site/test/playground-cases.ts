import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { strFromU8, unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import { newFolder } from '../../../test/scale/threads/folder.js';
import { inPlayground, paste, profileOf, scoresOf, settled, write } from './in-playground.js';

/** Examples whose profiles use no `exp`, `ln` or `pow`: their rankings are equal to the bit. */
const EXACT = ['traces', 'products', 'hybrid-search', 'kubernetes-nodes', 'job-applicants'];
/** JavaScript does not specify the last digit of these functions, and versions of V8 differ in it. */
const ROUNDED = ['films', 'tools', 'context', 'incident-triage', 'pull-requests'];
const DIGITS = 11;

const rounded = (json: string): unknown =>
  JSON.parse(json, (_, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(DIGITS)) : value));

const CLI = join(packageRoot(), 'dist/bundle/cli.js');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The files of the folder that "Download" gives. */
async function downloadOf(page: Page): Promise<Readonly<Record<string, string>>> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  const files = unzipSync(readFileSync(await download.path()));
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

interface RankingJson {
  readonly selected: readonly { readonly index: number; readonly score?: number }[];
}

const fragmentOf = (state: object | string): string => {
  const text = typeof state === 'string' ? state : JSON.stringify(state);
  return `#state=${deflateRawSync(text).toString('base64url')}`;
};

const SMALL = {
  profile:
    '# Mine\ntier2_scorers:\n  - { id: stars, expr: candidate.stars / 10, weight: 1 } # counts\n  - { id: age, expr: 1 / candidate.age }\n',
  candidates: '[{ "id": "a", "stars": 3, "age": 1 }, { "id": "b", "stars": 9, "age": 4 }]',
  format: 'json',
  context: '',
  now: '2026-01-01',
};

/** The tests of the playground in Chromium, in the site that is built. */
export function describePlayground(): void {
  describe('the playground', () => {
    const open = inPlayground();

    test.each([...EXACT, ...ROUNDED])('%s ranks as assize rank does on the download', async (name) => {
      const { page, errors } = await open(`#example=${name}`);
      const shown = await scoresOf(page);
      expect(shown.length).toBeGreaterThan(0);
      const files = await downloadOf(page);
      const folder = newFolder();
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder.path, file)), { recursive: true });
        writeFileSync(join(folder.path, file), text);
      }
      const [, command = ''] = /^npx assize (rank .*)$/m.exec(files['assize-playground/README.md'] ?? '') ?? [];
      const json = execFileSync(process.execPath, [CLI, ...command.split(' '), '--format', 'json'], {
        cwd: join(folder.path, 'assize-playground'),
        encoding: 'utf8',
      });
      const downloaded = files['assize-playground/ranking.json'] ?? '';
      const { selected } = JSON.parse(downloaded) as RankingJson;
      expect(shown).toEqual(selected.slice(0, shown.length).map(({ index, score }) => [index, score]));
      if (EXACT.includes(name)) expect(downloaded).toBe(json);
      else expect(rounded(downloaded)).toEqual(rounded(json));
      expect(errors).toEqual([]);
      await page.context().close();
    });

    test('a slider writes the text, and the text moves the slider', async () => {
      const { page, errors } = await open(fragmentOf(SMALL));
      const before = await scoresOf(page);
      await page.getByLabel('stars', { exact: true }).fill('2');
      await expect.poll(() => profileOf(page)).toContain('weight: 2 } # counts');
      expect(await profileOf(page)).toBe(SMALL.profile.replace('weight: 1', 'weight: 2'));
      await settled(page);
      expect(await scoresOf(page)).not.toEqual(before);
      await page.getByLabel('age', { exact: true }).fill('1.5');
      await expect.poll(() => profileOf(page)).toContain('expr: 1 / candidate.age, weight: 1.5');
      await write(page, 'Profile, YAML', SMALL.profile.replace('weight: 1', 'weight: 0.25'));
      await expect.poll(() => page.getByLabel('stars', { exact: true }).inputValue()).toBe('0.26');
      expect(errors).toEqual([]);
    });

    test('shows an error with its code and place, and explains a candidate', async () => {
      const { page, errors } = await open(fragmentOf(SMALL));
      await page.getByRole('button', { name: 'b', exact: true }).click();
      await expect.poll(() => page.locator('.why').innerText()).toMatch(/^b: .*\n[^]*stars/);
      await write(page, 'Profile, YAML', SMALL.profile.replace('candidate.stars', 'candidat.stars'));
      const problem = page.locator('.problems li.error').first();
      expect(await problem.innerText()).toMatch(/ASZ402\s*profile\.yaml:3:24[^]*candidate/);
      expect(await page.locator('.cm-lintRange-error').count()).toBeGreaterThan(0);
      await write(page, 'Candidates', '[{ "id": "a", }]');
      expect(await page.locator('.problems').innerText()).toMatch(/ASZ102\s*candidates\.json:1:\d+/);
      expect(errors).toEqual([]);
    });

    test('completes keys from the schema', async () => {
      const { page } = await open(fragmentOf(SMALL));
      await page.getByRole('textbox', { name: 'Profile, YAML' }).focus();
      await page.keyboard.press('Control+End');
      await page.keyboard.type('sel');
      // Not by Enter, which the editor ignores for a moment after the list opens.
      await page.locator('.cm-tooltip-autocomplete li', { hasText: 'select' }).first().click();
      await expect.poll(() => profileOf(page)).toMatch(/\nselect: ?$/);
    });

    test('a link opens the same state', async () => {
      const { page, url } = await open('#example=films');
      await write(page, 'Candidates', SMALL.candidates);
      await write(page, 'Profile, YAML', SMALL.profile);
      await page.getByRole('button', { name: 'a', exact: true }).click();
      await expect.poll(() => page.url()).toContain('#state=');
      await expect.poll(async () => page.locator('.why').innerText()).toMatch(/^a: /);
      await page.waitForTimeout(500); // the address follows the texts after a moment
      const link = page.url();
      const other = await open(link.slice(url.length));
      expect(await scoresOf(other.page)).toEqual(await scoresOf(page));
      expect(await profileOf(other.page)).toBe(await profileOf(page));
      await expect.poll(() => other.page.locator('.why').innerText()).toBe(await page.locator('.why').innerText());
    });

    test.each([
      ['not base64', '#state=%%%'],
      ['not deflate', '#state=AAAA_-'],
      ['not a state', fragmentOf('{"profile":7}')],
      ['a bomb', fragmentOf('0'.repeat(50_000_000))],
      ['too long', `#state=${'A'.repeat(200_000)}`],
    ])('says why a link was not read: %s', async (_, fragment) => {
      const { page, errors } = await open(fragment);
      await expect.poll(() => page.locator('.message').innerText()).toMatch(/^The link (?:is|holds) /);
      expect((await scoresOf(page)).length).toBeGreaterThan(0);
      expect(errors).toEqual([]);
      await page.context().close();
    });

    test('a hostile profile reaches nothing, and its names are text', async () => {
      const profile = `extends: [./secret.yaml]\ntier2_scorers:\n  - { id: '<img src=x onerror=alert(1)>', expr: '1' }\n`;
      const { page, errors } = await open(fragmentOf({ ...SMALL, profile }));
      expect(await page.locator('.problems').innerText()).toMatch(/ASZ111/);
      await write(page, 'Profile, YAML', profile.replace(/^.*\n/, ''));
      expect(await page.locator('.playground img').count()).toBe(0);
      expect(errors).toEqual([]);
    });

    test('ranks 100,000 rows, and a profile of 1 MB is answered', async () => {
      const { page } = await open(fragmentOf(SMALL));
      const rows = Array.from({ length: 100_000 }, (_, k) => `r${k},${k % 997},${1 + (k % 7)}`);
      const buffer = Buffer.from(`id,stars,age\n${rows.join('\n')}\n`);
      await page.getByLabel(/^Open a file/).setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer });
      await expect.poll(() => page.locator('.counts').innerText()).toMatch(/^100,000 candidates/);
      await expect.poll(() => page.locator('.message').innerText()).toMatch(/a link holds at most/);
      await paste(page, 'Profile, YAML', `# ${'x'.repeat(78)}\n`.repeat(13_000) + SMALL.profile);
      await expect.poll(() => page.locator('.results').innerText()).toMatch(/100,000 candidates|ASZ\d{3}/);
    });

    test('a profile in a guide opens in the playground', async () => {
      const { page, url, errors } = await open();
      await page.goto(new URL('/guide/first-profile.html', url).href);
      await page.getByRole('link', { name: 'Open in playground' }).first().click();
      await settled(page);
      expect(await profileOf(page)).toContain('tier2_scorers');
      expect((await scoresOf(page)).length).toBeGreaterThan(0);
      expect(errors).toEqual([]);
    });

    test('the search of the site needs no code from strings', async () => {
      const { page, errors } = await open();
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('searchbox').fill('preset');
      await page.locator('.VPLocalSearchBox .result').first().waitFor();
      expect(errors).toEqual([]);
    });

    test('axe finds nothing, in light and dark', async () => {
      const { page } = await open('#example=incident-triage');
      await page.getByRole('button', { name: 'INC-2041' }).click();
      await page.locator('.why').waitFor();
      await page.evaluate(axe);
      for (const isDark of [false, true]) {
        await page.evaluate(`document.documentElement.classList.toggle('dark', ${isDark})`);
        await page.waitForTimeout(600); // colours fade
        const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
          'axe.run().then(({ violations }) => violations)',
        );
        expect(found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))])).toEqual([]);
      }
    });
  });
}
