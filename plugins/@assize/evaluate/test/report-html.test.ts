import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { beforeAll, expect, test } from 'vitest';
import { type EvaluationReport, makeReport, readDataset } from '@assize/evaluate';
import { reportHtml } from '../src/report/report-html.js';
import { createPipeline } from 'assize';
import { CHROMIUM, openChromium, openPage } from '../../../../test/bundling/chromium.js';

const films = new URL('../../../../config/evaluation/films/', import.meta.url).pathname;

let report: EvaluationReport;
beforeAll(async () => {
  const dataset = await readDataset(`${films}films.csv`, { group: 'normalized_query', label: 'score' });
  const profiles = {
    '<b>text</b>': await createPipeline<object>(`${films}text.yaml`),
    equal: await createPipeline<object>(`${films}equal.yaml`),
    tuned: await createPipeline<object>(`${films}tuned.yaml`),
  };
  report = await makeReport(profiles, dataset, { file: 'films.csv', measures: ['nDCG@5'], samples: 500, ablate: true });
});

test('escapes the data', async () => {
  const html = await reportHtml(report);
  expect(html).not.toContain('<b>text</b>');
  expect(html).toContain('&#60;b&#62;text&#60;/b&#62;');
});

test('curves are drawn over the histogram of their input', async () => {
  const { curves = [] } = report;
  expect(curves.map(({ profile, scorer }) => `${profile} ${scorer}`)).toEqual(
    ['title', 'text', 'votes', 'popularity', 'newness'].map((id) => `tuned ${id}`),
  );
  const { queries } = await readDataset(`${films}films.csv`, { group: 'normalized_query', label: 'score' });
  const years = queries.flatMap(({ candidates }) => candidates.map((film) => Number(Object(film).release_year)));
  const newness = curves.find(({ scorer }) => scorer === 'newness')!;
  expect(newness.points.map(([x]) => x)).toEqual([1996, 2016, 2018, 2020, 2022]);
  // The first of 24 parts covers 1996, the first point, to 1997 and a month, and everything older.
  expect(newness.histogram[0]).toBe(years.filter((year) => year <= 1997).length);
  expect(newness.histogram.reduce((sum, count) => sum + count, 0)).toBe(years.length);
  expect(await reportHtml(report)).toContain('The curve of newness in tuned, over a histogram of the candidates');
});

/** Runs axe in a page. It is a string because it runs in the browser, whose types Node does not have. */
const AXE_RUN = 'axe.run()';

test.skipIf(CHROMIUM === undefined)('the page is accessible, in light and in dark mode [chromium]', async () => {
  const html = await reportHtml(report);
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const browser = await openChromium();
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await openPage(browser, { colorScheme });
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.setContent(html);
      await page.addScriptTag({ content: axe });
      const { violations } = (await page.evaluate(AXE_RUN)) as AxeResults;
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      expect(requests).toEqual([]);
    }
  } finally {
    await browser.close();
  }
});
