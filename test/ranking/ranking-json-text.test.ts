/* The JSON of a ranking is written row by row: the same text as of the whole object, in small parts. */
import { expect, test } from 'vitest';
import { writeRankingJson } from '../../src/cli/output/json.js';
import { createOutput } from '../../src/cli/terminal/io.js';
import { createPipeline, type ProfileInput } from 'assize';
import { rankingJson, rankingJsonText } from '../../src/ranking/ranking-json.js';

const rows = Array.from({ length: 300 }, (_, k) => ({
  id: `r${k}`,
  n: k % 97,
  text: k === 5 ? 'a "b"\n{}[]\u202e' : 'x',
}));

const profiles: Readonly<Record<string, ProfileInput>> = {
  plain: { tier2_scorers: [{ id: 'n', label: 'N', expr: 'candidate.n' }], select: { top: 5 } },
  filter: { tier1_scorers: [{ id: 'all', expr: 'true' }], tier2_scorers: [{ id: 'n', expr: 'candidate.n' }] },
  rules: {
    tier1_scorers: [{ id: 'low', expr: 'candidate.n < 50' }],
    tier2_scorers: [
      { id: 'n', expr: 'candidate.n' },
      { id: 'm', expr: 'candidate.m', on_absent: 'skip' },
    ],
    adjustments: [{ id: 'more', when: 'candidate.n > 60', add: 1 }],
    select: { top: 20, per: { by: 'candidate.n', top: 1 }, min_score: 55, duplicates: 'candidate.text' },
  },
  packed: {
    tier2_scorers: [{ id: 'n', expr: 'candidate.n' }],
    select: { min_score: 20, pack: { class: 'GreedyPack', cost: 'candidate.n', budget: 500, params: {} } },
    plugins: ['cupel'],
  },
};

test.each(Object.entries(profiles))('equals the JSON of the object: %s', async (_, profile) => {
  const pipeline = await createPipeline<object>(profile);
  for (const given of [rows, rows.slice(0, 1), []]) {
    for (const options of [
      {},
      { candidates: true },
      { terms: false, ranked: false, notSelected: false, warnings: false },
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const text = [...rankingJsonText(await pipeline.rank(given), options)].join('');
      // oxlint-disable-next-line no-await-in-loop
      const ranking = await pipeline.rank(given);
      const whole = JSON.stringify(rankingJson(ranking, options), undefined, 2).replaceAll('\u202e', '\\u202e');
      expect(text).toBe(`${whole}\n`);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(rankingJson(ranking, options))));
    }
  }
});

test('digits rounds scores, terms, costs and the budget, and leaves integers and candidates as they are', async () => {
  const pipeline = await createPipeline<object>({
    tier2_scorers: [{ id: 'third', expr: 'candidate.n / 3.0' }],
    select: { pack: { class: 'GreedyPack', cost: 'candidate.n / 7.0', budget: 1_234_567, params: {} } },
    plugins: ['cupel'],
  });
  const ranking = await pipeline.rank([{ id: 'a', n: 1 + 1 / 3 }]);
  const json = rankingJson(ranking, { digits: 4, candidates: true });
  expect(json).toMatchObject({
    selected: [{ score: 0.4444, cost: 0.1905, scores: { third: 0.4444 }, candidate: { id: 'a', n: 1 + 1 / 3 } }],
    budget: { target: 1_234_567, output_reserve: 0, used: 0.1905 },
  });
  expect(rankingJson(ranking)).toMatchObject({ selected: [{ score: (1 + 1 / 3) / 3 }] });
});

test('each row of a list is written without the list, and is equal', async () => {
  for (const profile of Object.values(profiles)) {
    // oxlint-disable-next-line no-await-in-loop -- one after another
    const ranking = await (await createPipeline<object>(profile)).rank(rows);
    const each = (['ranked', 'notSelected', 'refused'] as const).map((list) => JSON.stringify([...ranking.each(list)]));
    const { counts } = ranking;
    expect(each).toEqual([ranking.ranked, ranking.notSelected, ranking.refused].map((list) => JSON.stringify(list)));
    expect([...ranking.each('refused')]).toHaveLength(counts.refused);
    expect([...ranking.each('notSelected')]).toHaveLength(counts.notSelected);
  }
});

test('waits for a slow reader, and holds at most one buffer', async () => {
  const ranking = await (await createPipeline<object>(profiles['plain']!)).rank(
    Array.from({ length: 5000 }, (_, k) => ({ id: `r${k}`, n: k })),
  );
  let waiting: (() => void) | undefined;
  const sizes: number[] = [];
  const stream = {
    write: (text: string) => void sizes.push(text.length),
    get writableNeedDrain() {
      return true;
    },
    once: (_event: 'drain', listener: () => void) => void (waiting = listener),
  };
  const done = writeRankingJson(ranking, {}, createOutput(stream, {}));
  const seen: number[] = [];
  const state = { ended: false };
  void done.then(() => (state.ended = true));
  while (!state.ended) {
    const before = sizes.length;
    for (let k = 0; k < 3; k++) await new Promise((next) => void setImmediate(next)); // oxlint-disable-line no-await-in-loop
    seen.push(sizes.length - before); // no second write while the reader is behind
    const next = waiting;
    waiting = undefined;
    next?.();
    await new Promise((after) => void setImmediate(after)); // oxlint-disable-line no-await-in-loop
  }
  expect(Math.max(...seen)).toBeLessThanOrEqual(1);
  expect(sizes.length).toBeGreaterThan(10);
  expect(Math.max(...sizes)).toBeLessThan(2 * 65_536);
});
