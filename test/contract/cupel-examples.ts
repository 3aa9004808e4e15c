import type { UnitExample } from 'assize/testing';
import { selectorExamples } from './selector-examples.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');

/** Items that compete for a place in a prompt: from every source, with missing fields as in real items. */
const items = [
  { id: 'system', kind: 'SystemPrompt', priority: 10, tags: ['rules'], metadata: { 'cupel:trust': '1' } },
  {
    id: 'asked',
    timestamp: NOW - 1000,
    kind: 'message',
    tags: ['Billing', 'urgent'],
    future_relevance_hint: 0.9,
    metadata: { 'cupel:trust': 0.7, source: 'user' },
  },
  {
    id: 'answered',
    timestamp: '2025-12-31T23:00:00Z',
    tags: ['billing', 'billing', 'a', 'b', 'c', 'd'],
    future_relevance_hint: 7,
    metadata: { 'cupel:trust': ' 0.5', source: 'tool' },
  },
  { id: 'found', timestamp: new Date(NOW - 3_600_000), kind: 'Document', priority: -2, tags: [] },
  { id: 'noted', timestamp: null, kind: 'Memory', priority: 10, tags: ['Rules', 'A', 'E', 'F', 'G', 'H'] },
  { id: 'odd', kind: 'Whisper', future_relevance_hint: Number.POSITIVE_INFINITY, metadata: { 'cupel:trust': '-3' } },
  { id: 'bare' },
];

const malformed = [
  ...items,
  { timestamp: 'yesterday', priority: 'high', tags: 'a b', kind: 3, future_relevance_hint: '1', metadata: 'none' },
  { priority: Number.NaN, tags: ['a', 1], metadata: [] },
];

const texts = [
  { tokens: 12, content: 'counted by somebody' },
  { content: 'What is the refund policy? <|endoftext|>' },
  { content: '' },
  { parts: [{ text: 'one' }, { text: 'two' }] },
  { tokens: null },
];

const weights = { billing: 3, urgent: 1, a: 0 };

/** Examples of every unit of the pack `cupel`, by class name. */
export const cupelExamples: Readonly<Record<string, readonly UnitExample[]>> = {
  FrequencyScorer: [{ candidates: items }, { candidates: malformed, mayFail: true }],
  KindScorer: [
    { candidates: items },
    { candidates: items, params: { weights: { memory: 2.5, Whisper: 0 }, default_kind: 'Memory' } },
    { candidates: malformed, mayFail: true },
  ],
  MetadataKeyScorer: [
    { candidates: items, params: { key: 'source', value: 'user', boost: 3 } },
    { candidates: items, params: { key: 'source', value: 'tool', boost: 0.5 } },
    { candidates: malformed, params: { key: 'source', value: true, boost: 2 }, mayFail: true },
  ],
  MetadataTrustScorer: [
    { candidates: items },
    { candidates: items, params: { key: 'source', default_score: 0.1 } },
    { candidates: malformed, mayFail: true },
  ],
  PriorityScorer: [{ candidates: items }, { candidates: malformed, mayFail: true }],
  RecencyScorer: [{ candidates: items }, { candidates: malformed, mayFail: true }],
  ReflexiveScorer: [{ candidates: items }, { candidates: malformed, mayFail: true }],
  ...selectorExamples,
  TokenCountScorer: [
    { candidates: texts },
    { candidates: texts, params: { text: ['content', 'parts[].text'], encoding: 'cl100k_base' } },
    { candidates: [...texts, { tokens: '7' }, { content: 7 }], mayFail: true },
  ],
  TagScorer: [
    { candidates: items, params: { weights } },
    { candidates: items, params: { weights, case_sensitive: false } },
    { candidates: items, params: { weights: {} } },
    { candidates: malformed, params: { weights }, mayFail: true },
  ],
};
