import { expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { effectiveProfile } from '../../../../../src/pipeline/create-pipeline.js';
import * as page from 'assize/browser';
import { collectData } from '../../src/data/collect-data.js';
import { readJsonText } from '../../src/data/read-json-text.js';
import { storedUnits } from '../../src/data/stored-units.js';
import { jsonText } from '../../src/server/page-assets.js';
import type { StudioData } from '../../src/data/studio-data.js';
import { films } from '../../../../../test/demo/films.js';

const movies = new URL('../../../../../config/demo/movies.yaml', import.meta.url).pathname;

const shown = (ranking: {
  ranked: readonly { id: string; score: number }[];
  refused: readonly { id: string; by: string; reason: string }[];
}) => ({
  ranked: ranking.ranked.map(({ id, score }) => [id, score]),
  refused: ranking.refused.map(({ id, by, reason }) => [id, by, reason]),
});

test('a page ranks the films like the engine, with the numbers of the classes', async () => {
  const candidates = films();
  const context = { now: '2011-01-01' };
  const pipeline = await createPipeline<object>(movies);
  const ranking = await pipeline.rank(candidates, context, { prune: false });
  const profile = await effectiveProfile(movies, { defaults: false, trust: 'full' });
  const data = collectData({ title: 'movies.yaml', shipped: new Set(), profile, ranking, candidates, context });
  const sent = JSON.parse(JSON.stringify(data)) as StudioData;
  const again = (await page.createPipeline(sent.profile, { units: storedUnits(sent) })).rankSync(
    sent.candidates,
    sent.context,
  );
  expect(shown(again)).toEqual(shown(ranking));
  expect(again.selected.map(({ id }) => id)).toEqual(ranking.selected.map(({ id }) => id));
  const weights = { crowd: 1, fresh: 5 };
  expect(shown(again.reweigh({ weights }))).toEqual(shown(ranking.reweigh({ weights })));
});

test('dates are dates in a page, and rank the same', async () => {
  const day = 86_400_000;
  const candidates = [-1, 0, 3 * day, undefined].map((at, k) => ({
    id: `c${k}`,
    ...(at !== undefined && { at: new Date(at) }),
    inside: { dates: [new Date(k)], $date: k },
  }));
  const profile = {
    tier1_scorers: [{ id: 'old', expr: 'candidate.at < timestamp("1970-01-01")' }],
    tier2_scorers: [{ id: 'age', expr: '(now - candidate.at) / duration("1d")', on_absent: 2 }],
  };
  const context = { now: 5 * day };
  const ranking = await (await createPipeline<object>(profile)).rank(candidates, context, { prune: false });
  const data = collectData({ title: 'dates', shipped: new Set(), profile, ranking, candidates, context });
  const sent = readJsonText(jsonText(data)) as StudioData;
  expect(sent.candidates).toEqual(candidates);
  const again = (await page.createPipeline(sent.profile, {})).rankSync(sent.candidates, sent.context);
  expect(shown(again)).toEqual(shown(ranking));
  expect(again.refused.map(({ id }) => id)).toEqual(['c0']);
});
