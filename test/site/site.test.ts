import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { CHROMIUM, openChromium, openPage } from '../bundling/chromium.js';
import { describePlayground } from '../../plugins/site/test/playground-cases.js';
import { serveFolder, type StaticServer } from './static-server.js';

/** The site is built from the build of the packages: their declarations and their command line. */
const root = packageRoot();
const builder = join(root, 'dist/plugins/site/build/main.js');
const output = join(root, 'plugins/site/dist');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const missing = [
  ...(CHROMIUM === undefined ? ['Chromium'] : []),
  ...(existsSync(builder) ? [] : ['the build of the packages (npm run build)']),
];
const skipped = missing.length === 0 ? '' : ` (skipped: there is no ${missing.join(' and no ')})`;

/** Pages of each kind, for axe: the checks of a page take a second. The pages of the API take ten. */
const SAMPLE = [
  'index.html',
  'guide/first-profile.html',
  'guide/rank-a-csv.html',
  'concepts/explanations.html',
  'systems/index.html',
  'reference/profile/select.html',
  'reference/core/BM25Scorer.html',
  'reference/cli/rank.html',
  'reference/errors/profiles.html',
  'reference/api/assize/index.html',
  'reference/api/assize/classes.html',
  'contribute/benchmarks.html',
];
const DARK = ['index.html', 'guide/first-profile.html', 'reference/core/BM25Scorer.html'];

/** Every tenth page of the reference and of the code is opened in Chromium, and each other page; with this set, all. */
const opensAll = process.env['OPEN_ALL_PAGES'] !== undefined;
const isGenerated = (path: string): boolean => /^(?:reference|contribute)\//.test(path);

function pagesToOpen(paths: readonly string[]): string[] {
  const generated = paths.filter(isGenerated).toSorted();
  const sample = generated.filter((path, index) => opensAll || index % 10 === 0 || SAMPLE.includes(path));
  return [...paths.filter((path) => !isGenerated(path)), ...sample];
}

/** VitePress loads what the visible links of a page lead to, unless the reader saves data. Each page is opened anyway. */
const PREFETCH_NOTHING = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })";

/** What a built page has, from its HTML. */
interface Html {
  readonly path: string;
  readonly ids: ReadonlySet<string>;
  readonly links: readonly string[];
  /** What a browser loads with it. */
  readonly loaded: readonly string[];
}

const values = (html: string, pattern: RegExp): readonly string[] =>
  [...html.matchAll(pattern)].map(([, value = '']) => value.replaceAll('&amp;', '&'));

function readHtml(path: string): Html {
  const html = readFileSync(join(output, path), 'utf8');
  return {
    path,
    ids: new Set(values(html, / id="([^"]*)"/g)),
    links: values(html, /<a [^>]*?href="([^"]*)"/g),
    loaded: [
      ...values(html, /<(?:script|img|source|iframe) [^>]*?src="([^"]*)"/g),
      ...values(html, /<link [^>]*?href="([^"]*)"/g),
    ],
  };
}

/** The file of the site that a link leads to, and its anchor; undefined for another host. */
function targetOf(from: string, link: string): { readonly file: string; readonly anchor: string } | undefined {
  if (/^(?:[a-z]+:|\/\/)/.test(link)) return undefined;
  const [path = '', hash = ''] = link.split('#');
  const absolute = path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(from), path);
  const file = path === '' ? from : /(?:^|\/)$/.test(absolute) ? `${absolute}index.html` : absolute;
  return { file: decodeURIComponent(posix.normalize(file)), anchor: decodeURIComponent(hash) };
}

async function violationsIn(page: Page): Promise<unknown> {
  await page.evaluate(axe);
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    'axe.run().then(({ violations }) => violations)',
  );
  return found.map(({ id, nodes }) => [id, nodes.length, nodes[0]?.html]);
}

