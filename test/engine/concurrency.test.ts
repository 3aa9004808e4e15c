import { expect, test } from 'vitest';
import { createPipeline, type ProfileInput, type Ranking } from 'assize';
import { type Item, LiveScorer, SlowReport, SlowScorer, SlowSignal } from './units.js';

const RUNS = 1000;
const NOW = Date.parse('2026-01-01T00:00:00Z');

const candidatesOf = (run: number): Item[] =>
  Array.from({ length: 3 + (run % 5) }, (_, i) => ({
    id: `c${i}`,
    at: NOW - i * 3_600_000 * (run % 7),
    n: (i * 7 + run) % 11,
  }));
const contextOf = (run: number) => ({ now: NOW + run, factor: (run % 13) + 1, limit: run % 9 });

const summary = (ranking: Ranking<Item>) => ({
  ranked: ranking.ranked.map(({ id, score }) => [id, score]),
  refused: ranking.refused.map(({ id, kind, by, reason }) => [id, kind, by, reason]),
  selected: ranking.selected.map(({ id }) => id),
  report: Object.entries(ranking.report),
  degraded: ranking.degraded,
  columns: ranking.matrix.entries.map((entry) => [entry, [...ranking.matrix.column(entry).values]]),
});

const compiled: ProfileInput = {
  tier1_scorers: [{ id: 'limit', expr: 'candidate.n > context.limit' }],
  measures: [{ id: 'late', expr: 'candidate.n + context.factor' }],
  tier2_scorers: [
    { id: 'live', class: 'LiveScorer' },
    { id: 'decay', class: 'DecayScorer', params: { field: 'at', curve: { type: 'exponential', half_life: '2h' } } },
    { id: 'expr', expr: 'candidate.n * context.factor', weight: 'context.factor' },
  ],
  adjustments: [{ id: 'rule', when: 'scores.decay > 0.5', add: 'measures.late / 10 + scores.expr' }],
  select: { top: 3, ties: ['candidate.n * context.factor'] },
};

const waiting: ProfileInput = {
  ...compiled,
  signals: [{ id: 'slow', class: 'SlowSignal' }],
  tier2_scorers: [
    ...(compiled.tier2_scorers ?? []),
    { id: 'batch', class: 'SlowScorer' },
    {
      id: 'mixed',
      class: 'CompositeScorer',
      params: { scorers: [{ class: 'SlowScorer' }, { class: 'LiveScorer' }, { expr: 'context.factor + candidate.n' }] },
    },
    { id: 'scaled', class: 'ScaledScorer', params: { scorer: { class: 'SlowScorer' } } },
  ],
  report: [{ id: 'sum', class: 'SlowReport' }],
};

test.each([
  ['compiled units', compiled],
  ['units that wait', waiting],
])('1,000 runs at once give what each gives alone: %s', async (_, profile) => {
  const units = { LiveScorer, SlowScorer, SlowSignal, SlowReport };
  const pipeline = await createPipeline<Item>(profile, { units });
  const runs = Array.from({ length: RUNS }, (__, run) => run);
  const together = await Promise.all(runs.map((run) => pipeline.rank(candidatesOf(run), contextOf(run))));
  // Alone: by a pipeline that never had two concurrent runs. Only a sample, because they wait.
  const single = await createPipeline<Item>(profile, { units });
  for (const run of runs.filter((r) => r % 17 === 0)) {
    const alone = await single.rank(candidatesOf(run), contextOf(run));
    expect(summary(together[run]!)).toEqual(summary(alone));
  }
});

test('a ranking does not change while other runs execute', async () => {
  const pipeline = await createPipeline<Item>(compiled, { units: { LiveScorer } });
  const first = await pipeline.rank(candidatesOf(1), contextOf(1));
  const before = summary(await pipeline.rank(candidatesOf(1), contextOf(1)));
  for (let run = 2; run < 20; run++) await pipeline.rank(candidatesOf(run), contextOf(run));
  expect(summary(first)).toEqual(before);
});
