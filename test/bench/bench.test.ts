import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasRedis } from '../machine/redis.js';
import type { Measured } from './measured.js';
import { charts } from './report/charts.js';
import { consoleLine } from './report/console.js';
import { markdown } from './report/markdown.js';
import { met, type Result } from './result.js';
import { TINY } from './section.js';
import { SECTIONS } from './sections/index.js';
import { fairness } from './sections/fairness.js';
import { page } from './sections/page.js';
import { queue } from './sections/queue.js';
import { MAIN, start } from './sections/start.js';
import { studio } from './sections/studio.js';
import { exponent, spread } from './statistics.js';

/** Whole processes and bundles need the build; the queue needs a redis-server. */
const runnable = SECTIONS.filter(
  (section) =>
    (![start, page, queue, studio, fairness].includes(section) || existsSync(MAIN)) && (section !== queue || hasRedis),
);

/** Too small for meaningful times. Each section checks that all answers agree. */
describe('a benchmark', () => {
  const measured: Measured[] = [];

  it.each(runnable)('$name: its subjects agree, and each is measured', async (section) => {
    const results: Result[] = [];
    for await (const result of section.run(TINY)) results.push(result);
    expect(results.length).toBeGreaterThan(1);
    for (const result of results) expect(consoleLine(result)).toMatch(/\d/);
    measured.push({ section, results });
  });

  it('is reported with complete charts', () => {
    const drawn = charts(measured);
    expect(drawn.map(({ file }) => file)).toEqual(['engines.svg', 'growth.svg', 'vectors.svg']);
    for (const { svg } of drawn) expect(svg).toMatch(/^<svg xmlns="[^]*<rect [^]*<text [^]*<\/svg>\n$/);
    const text = markdown(measured, drawn);
    for (const { section } of measured) expect(text).toContain(`## ${section.title}`);
    expect(text).not.toMatch(/undefined|\[object/);
  });

  it('reports a section that failed', () => {
    expect(markdown([{ section: start, results: [], failure: 'its process exited with 1' }], [])).toContain(
      'This section failed: its process exited with 1',
    );
  });
});

describe('a measurement', () => {
  const amount = { median: 3, low: 2, high: 4 };
  const ratio = { to: 'another', times: { median: 1.4, low: 1.3, high: 1.5 } };
  const result = { work: 'work', subject: 'subject', amount, unit: 'ns' } as const;

  it('is a median between quartiles', () => {
    expect(spread([5, 1, 3, 2, 4])).toEqual({ median: 3, low: 2, high: 4 });
    expect(spread([1, 2])).toEqual({ median: 1.5, low: 1.25, high: 1.75 });
  });

  it('grows with a power of its size', () => {
    expect(exponent([1, 10, 100], [3, 300, 30_000])).toBeCloseTo(2);
    expect(exponent([10, 100, 1000], [7, 70, 700])).toBeCloseTo(1);
  });

  it('is compared with its goal by the ratio, unless the goal is an amount', () => {
    expect(met(result)).toBeUndefined();
    expect(met({ ...result, ratio, goal: { atMost: 1.5 } })).toBe(true);
    expect(met({ ...result, ratio, goal: { atLeast: 1.5 } })).toBe(false);
    expect(met({ ...result, ratio, goal: { atMost: 1.5, of: 'amount' } })).toBe(false);
    expect(met({ ...result, goal: { atLeast: 3, atMost: 3 } })).toBe(true);
  });
});
