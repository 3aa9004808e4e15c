/* The text of comparisons, at 80 columns. */
import { expect, test } from 'vitest';
import { comparisonText, type ProfileInput } from 'assize';
import { displayWidth } from '../../../src/base/wrap.js';
import { formatBeyond } from '../../../src/base/numbers.js';
import { rankBy } from '../../properties/ranked.js';

const entries: NonNullable<ProfileInput['tier2_scorers']> = [
  { id: 'popularity', expr: 'min(candidate.stars / 1000, 1)' },
  {
    id: 'fresh',
    class: 'DecayScorer',
    params: { field: 'pushed_at', curve: { type: 'exponential', half_life: '30d' }, null_timestamp_score: 'abstain' },
  },
];
const weighted = entries.map((entry, k) => (k === 0 ? { ...entry, weight: 3 } : entry));
const common = {
  name: 'repos',
  candidate: { pinned: 'candidate.keep' },
  tier1_scorers: [{ id: 'archived', expr: 'candidate.archived' }],
} satisfies ProfileInput;

const REPOS = [
  { id: 'compass', stars: 850, pushed_at: '2026-05-30', kind: 'tool' },
  { id: 'atlas', stars: 2400, archived: true, pushed_at: '2026-05-31' },
  { id: '日本語の羅針盤のとても長い名前', stars: 310, pushed_at: '2026-05-02' },
  { id: 'astrolabe', stars: 900 },
  { id: 'twin', stars: 850, pushed_at: '2026-05-30' },
  { id: 'anchor', keep: true },
  { id: 'old', stars: 1, archived: true },
];

const rules: ProfileInput = {
  ...common,
  tier2_scorers: weighted,
  weights: { by: 'candidate.kind', cases: { tool: { fresh: 2 } } },
  adjustments: [
    { id: 'lift', when: 'candidate.kind == "tool"', add: 0.1, max: 1 },
    { id: 'sink', when: 'score > 0.5', multiply: 0.9 },
  ],
};

test.each<[name: string, profile: ProfileInput, a: string, b: string]>([
  ['a weighted mean', { ...common, tier2_scorers: weighted }, 'compass', '日本語の羅針盤のとても長い名前'],
  ['a scorer that is absent', { ...common, tier2_scorers: weighted }, 'astrolabe', 'compass'],
  ['a weighted sum', { ...common, tier2_scorers: weighted, combine: 'weighted_sum' }, 'astrolabe', 'compass'],
  ['cases and rules', rules, 'compass', '日本語の羅針盤のとても長い名前'],
  ['a tie', { ...common, tier2_scorers: weighted }, 'twin', 'compass'],
  ['a veto', { ...common, tier2_scorers: weighted }, 'atlas', 'compass'],
  ['two vetoes', { ...common, tier2_scorers: weighted }, 'atlas', 'old'],
  ['a pinned candidate', { ...common, tier2_scorers: weighted }, 'compass', 'anchor'],
  ['a product', { ...common, tier2_scorers: entries, combine: 'product' }, 'compass', 'astrolabe'],
  ['a geometric mean', { ...common, tier2_scorers: weighted, combine: 'geometric_mean' }, 'twin', 'astrolabe'],
  ['min', { ...common, tier2_scorers: entries, combine: 'min' }, 'compass', '日本語の羅針盤のとても長い名前'],
  [
    'a formula',
    { ...common, tier2_scorers: entries, combine: { formula: 'popularity * (1 + fresh)' } },
    'compass',
    '日本語の羅針盤のとても長い名前',
  ],
])('%s', async (_, profile, a, b) => {
  const ranking = await rankBy<object>(profile, REPOS, { now: '2026-06-01' });
  const text = comparisonText(await ranking.compare(a, b));
  expect(text).toMatchSnapshot();
  for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(80);
});

test('escapes control characters', async () => {
  const list = ['x\u001b[31m', 'y\u001b[0m'].map((id, n) => ({ id, n }));
  const ranking = await rankBy({ tier2_scorers: [{ id: 'n', expr: 'candidate.n' }] }, list);
  expect(comparisonText(await ranking.compare({ index: 0 }, { index: 1 }))).not.toContain('\u001b');
});

test.each([
  [2.41381, -1, '2.413'],
  [2.41381, 1, '2.414'],
  [0.50493, 1, '0.505'],
  [-0.50493, -1, '-0.505'],
  [12_345.6, -1, '12345'],
  [1.23456e12, 1, '1.24e12'],
  [3, 1, '3'],
])('%d, rounded away from its present value (%d), is %s', (value, direction, text) => {
  expect(formatBeyond(value, direction)).toBe(text);
});
