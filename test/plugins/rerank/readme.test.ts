/* The table of the README with the remaining calls for 1,000 candidates. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { honest, rerankServer } from './rerank-server.js';

const readme = readFileSync(new URL('../../../plugins/rerank/README.md', import.meta.url), 'utf8');

const context = { query: 'which?' };
/** Scores of a cheap scorer, spread evenly over 0 to 1, in random order. */
const items = Array.from({ length: 1000 }, (_, k) => ({
  id: `c${k}`,
  text: `text ${k % 10}, number ${k}`,
  cheap: ((k * 617) % 1000) / 999,
}));

interface Case {
  readonly what: string;
  readonly params?: object;
  readonly weight?: number;
  readonly rest?: ProfileInput;
  readonly runs?: number;
}

const top: ProfileInput = { select: { top: 10 } };
const cases: readonly Case[] = [
  { what: 'nothing', rest: { select: { top: 10, prune: false } } },
  { what: 'pruning, weight 1 of 2', rest: top },
  { what: 'pruning, weight 1 of 5', rest: top, weight: 4 },
  { what: '`rerank: { top: 100 }`', rest: { ...top, rerank: { top: 100, ask: ['model'] } } },
  { what: 'the same, `batch: 20`', params: { batch: 20 }, rest: { ...top, rerank: { top: 100, ask: ['model'] } } },
  {
    what: 'the same, in a second run',
    params: { batch: 20 },
    rest: { ...top, rerank: { top: 100, ask: ['model'] } },
    runs: 2,
  },
  { what: '`calls: 3`', params: { batch: 20, calls: 3 }, rest: { ...top, rerank: { top: 100, ask: ['model'] } } },
];

async function row({ what, params, weight = 1, rest, runs = 1 }: Case): Promise<string> {
  const { url, seen } = await rerankServer(honest);
  const pipeline = await createPipeline({
    plugins: ['rerank'],
    tier2_scorers: [
      { id: 'cheap', expr: 'clamp(candidate.cheap, 0, 1)', weight },
      {
        id: 'model',
        class: 'RerankerScorer',
        on_error: 'skip',
        params: { url, text: 'text', batch: 1, parallel: 8, calls: 9999, ...params },
      },
    ],
    ...rest,
  });
  let before = 0;
  for (let run = 0; run < runs; run++) {
    before = seen.length;
    const { selected, notSelected } = await pipeline.rank(items, context);
    expect(selected.length + notSelected.length).toBe(1000);
  }
  const asked = seen.slice(before);
  const candidates = asked.reduce((sum, { texts }) => sum + texts.length, 0);
  return `| ${what} | ${candidates.toLocaleString('en-US')} | ${asked.length.toLocaleString('en-US')} |`;
}

test('the remaining calls after pruning, rerank, cache and budget are those of the README', async () => {
  const rows: string[] = [];
  for (const one of cases) rows.push(await row(one));
  expect(readme).toContain(rows.join('\n'));
});
