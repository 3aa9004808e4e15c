import { resolve } from 'node:path';
import type { UnitExample } from 'assize/testing';

const DAY = 86_400_000;
const NOW = Date.parse('2026-01-01T00:00:00Z');

/** Traces of agents: lists of steps of several kinds, with irregular ones as in logs. */
const traces = [
  {
    id: 'plan',
    steps: [
      { type: 'thought', content: 'plan a trip' },
      { type: 'tool_call', tool: { name: 'search' } },
    ],
  },
  {
    id: 'rescue',
    steps: [
      { type: 'tool_call', tool: { name: 'search' }, content: 'flights to Oslo' },
      { type: 'error_recovery', content: 'try another airline' },
      { type: 'observation', content: 'three found', tool: { name: 'browser' } },
      { type: 'thought', content: 'take the first' },
    ],
    outcome: { confidence: 0.9 },
    metadata: { success: true },
  },
  { id: 'gave_up', steps: [], outcome: { confidence: 0.4 }, metadata: { success: false } },
  { id: 'torn' },
  { id: 'long', steps: Array.from({ length: 30 }, (_, i) => ({ type: `kind${i % 5}`, tool: { name: `t${i % 7}` } })) },
  { id: 'null', steps: null, outcome: { confidence: null }, metadata: { success: true } },
];

const articles = [
  { id: 'today', at: NOW, text: 'cats sleep all day', stars: 10, vector: [1, 0, 0] },
  { id: 'week', at: '2025-12-25T00:00:00Z', text: 'dogs chase cats', stars: 3, vector: [0, 1, 0] },
  { id: 'same', at: new Date(NOW - 40 * DAY), text: 'cats sleep all day', stars: 3, vector: [1, 0, 0] },
  { id: 'near', at: NOW + DAY, text: 'cats sleep most of the day', stars: 0, vector: [0.9, 0.1, 0] },
  { id: 'bare' },
  { id: 'old', at: '1999-05-01', text: 'a browser of that time', stars: -4.5, vector: [0, 0, -1] },
  { id: 'empty', at: null, text: '', stars: 1e6 },
];

const embedder = { name: 'lexical', dimensions: 64 };
const decay = { class: 'DecayScorer', params: { field: 'at', curve: { type: 'exponential', half_life: '7d' } } };
const novelty = { class: 'NoveltyScorer', params: { vector: 'vector' } };
const indexed = { max_elements: 5000, index: { type: 'hnsw', above: 1000 } };
const ranked = { tier2_scorers: [{ id: 's', expr: 'candidate.stars' }], select: { top: 1 } };
/** The input for the models of the fixtures. */
const offers = [
  { price: 0.3, age: 1.2, rank: -0.4, kind: 5, clicks: 0 },
  { price: -1.3, age: -0.2, rank: 2, kind: 12, clicks: 0.7 },
  { price: 1, kind: 33 },
  { price: null, age: 0 },
  {},
];
const model = (name: string): string => resolve('test/fixtures/lightgbm', `${name}.txt`);
const curve = [
  [0, 0.1],
  [3, 0.9],
  [10, -0.5],
];
const stretched = { scorer: { expr: 'candidate.stars' } };

