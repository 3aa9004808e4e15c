import * as fc from 'fast-check';
import type { CostedRow } from 'assize/sdk';
import { rowsOf, type SelectorUse } from './select-with.js';

const KINDS = ['tool', 'Tool', 'message', 'memory'];

/** Whole costs, like tokens; sometimes 0, and ties of both. */
export const rowLists = (most = 12): fc.Arbitrary<CostedRow[]> =>
  fc
    .array(
      fc.record({
        score: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.25, 0.5, 1)),
        cost: fc.oneof(
          { weight: 5, arbitrary: fc.integer({ min: 1, max: 60 }) },
          { weight: 1, arbitrary: fc.constant(0) },
        ),
        candidate: fc.record({ kind: fc.constantFrom(...KINDS) }),
      }),
      { maxLength: most },
    )
    .map((rows) => rowsOf(rows.toSorted((a, b) => b.score - a.score)));

export const greedy: SelectorUse = { class: 'GreedyPack' };
export const knapsack: SelectorUse = { class: 'KnapsackPack', params: { bucket_size: 10 } };
export const quotas = [
  { kind: 'tool', require: 30, cap: 50 },
  { kind: 'Message', cap: 40 },
];
export const counts = [
  { kind: 'tool', require: 1, cap: 2 },
  { kind: 'MESSAGE', cap: 1 },
];
export const quota = (inner: SelectorUse): SelectorUse => ({ class: 'QuotaPack', params: { quotas, inner } });
export const counted = (inner: SelectorUse): SelectorUse => ({ class: 'CountQuotaPack', params: { counts, inner } });

export const within = [greedy, knapsack, quota(greedy), quota(knapsack)];
export const all = [...within, counted(greedy), counted(knapsack), quota(counted(greedy)), counted(quota(greedy))];

export const targets = fc.integer({ min: 0, max: 200 });
export const costOf = (rows: readonly CostedRow[]): number => rows.reduce((sum, { cost }) => sum + cost, 0);
export const ids = (rows: readonly { readonly index: number }[]): number[] =>
  rows.map(({ index }) => index).toSorted((a, b) => a - b);
export const kindOf = ({ candidate }: CostedRow): string => (candidate as { kind: string }).kind.toLowerCase();
