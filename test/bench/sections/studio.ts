import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { openStudio } from '@assize/studio';
import { type Browser, chromium, type Page } from 'playwright-core';
import { packageRoot } from '../../../src/base/package-root.js';
import { CHROMIUM } from '../../bundling/chromium.js';
import { FIRST_CHANGES } from '../bounds.js';
import { firstList } from '../page/first-list.js';
import { heapInUse } from '../page/heap-in-use.js';
import { searchToPaint } from '../page/search-to-paint.js';
import { paramToPaint, weightToPaint } from '../page/weight-to-paint.js';
import { random } from '../random.js';
import type { Result } from '../result.js';
import type { Effort, Section } from '../section.js';
import { spread } from '../statistics.js';

const MILLISECOND = 1e6;
const CHANGES = 100;
const SCORERS = Array.from({ length: 8 }, (_, k) => `s${k}`);
/** From a weight to the painted list, by the number of candidates. */
const AT_MOST: readonly (readonly [rows: number, milliseconds: number])[] = [
  [10_000, 40],
  [20_000, 40],
  [100_000, 60],
  [1_000_000, 300],
];
const PATIENCE = 120_000;

/** What a browser loads before the first list, and the script of an exported page, in bytes. */
function* sizes(): Iterable<Result> {
  const built = join(packageRoot(), 'plugins', '@assize', 'studio', 'dist');
  const { preloaded } = JSON.parse(readFileSync(join(built, 'page', 'page.json'), 'utf8')) as {
    readonly preloaded: readonly string[];
  };
  const start = ['page.js', ...preloaded, 'studio-page.css'].map((name) => readFileSync(join(built, 'page', name)));
  const total = (bytesOf: (file: Buffer) => number): number => start.reduce((sum, file) => sum + bytesOf(file), 0);
  const result = (subject: string, bytes: number) =>
    ({ work: 'The page, minified', subject, amount: spread([bytes]), unit: 'bytes', per: 'page' }) as const;
  yield result(
    'the start, in Brotli',
    total((file) => brotliCompressSync(file).length),
  );
  yield result(
    'the start, gzipped',
    total((file) => gzipSync(file, { level: 9 }).length),
  );
  yield result('an exported page without data, not compressed', readFileSync(join(built, 'studio-page.js')).length);
}

/** The number of candidates of the search, and the longest time of 19 of 20 changes. */
const SEARCH = { rows: 20_000, milliseconds: 40 };

/** The number of candidates of a param, and the longest time of half of the changes and of 19 of 20. */
const PARAM = { rows: 20_000, half: 20, most: 40 };
/** A criterion whose half-life changes. */
const FRESH = 'class: DecayScorer, params: { field: released, curve: { type: exponential, half_life: 90d } }';

/** The first list, with its candidates: how often it is opened, and the longest time. */
const FIRST = { rows: 10_000, times: 7, milliseconds: 700 };

/** The use during which memory is measured: the number of candidates, and its time in milliseconds. */
const USE = { rows: 20_000, milliseconds: 300_000 };

/** The milliseconds of each of some changes in a page. */
type Measure = (page: Page, changes: number, address: string) => Promise<readonly number[]>;

/** The nanoseconds of each change in a page with this number of candidates. */
async function changesOf(
  browser: Browser,
  rows: number,
  changes: number,
  measure: Measure = weightToPaint,
  last?: string,
): Promise<readonly number[]> {
  const times = await inStudioOf(browser, rows, (page, address) => measure(page, changes, address), last);
  return times.map((millis) => millis * MILLISECOND);
}

/**
 * Does something in a page of the studio with this number of candidates.
 *
 * @param last the class or expression of the last scorer
 */
async function inStudioOf<T>(
  browser: Browser,
  rows: number,
  work: (page: Page, address: string) => Promise<T>,
  last = 'expr: candidate.s7',
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'assize-'));
  const profile = join(folder, 'profile.yaml');
  const entries = SCORERS.map((id, k) => {
    const use = k === SCORERS.length - 1 ? last : `expr: candidate.${id}`;
    return `  - { id: ${id}, ${use}, weight: 1 }\n`;
  });
  writeFileSync(profile, `tier2_scorers:\n${entries.join('')}select: { top: 10 }\n`);
  const next = random();
  const candidates = Array.from({ length: rows }, (_, k) => ({
    id: `c${k}`,
    released: new Date(Date.UTC(2026, 0, 1) - Math.round(next() * 1e11)).toISOString(),
    ...Object.fromEntries(SCORERS.map((id) => [id, Math.round(next() * 1e6) / 1e6])),
  }));
  const studio = await openStudio({ profile, candidates, context: { now: '2026-01-01' } });
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  try {
    await page.goto(studio.url);
    await page.getByRole('listbox').waitFor({ timeout: PATIENCE });
    return await work(page, studio.url);
  } finally {
    await page.close();
    await studio.close();
    rmSync(folder, { recursive: true });
  }
}

