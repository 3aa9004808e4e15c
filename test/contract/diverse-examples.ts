import type { RowExample, UnitExample } from 'assize/testing';

/** Similar and different items: the pinned first and then the best, with ties, and without a topic or a vector. */
const items = [
  { id: 'pinned', topics: ['a'], text: 'a red lamp', vector: [1, 0] },
  { id: 'twin', topics: ['a'], text: 'a red lamp', vector: [1, 0] },
  { id: 'both', topics: ['a', 'b'], text: 'a lamp and a desk', vector: [1, 1] },
  { id: 'other', topics: 'c', text: 'shipping costs', vector: [0, 1] },
  { id: 'against', topics: ['b'], text: 'no', vector: [-1, 0] },
  { id: 'bare' },
];

const scores = [1, 0.9, 0.7, 0.7, 0.2, 0];
const rowsOf = (cost: number): readonly RowExample[] =>
  scores.map((score, k) => ({ score, cost, ...(k === 0 && { pinned: true }) }));

const chosen = { candidates: items, rows: rowsOf(1), limits: { target: 3, max: 3 } };
const packed = { candidates: items, rows: rowsOf(90), limits: { target: 200, max: 400 } };

/** Examples of every selector of the plugin `core`, by class name. */
export const diverseExamples: Readonly<Record<string, readonly UnitExample[]>> = {
  CoverageSelector: [
    { ...chosen, params: { topics: 'topics' } },
    { ...packed, params: { topics: 'topics', needed: 'missing' }, context: { missing: ['c', 'z'] } },
  ],
  MmrSelector: [
    { ...chosen, params: { fields: ['topics', 'id'] } },
    { ...chosen, params: { text: 'text', embedder: 'lexical', lambda: 0.2 }, limits: { target: 0, max: 0 } },
    { ...packed, params: { vector: 'vector', lambda: 0, relevance: 'score' } },
  ],
  SpreadSelector: [
    { ...chosen, params: { by: 'candidate.topics' } },
    { ...packed, params: { by: 'candidate.?text', most: 2, window: 3, lookahead: 1 } },
  ],
  WeightedPick: [chosen, { ...packed, params: { weight: '2 * score' } }],
};