/** Follows what a page reports: errors, failed requests, and requests to other hosts. */
function watch(page: Page, origin: string): readonly string[] {
  const problems: string[] = [];
  const add = (problem: string): void => void problems.push(`${new URL(page.url()).pathname}: ${problem}`);
  page.on('pageerror', ({ message }) => add(message));
  page.on('console', (message) => message.type() !== 'log' && add(`${message.type()}: ${message.text()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:')) add(`requests ${request.url()}`);
  });
  page.on('requestfailed', (request) => {
    // A page that is left cancels what it prefetches.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') add(`failed: ${request.url()}`);
  });
  page.on('response', (response) => response.status() >= 400 && add(`${response.status()}: ${response.url()}`));
  return problems;
}

describe.skipIf(missing.length > 0)(`the site${skipped}`, () => {
  let pages: readonly Html[] = [];
  let files: ReadonlySet<string> = new Set();
  let browser: Browser;
  let server: StaticServer;
  let origin = '';

  beforeAll(async () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [builder], { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`the site cannot be built:\n${stdout}${stderr}`);
    files = new Set(
      readdirSync(output, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/')),
    );
    pages = [...files].filter((path) => path.endsWith('.html') && path !== '404.html').map(readHtml);
    server = await serveFolder(output);
    origin = server.origin;
    browser = await openChromium();
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test('links only to pages and headings that exist, and loads nothing from another host', () => {
    expect(pages.length).toBeGreaterThan(250);
    const idsOf = new Map(pages.map(({ path, ids }) => [path, ids]));
    const wrong = pages.flatMap(({ path, links, loaded }) => [
      ...links.flatMap((link) => {
        const target = targetOf(path, link);
        if (target === undefined) return [];
        const exists = files.has(target.file) && (target.anchor === '' || idsOf.get(target.file)?.has(target.anchor));
        return exists ? [] : [`${path}: ${link}`];
      }),
      ...loaded.filter((address) => /^(?:https?:)?\/\//.test(address)).map((address) => `${path} loads ${address}`),
    ]);
    expect(wrong).toEqual([]);
  });

  test('has a Markdown twin of each page, whose links lead to others, and llms.txt', () => {
    const written = pages.filter(({ path }) => path !== 'playground.html'); // a program, not a text
    const twins = written.map(({ path }) => path.replace(/html$/, 'md'));
    expect(twins.filter((path) => !files.has(path))).toEqual([]);
    const llms = readFileSync(join(output, 'llms.txt'), 'utf8');
    const listed = values(llms, /\]\(([^)]*)\)/g);
    expect(listed.length).toBeGreaterThan(150);
    expect(listed.filter((path) => !files.has(path))).toEqual([]);
    const full = readFileSync(join(output, 'llms-full.txt'), 'utf8');
    expect(full).toContain('# BM25Scorer');
    const dead = twins.flatMap((path) =>
      values(
        readFileSync(join(output, path), 'utf8')
          .replace(/^```[^]*?^```$/gm, '')
          .replace(/`[^`]*`/g, ''),
        /\]\(([^)\s]*)\)/g,
      )
        .flatMap((link) => targetOf(path, link) ?? [])
        .filter(({ file }) => !files.has(file))
        .map(({ file }) => `${path}: ${file}`),
    );
    expect(dead).toEqual([]);
  });

  test(`opens ${opensAll ? 'each page' : 'pages'} in Chromium without an error, a failed request or a request to another host`, async () => {
    const waiting = pagesToOpen(pages.map(({ path }) => path));
    expect(waiting.length).toBeGreaterThan(80);
    const visit = async (): Promise<readonly string[]> => {
      const page = await openPage(browser);
      await page.addInitScript(PREFETCH_NOTHING);
      const problems = watch(page, origin);
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
        // oxlint-disable-next-line no-await-in-loop -- one page after the other in each tab
        await page.goto(`${origin}/${path}`);
        // oxlint-disable-next-line no-await-in-loop
        await page.waitForFunction("document.querySelector('#app')?.__vue_app__ !== undefined");
      }
      await page.context().close();
      return problems;
    };
    const problems = await Promise.all([visit(), visit(), visit()]);
    expect(problems.flat()).toEqual([]);
  });

  test.each([
    ['light', SAMPLE],
    ['dark', DARK],
  ] as const)('axe finds nothing in pages of each kind, %s', async (colorScheme, paths) => {
    const page = await openPage(browser, {
      colorScheme,
      reducedMotion: 'reduce',
      viewport: { width: 1366, height: 768 },
    });
    const found: unknown[] = [];
    for (const path of paths) {
      // oxlint-disable-next-line no-await-in-loop -- one tab
      await page.goto(`${origin}/${path}`);
      // oxlint-disable-next-line no-await-in-loop
      for (const violation of (await violationsIn(page)) as unknown[]) found.push([path, violation]);
    }
    await page.context().close();
    expect(found).toEqual([]);
  });

  test.each([
    ['min_score', /\/reference\/profile\/select\.html#selectmin_score$/],
    ['did you mean', /\/reference\/errors\/|\/concepts\/profile-files\.html/],
    ['RecencyScorer', /\/reference\/cupel\/RecencyScorer\.html/],
  ])('the search finds "%s", and leads to its page', async (words, address) => {
    const page = await openPage(browser);
    const problems = watch(page, origin);
    await page.goto(`${origin}/guide/install.html`);
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.locator('input#localsearch-input').fill(words);
    const first = page.locator('a.result').first();
    await expect.poll(() => first.getAttribute('href').catch(() => null)).toMatch(address);
    await first.click();
    await page.waitForURL(address);
    await expect.poll(() => page.locator('main h1').innerText()).not.toBe('Install');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  describePlayground();
});
