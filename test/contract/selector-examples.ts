import type { RowExample, UnitExample } from 'assize/testing';

const NOW = Date.parse('2026-01-01T00:00:00Z');

/** Items that compete for space, the pinned first and then the best: ties, no cost, no kind, no time. */
const items = [
  { id: 'system', kind: 'SystemPrompt' },
  { id: 'asked', kind: 'Message', timestamp: NOW },
  { id: 'tool', kind: 'tool', timestamp: '2025-12-31T23:00:00Z' },
  { id: 'Tool', kind: 'Tool', timestamp: new Date(NOW - 7_200_000) },
  { id: 'free', kind: 'Message' },
  { id: 'old', kind: 'Document', timestamp: 0 },
  { id: 'bare' },
  { id: 'large', kind: 'Document', timestamp: NOW },
  { id: 'worthless', kind: 'Message', timestamp: NOW },
];

const rows: readonly RowExample[] = [
  { score: 1, cost: 120, pinned: true },
  { score: 0.9, cost: 80 },
  { score: 0.7, cost: 200 },
  { score: 0.7, cost: 50 },
  { score: 0.5, cost: 0 },
  { score: 0.4, cost: 90 },
  { score: 0.4, cost: 90 },
  { score: 0.3, cost: 900 },
  { score: 0, cost: 10 },
];

const profile = { plugins: ['cupel'] };
const packed = { candidates: items, rows, limits: { target: 300, max: 400 }, profile };
const placed = { candidates: items, rows, profile };

const greedy = { class: 'GreedyPack' };
const knapsack = { class: 'KnapsackPack', params: { bucket_size: 10 } };
const quotas = [
  { kind: 'tool', require: 40, cap: 60 },
  { kind: 'message', cap: 20 },
];
const counts = [
  { kind: 'tool', require: 2 },
  { kind: 'Message', cap: 1 },
];
const quota = (inner: object) => ({ class: 'QuotaPack', params: { quotas, inner } });
const counted = (inner: object) => ({ class: 'CountQuotaPack', params: { counts, inner } });

/** Examples of GroupPack, with each row as a unit of its own. */
export const groupPackExamples: Readonly<Record<string, readonly UnitExample[]>> = {
  GroupPack: [
    { candidates: items, rows, limits: { target: 300, max: 400 } },
    { candidates: items, rows, limits: { target: 300, max: 400 }, params: { method: 'score' } },
    { candidates: items, rows, limits: { target: 0, max: 0 }, params: { method: 'density' } },
  ],
};

/** Examples of every selector of the pack `cupel`, by class name. */
export const selectorExamples: Readonly<Record<string, readonly UnitExample[]>> = {
  Chronological: [placed, { ...placed, params: { field: 'kind' }, candidates: items.map(() => ({})) }],
  CountQuotaPack: [greedy, knapsack, quota(greedy)].map((inner) => ({ ...packed, params: { counts, inner } })),
  GreedyPack: [packed, { ...packed, limits: { target: 0, max: 0 } }],
  KnapsackPack: [packed, { ...packed, params: { bucket_size: 10 } }, { ...packed, params: { bucket_size: 0.5 } }],
  QuotaPack: [
    ...[greedy, knapsack].map((inner) => ({ ...packed, params: { quotas, inner } })),
    {
      ...packed,
      params: { quotas, inner: counted(greedy), by: 'candidate.?kind.orValue("Message")' },
      overflows: true,
    },
  ],
  UShaped: [placed],
};