const percentile95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(0.95 * times.length) - 1]!;

async function* paint(effort: Effort): AsyncIterable<Result> {
  const changes = effort.of(CHANGES);
  const work = `From a weight to the painted list, ${SCORERS.length} scorers, in Chromium`;
  const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
  try {
    yield {
      work: 'From the address to the first list, 8 scorers, in Chromium',
      subject: 'candidates',
      size: effort.of(FIRST.rows),
      unit: 'ns',
      per: 'page',
      amount: spread(await changesOf(browser, effort.of(FIRST.rows), effort.of(FIRST.times), firstList)),
      goal: { of: 'amount', atMost: FIRST.milliseconds * MILLISECOND },
    };
    for (const [full, millis] of AT_MOST) {
      const rows = effort.of(full);
      // oxlint-disable-next-line no-await-in-loop -- two at once would slow each other
      const times = await changesOf(browser, rows, changes);
      const goal = { of: 'amount', atMost: millis * MILLISECOND } as const;
      const of = { work, size: rows, unit: 'ns', per: 'change', goal } as const;
      yield { ...of, subject: 'candidates', amount: spread(times) };
      yield { ...of, subject: 'candidates, 95th percentile', amount: spread([percentile95(times)]) };
      const slowest = spread([Math.max(...times)]);
      yield {
        ...of,
        subject: 'candidates, the slowest change',
        amount: slowest,
        goal: { ...goal, bound: FIRST_CHANGES },
      };
    }
    const params = await changesOf(browser, effort.of(PARAM.rows), changes, paramToPaint, FRESH);
    const ofParam = {
      work: 'From a half-life to the painted list, 8 scorers, in Chromium',
      size: effort.of(PARAM.rows),
      unit: 'ns',
      per: 'change',
    } as const;
    yield {
      ...ofParam,
      subject: 'candidates',
      amount: spread(params),
      goal: { of: 'amount', atMost: PARAM.half * MILLISECOND },
    };
    yield {
      ...ofParam,
      subject: 'candidates, 95th percentile',
      amount: spread([percentile95(params)]),
      goal: { of: 'amount', atMost: PARAM.most * MILLISECOND },
    };
    const searches = await changesOf(browser, effort.of(SEARCH.rows), changes, searchToPaint);
    const slow = percentile95(searches);
    yield {
      work: 'From a letter to the painted results of the search, in Chromium',
      subject: 'candidates, 95th percentile',
      size: effort.of(SEARCH.rows),
      unit: 'ns',
      per: 'change',
      amount: spread([slow]),
      goal: { of: 'amount', atMost: SEARCH.milliseconds * MILLISECOND },
    };
    yield* heap(browser, effort);
  } finally {
    await browser.close();
  }
}

/** The memory of a page after one minute of use and after five. */
async function* heap(browser: Browser, effort: Effort): AsyncIterable<Result> {
  const rows = effort.of(USE.rows);
  const [early, late] = await inStudioOf(browser, rows, (page) => heapInUse(page, effort.of(USE.milliseconds)));
  const of = { work: 'The heap of the page in use', size: rows, unit: 'bytes', per: 'page' } as const;
  yield { ...of, subject: 'candidates, after a minute', amount: spread([early]) };
  yield { ...of, subject: 'candidates, after five minutes', amount: spread([late]) };
}

export const studio: Section = {
  name: 'studio',
  title: 'The studio',
  about: `A slider of \`assize studio\` is moved ${CHANGES} times, from the first change after the page has loaded: candidates of
eight fields, eight scorers, ten selected; and its search is changed as often. A change ends when the frame with the list has been painted. And the time to the first
list, with the size of what that loads. The heap is measured after garbage collection, while weights change, and the search, an item,
a dialog, undo and redo are used.`,
  packages: ['playwright-core', 'preact'],
  patience: 1_800_000,
  async *run(effort) {
    yield* sizes();
    if (CHROMIUM !== undefined) yield* paint(effort);
  },
};
