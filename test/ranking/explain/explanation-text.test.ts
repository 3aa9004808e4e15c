/* The text of explanations, at 80 columns: one of each kind of outcome. */
import { beforeAll, describe, expect, test } from 'vitest';
import { explanationParts, explanationText, type ProfileInput, type Ranking, scorer } from 'assize';
import { defineScorer, z } from 'assize/sdk';
import { displayWidth } from '../../../src/base/wrap.js';
import { rankBy } from '../../properties/ranked.js';

const PROFILE: ProfileInput = {
  name: 'repos',
  candidate: { pinned: 'candidate.keep' },
  tier1_scorers: [
    { id: 'archived', expr: 'candidate.archived' },
    { id: 'huge', class: 'ThresholdVeto', params: { value: 'size', max: 5000 } },
  ],
  measures: [{ id: 'issues', class: 'CountScorer', params: { items: 'issues' } }],
  phases: { early: { n_turns: 4 } },
  tier2_scorers: [
    { id: 'popularity', expr: 'min(candidate.stars / 1000, 1)', weight: 3 },
    {
      id: 'fresh',
      class: 'DecayScorer',
      params: {
        field: 'pushed_at',
        curve: { type: 'exponential', half_life: '30d' },
        null_timestamp_score: 'abstain',
      },
    },
    {
      id: 'blend',
      class: 'CompositeScorer',
      params: {
        scorers: [
          { expr: 'candidate.stars / 2000', weight: 2 },
          { class: 'ScaledScorer', params: { scorer: { expr: 'candidate.stars' } } },
        ],
      },
    },
    { id: 'mood', expr: '1.0', when: 'context.mood == "good"' },
  ],
  weights: { by: 'candidate.kind', cases: { tool: { fresh: 2 } } },
  adjustments: [
    { id: 'lift', when: 'measures.issues > 1', add: 0.1, max: 1 },
    { id: 'sink', when: 'score > 2', multiply: 0.5 },
    { id: 'phase', multiply: { table: { early: 0.9 }, by: ['signals.phase'] } },
  ],
  select: { top: 2 },
};

const REPOS = [
  { id: 'compass', stars: 850, pushed_at: '2026-05-30', kind: 'tool', issues: ['a', 'b'] },
  { id: 'atlas', stars: 2400, archived: true },
  { id: '日本語の羅針盤', stars: 310 },
  { id: 'low', stars: 1 },
  { id: 'anchor', keep: true },
];

const lines = (text: string): string[] => text.split('\n');

describe('the text of an explanation', () => {
  let ranking: Ranking<object>;
  beforeAll(async () => {
    ranking = await rankBy<object>(PROFILE, REPOS, { now: '2026-06-01' });
  });

  test.each(REPOS.map(({ id }) => id))('%s', (id) => {
    const text = explanationText(ranking.explain(id));
    expect(text).toMatchSnapshot();
    for (const line of lines(text)) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  });

  test('in few columns the words go below their row', () => {
    const text = explanationText(ranking.explain('compass'), { columns: 50 });
    expect(text).toMatchSnapshot();
  });

  test('colours do not change the layout', () => {
    const plain = explanationText(ranking.explain('compass'));
    const painted = explanationText(ranking.explain('compass'), { paint: (as, text) => `<${as}>${text}</${as}>` });
    expect(painted).toContain('<strong>compass: ');
    expect(painted.replaceAll(/<\/?(?:strong|faint)>/g, '')).toBe(plain);
  });
});

test('formats numbers of any size, -0 and rounding noise', async () => {
  const values = [-0, 1e-17, 123_456.7, 1.5e12, 1 / 3];
  const units = Object.fromEntries(values.map((value, k) => [`N${k}`, scorer(() => value)]));
  const tier2_scorers = values.map((_, k) => ({ id: `n${k}`, class: `N${k}` }));
  const ranking = await rankBy(
    { name: 'numbers', tier2_scorers, combine: 'weighted_sum' },
    [{ id: 'x' }],
    {},
    { units },
  );
  expect(explanationText(ranking.explain('x'))).toMatchSnapshot();
});

test.each(['product', 'geometric_mean', 'max'] as const)('%s', async (combine) => {
  const tier2_scorers = [
    { id: 'a', expr: 'candidate.a' },
    { id: 'b', expr: 'candidate.b', on_absent: 0.5 },
  ];
  const ranking = await rankBy({ name: 'p', tier2_scorers, combine }, [{ id: 'x', a: 0.25 }]);
  expect(explanationText(ranking.explain('x'))).toMatchSnapshot();
});

test('a formula with its inputs', async () => {
  const ranking = await rankBy(
    {
      name: 'p',
      measures: [{ id: 'm', expr: 'candidate.m' }],
      tier2_scorers: [{ id: 'a', expr: 'candidate.a' }],
      combine: { formula: 'a * (1 + measures.m) + context.bonus' },
    },
    [{ id: 'x', a: 0.25, m: 2 }],
    { bonus: 1 },
  );
  expect(explanationText(ranking.explain('x'))).toMatchSnapshot();
});

test('escapes control characters', async () => {
  const ranking = await rankBy({ tier2_scorers: [{ id: 'a', expr: 'double(size(candidate.t))' }] }, [
    { id: 'x\u001b[31m', t: 'red\u001b[0m' },
  ]);
  expect(explanationText(ranking.explain({ index: 0 }))).not.toContain('\u001b');
});

test('a unit that breaks its contract is reported, and the rest is shown', async () => {
  class Sloppy {
    static readonly meta = defineScorer({
      summary: 'Notes badly.',
      params: z.strictObject({}),
      reasons: { aged: '{age} old' },
    });
    compile() {
      return (_candidate: unknown, _index: number, note?: (reason: string, data?: Record<string, unknown>) => void) => {
        note?.('made_up', { x: 1 });
        note?.('aged');
        return 0.5;
      };
    }
  }
  const tier2_scorers = [{ id: 's', class: 'Sloppy' }];
  const ranking = await rankBy({ name: 'p', tier2_scorers }, [{ id: 'x' }], {}, { units: { Sloppy } });
  const explanation = ranking.explain('x');
  expect(explanationParts(explanation).scorers[0]?.details).toMatchObject([
    { id: 'made_up', text: 'made up', data: { x: 1 }, problem: expect.stringContaining('not declare') },
    { id: 'aged', text: 'nothing old', data: {}, problem: expect.stringContaining('without age') },
  ]);
  expect(explanationText(explanation)).toMatchSnapshot();
});