/** Examples of every unit of the pack `core`, by class name. */
export const examples: Readonly<Record<string, readonly UnitExample[]>> = {
  Alternatives: [
    { candidates: articles, params: { count: 2, min_score: 1 }, profile: ranked },
    { candidates: articles, profile: ranked },
  ],
  BM25Scorer: [
    { candidates: articles, params: { fields: 'text' }, context: { query: 'how long do cats sleep' } },
    { candidates: articles, params: { fields: { text: 1, id: 2.5 }, k1: 0, b: 1 }, context: { query: 'old cats' } },
    { candidates: articles, params: { fields: ['id', 'text'], query: 'asked' } },
    { candidates: traces, params: { fields: 'steps' }, context: { query: 'trip' }, mayFail: true },
  ],
  BoostedScorer: [
    {
      candidates: articles,
      params: {
        base: decay,
        boosts: [
          { scorer: { expr: 'abs(candidate.stars)' }, curve: 'log2', factor: 0.05, cap: 0.2 },
          { scorer: { expr: 'abs(candidate.stars)' }, factor: -0.1 },
        ],
        min: 0,
        max: 0.95,
      },
    },
    {
      candidates: articles,
      params: { base: novelty, boosts: [{ scorer: { expr: 'candidate.stars' }, factor: 1 }] },
      scope: 'sequence',
      mayFail: true,
    },
  ],
  ComplexityScorer: [
    { candidates: traces, params: { items: 'steps', bonus_kind: 'error_recovery' } },
    { candidates: traces, params: { items: 'steps', kind: 'tool.name', kinds: 2, length: 3 } },
  ],
  CompositeScorer: [
    { candidates: articles, params: { scorers: [decay, { expr: 'candidate.stars * 2', weight: 3 }] } },
    { candidates: articles, params: { scorers: [{ class: 'ScaledScorer', params: stretched }, decay] }, scope: 'set' },
    { candidates: articles, params: { scorers: [novelty, { ...decay, weight: 2 }] }, scope: 'sequence' },
  ],
  CountScorer: [
    { candidates: traces, params: { items: 'steps' } },
    { candidates: traces, params: { items: 'steps', where: { type: 'thought' } } },
    { candidates: traces, params: { items: 'steps', where: { tool: { present: true } }, distinct: 'tool.name' } },
  ],
  CurveScorer: [
    { candidates: articles, params: { value: 'stars', points: curve } },
    { candidates: articles, params: { scorer: decay, points: curve } },
    {
      candidates: articles,
      params: { scorer: { class: 'ScaledScorer', params: stretched }, points: curve },
      scope: 'set',
    },
    { candidates: [...articles, { stars: 'many' }], params: { value: 'stars', points: curve }, mayFail: true },
  ],
  DecayScorer: [
    { candidates: articles, params: decay.params },
    { candidates: articles, params: { field: 'at', curve: { type: 'window', max_age: '14d' } } },
    { candidates: articles, params: { field: 'at', curve: { type: 'gaussian', scale: '2w', offset: '1d' } } },
    { candidates: articles, params: { field: 'at', curve: { type: 'linear', scale: '1y', decay: 0.1 } } },
    {
      candidates: articles,
      params: {
        field: 'at',
        curve: {
          type: 'step',
          windows: [
            { max_age: '1d', score: 1 },
            { max_age: '30d', score: 0.4 },
          ],
        },
        null_timestamp_score: 'abstain',
      },
    },
    { candidates: [...articles, { at: 'yesterday' }], params: decay.params, mayFail: true },
  ],
  DiversityScorer: [{ candidates: traces, params: { items: 'steps', distinct: 'tool.name' } }],
  ExpressionSignal: [
    { candidates: articles, params: { value: 'has(context.query) ? "search" : "suggest"' } },
    { candidates: articles, params: { value: 'context.depth * 2' }, context: { depth: 3 } },
  ],
  EachItem: [
    { candidates: [], params: { items: 'context.topics' }, context: { topics: ['cats', 'dogs', 3] } },
    {
      candidates: [],
      params: { items: 'context.topics', where: 'candidate.open', key: 'name' },
      context: { topics: [{ name: 'cats', open: true }, { name: 'dogs' }] },
    },
    { candidates: [], params: { items: 'context.topics' } },
  ],
  LinearScorer: [
    { candidates: articles, params: { weights: { stars: 0.5 }, intercept: 1 } },
    {
      candidates: articles,
      params: { weights: { stars: 0.5, 'vector[0]': -1 }, link: 'logistic', missing: 'abstain' },
    },
    {
      candidates: articles,
      params: { weights: { age: 2, stars: 1 }, features: { age: decay, stars: 'stars' }, missing: 3 },
    },
    { candidates: articles, params: { weights: { x: 1, y: 2, z: 3 }, features: 'vector' } },
    {
      candidates: [
        { f: { a: 1, b: 2 } },
        { f: { c: 3 } },
        { f: [['b', 2]] },
        { f: [] },
        {},
        { f: 'x' },
        { f: { a: 'x' } },
      ],
      params: { weights: { a: 1, b: 2 }, features: 'f' },
      mayFail: true,
    },
  ],
  ModelScorer: [
    { candidates: offers, params: { file: model('regression') } },
    { candidates: offers, params: { file: model('binary'), output: 'response', missing: 'abstain' } },
    { candidates: offers, params: { file: model('poisson'), output: 'response', missing: 0 } },
    {
      candidates: [{ f: [1, 2, 3, 4, 5] }, { f: [1] }, { f: {} }, {}],
      params: { file: model('forest'), features: 'f' },
      mayFail: true,
    },
    {
      candidates: offers,
      params: {
        file: model('zero_as_missing'),
        features: { price: { expr: 'candidate.price + 1' }, age: 'rank', rank: 'age', kind: 'kind', clicks: 'clicks' },
      },
    },
  ],
  NoveltyScorer: [
    { candidates: articles, params: novelty.params },
    { candidates: articles, params: { text: 'text', embedder, max_elements: 2 } },
    { candidates: articles, params: { ...novelty.params, ...indexed } },
    { candidates: traces, params: { text: ['id', 'steps[].content'], embedder, ttl: '1h' } },
    { candidates: [...articles, { vector: [1, 2] }, { vector: 'none' }], params: novelty.params, mayFail: true },
  ],
  OnnxScorer: [
    {
      candidates: [{ f: { 9: 0.89, 10: 0.75 } }, { f: [[9, 0.5]] }, { f: {} }, { f: ['text'] }, {}],
      params: { file: resolve('test/fixtures/onnx/lambdarank.onnx'), features: 'f', missing: 0 },
      mayFail: true,
    },
    {
      candidates: [{ f: {} }, {}],
      params: { file: resolve('test/fixtures/onnx/lambdarank.onnx'), features: 'f', missing: 'abstain' },
    },
  ],
  OutcomeScorer: [{ candidates: traces, params: { value: 'outcome.confidence', success: 'metadata.success' } }],
  RankFusionScorer: [
    { candidates: articles, params: { scorers: [decay, { expr: 'candidate.stars', weight: 2 }] } },
    { candidates: articles, params: { scorers: [{ expr: 'candidate.stars' }, novelty], k: 0 }, scope: 'sequence' },
    ...['logn_isr', 'bordafuse'].map((method) => ({
      candidates: articles,
      params: { scorers: [{ expr: 'candidate.stars' }, decay], method },
    })),
    ...['sum', 'wmnz', 'med'].map((method) => ({
      candidates: articles,
      params: { scorers: [decay, { expr: 'candidate.stars', weight: 2 }], method },
      scope: 'candidate' as const,
    })),
  ],
  ScaledScorer: [
    ...[
      { type: 'min_max', min_spread: 1e7 },
      { type: 'min_max', lower: { at: 3 }, upper: { at: 9, mode: 'clip' }, floor: 0.001, reverse: true },
      { type: 'min_max', equal: 100, integer: 100 },
      { type: 'max' },
      { type: 'max', integer: 100, reverse: true },
      { type: 'l2', floor: 0.001 },
      { type: 'z_score', deviation: 'sample', equal: 1, floor: 0.001 },
      { type: 'z_score' },
      { type: 'rank' },
      { type: 'logistic', midpoint: 3, slope: 0.5 },
      { type: 'bounds', min: 0, max: 100 },
    ].map((scale) => ({ candidates: articles, params: { ...stretched, scale } })),
    { candidates: articles, params: { ...stretched, scale: { type: 'log', full: 100 } }, mayFail: true },
    { candidates: articles, params: stretched },
    { candidates: articles, params: { scorer: decay } },
    { candidates: articles, params: { ...stretched, scale: { type: 'rank', ties: 'order' } }, scope: 'sequence' },
    { candidates: articles, params: { scorer: { class: 'ScaledScorer', params: { scorer: decay } } } },
    { candidates: articles, params: { scorer: novelty }, scope: 'sequence' },
  ],
  SemanticSimilarityScorer: [
    { candidates: articles, params: { text: 'text', embedder }, context: { query: 'sleeping cats' } },
    { candidates: articles, params: { vector: 'vector', query_vector: 'asked' }, context: { asked: [1, 1, 0] } },
    { candidates: articles, params: { text: 'text', embedder } },
    {
      candidates: [...articles, { vector: [1, 2] }],
      params: { vector: 'vector', query_vector: 'asked' },
      context: { asked: [0, 1, 0] },
      mayFail: true,
    },
  ],
  SimilarityVeto: [
    { candidates: articles, params: { vector: 'vector', threshold: 0.9 } },
    { candidates: articles, params: { text: 'text', embedder, max_elements: 3 } },
    { candidates: articles, params: { vector: 'vector', ...indexed } },
  ],
  ThresholdVeto: [
    { candidates: articles, params: { value: 'stars', min: 0, max: 1000 } },
    { candidates: [...articles, { stars: 'many' }], params: { value: 'stars', max: 5 }, mayFail: true },
  ],
};
