import type { UnitExample } from 'assize/testing';

const move = (id: string, type_category: string, focus: Readonly<Record<string, unknown>>): object => ({
  strategy: { id, type_category },
  focus: { key: id, ...focus },
});

/** Moves of every kind, with ids of elements as strings and as numbers. */
const candidates = [
  move('deepen', 'depth', { node_id: 'n2', focus_description: 'Deepen: probably the foam' }),
  move('broaden', 'breadth', { focus_description: 'Explore new aspects' }),
  move('cover_element', 'coverage', { element_id: 'creamy_texture', focus_description: 'Cover: creamy_texture' }),
  move('cover_element', 'coverage', { element_id: 7, focus_description: 'What else about 7?' }),
  move('bridge', 'peripheral', { node_id: 'n1', focus_description: 'Bridge to: price' }),
  move('contrast', 'contrast', { node_id: 'n1', focus_description: 'Look for the opposite case' }),
  move('synthesis', 'transition', { node_ids: ['n1', 'n2'] }),
  { strategy: { id: 'closing' } },
];

const said = (...texts: readonly string[]) =>
  texts.map((text, i) => ({ speaker: i % 2 === 0 ? 'system' : 'user', text }));

const context = {
  turn_count: 3,
  history: [
    ...said(
      'What comes to mind?',
      "I don't know any new aspects",
      'And the foam?',
      'Maybe the creamy texture, I guess',
    ),
    { speaker: 'system', text: 'What else about the creamy texture?' },
    { speaker: 'user', text: 'Nothing else, really. I am confused!', concepts: ['texture', 'foam'] },
  ],
  recent_nodes: [
    { id: 'n1', label: 'price', node_type: 'attribute', confidence: 0.4, stance: 1, connected_to: ['n2'] },
    { id: 'n2', label: 'creamy texture', node_type: 'attribute', stance: -1, connected_to: ['n1', 'n3', 'n4', 'n5'] },
    { id: 3, label: 'creamy texture in coffee' },
  ],
  graph: { node_count: 4, edge_count: 8, nodes_by_type: { attribute: 2, functional_consequence: 1 } },
  coverage: { elements_seen: ['price'], elements_total: ['price', 'creamy_texture', 7] },
  strategy_history: ['broaden', 'deepen', 'broaden', 'broaden', 'bridge', 'deepen'],
};

const deep = {
  ...context,
  graph: {
    nodes: [{ id: 'a', node_type: 'attribute' }, { id: 'b' }, { id: 'c', node_type: 'terminal_value' }],
    edges: [
      { source: 'a', target: 'b' },
      { source: 'b', target: 'c' },
      { source: 'b', target: 'a' },
    ],
  },
  coverage: { elements: { 7: { covered: true, depth_score: 0.2 }, creamy_texture: { covered: false } } },
};

/** Also for an empty context. */
const everywhere = (params: Readonly<Record<string, unknown>> = {}): readonly UnitExample[] => [
  { candidates, params, context },
  { candidates, params, context: deep },
  { candidates, params },
  { candidates: [...candidates, { focus: {} }, { strategy: { id: true } }], params, context, mayFail: true },
];

const alone = (params: Readonly<Record<string, unknown>> = {}): readonly UnitExample[] => [
  { candidates: [], params, context },
  { candidates: [], params, context: deep },
  { candidates: [], params },
];

/** Examples of the units of the pack `interview`, by class name. */
export const interviewExamples: Readonly<Record<string, readonly UnitExample[]>> = {
  KnowledgeCeilingScorer: [
    ...everywhere(),
    ...everywhere({ require_topic_match: false, exempt_strategies: ['closing'] }),
  ],
  ElementExhaustedScorer: everywhere({ max_mentions: 2, exempt_strategies: ['closing'] }),
  RecentRedundancyScorer: [
    ...everywhere({ similarity_threshold: 0.3, user_response_threshold: 0.2, exempt_strategies: ['deepen'] }),
    ...everywhere({ embedder: { name: 'lexical', dimensions: 64 }, similarity_threshold: 0.2 }),
  ],
  ClarificationVetoScorer: everywhere({ exempt_strategies: ['bridge'] }),
  ConsecutiveExhaustionScorer: everywhere({ threshold: 1 }),
  QuestionRepetitionScorer: everywhere({ threshold: 2 }),
  CoverageGapScorer: everywhere(),
  AmbiguityScorer: everywhere(),
  DepthBreadthBalanceScorer: everywhere(),
  EngagementScorer: everywhere({ high_momentum_threshold: 30 }),
  StrategyDiversityScorer: everywhere(),
  NoveltyScorer: everywhere(),
  SaturationScorer: everywhere(),
  ClusterSaturationScorer: everywhere(),
  ContrastOpportunityScorer: everywhere(),
  PeripheralReadinessScorer: everywhere(),
  OpenFocus: alone({ text: 'Explore new aspects' }),
  MostRecentNode: [...alone({ otherwise: { text: 'Deepen understanding' } }), ...alone()],
  PeripheralNode: [...alone({ otherwise: { text: 'Bridge' } }), ...alone()],
  RecentNodes: [...alone({ otherwise: { text: 'Summary' } }), ...alone({ min: 1, max: 1 })],
  UncoveredElements: alone(),
  TerminalStreak: [...alone(), ...alone({ include_current: true })],
  LowInfoStreak: alone(),
  ChainDepth: alone(),
};
