import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPipeline } from 'assize';
import { packageRoot } from '../../../../../src/base/package-root.js';

/** The candidates of a preset. */
export interface PresetCase {
  readonly preset: string;
  /** The changes of a profile that extends it: embedders without a model. */
  readonly change: string;
  readonly candidates: readonly object[];
  readonly context: Readonly<Record<string, unknown>>;
}

const jsonLines = (name: string): readonly Readonly<Record<string, unknown>>[] =>
  readFileSync(join(packageRoot(), 'test', 'fixtures', 'livemcpbench', name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);

const range = <T>(length: number, make: (k: number) => T): readonly T[] => Array.from({ length }, (_, k) => make(k));

const tools = jsonLines('tools.jsonl').slice(0, 60);
const ids = tools.map(({ id }) => String(id));
const capabilities = range(12, (k) => ({
  id: `capability${k}`,
  kind: 'capability',
  name: `Capability ${k}`,
  description: String(tools[k]?.['description']),
  tools_used: ids.slice(k, k + 3),
  success_rate: 0.45 + k / 25,
}));
const toolContext = {
  query: 'the stock price of a company',
  tools: ids.slice(3, 6),
  graph: {
    edges: [
      ...range(40, (k) => ({
        from: ids[k],
        to: ids[(k * 7 + 3) % 60],
        weight: 0.2 + (k % 5) / 10,
        count: (k % 4) + 1,
      })),
      ...capabilities.flatMap(({ id, tools_used }) => tools_used.map((to) => ({ from: id, to }))),
    ],
  },
};
const capabilityContext = {
  ...toolContext,
  graph: { ...toolContext.graph, nodes: capabilities.map(({ id }) => ({ id, kind: 'capability' })) },
};

const KINDS = ['SystemPrompt', 'Memory', 'ToolOutput', 'Document', 'Message'];
const items = range(40, (k) => ({
  id: `item${k}`,
  content: `What was said ${k} times`,
  tokens: 40 + ((k * 37) % 300),
  kind: KINDS[k % KINDS.length],
  timestamp: new Date(Date.UTC(2026, 4, 1 + ((k * 5) % 30))).toISOString(),
  priority: (k * 3) % 7,
  tags: [`t${k % 4}`, `t${k % 6}`],
  future_relevance_hint: ((k * 11) % 40) / 40,
}));

const messages = range(12, (k) => ({
  id: `message${k}`,
  role: k === 0 ? 'system' : k % 4 === 2 ? 'tool' : k % 2 === 1 ? 'assistant' : 'user',
  content: `What was said ${k} times`,
  tokens: 40 + ((k * 37) % 300),
  pinned: k === 0,
  ...((k % 4 === 1 || k % 4 === 2) && { group: `call${Math.floor(k / 4)}` }),
}));

const turn = {
  turn_count: 3,
  history: [
    { speaker: 'system', text: 'What comes to mind about coffee?' },
    { speaker: 'user', text: "I like coffee, but I don't know about its texture" },
  ],
  recent_nodes: [{ id: 'coffee', label: 'coffee', node_type: 'attribute', confidence: 0.8 }],
  graph: { node_count: 5, edge_count: 2, nodes_by_type: { attribute: 3, functional_consequence: 2 } },
  coverage: { elements_seen: [], elements_total: ['taste', 'texture', 'packaging'] },
  strategy_history: ['broaden', 'broaden', 'broaden'],
};

/** The moves that an interview's strategies generate, as candidates of a file. */
async function moves(preset: string): Promise<readonly object[]> {
  const { ranked, refused } = await (await createPipeline<object>(preset)).rank(undefined, turn);
  return [...ranked, ...refused].map(({ candidate }) => candidate);
}

const traces = JSON.parse(readFileSync(join(packageRoot(), 'config', 'demo', 'traces.json'), 'utf8')) as object[];

/** A JSON document of a page on a preset. */
function documentOf(preset: string, name: string): unknown {
  const page = readFileSync(join(packageRoot(), 'config', 'howto', `${preset}.md`), 'utf8');
  return JSON.parse(page.split(`\`\`\`json ${name}\n`)[1]?.split('```')[0] ?? '');
}

const documented = (preset: string, candidates: string, context?: string): PresetCase => ({
  preset,
  change: '',
  candidates: documentOf(preset, candidates) as PresetCase['candidates'],
  context: context === undefined ? {} : (documentOf(preset, context) as PresetCase['context']),
});

const lexical = (list: string, id: string): string =>
  `${list}: [{ id: ${id}, params: { embedder: lexical } }] # no model\n`;
/** The same, with the similarity inside another entry. */
const LEXICAL_INSIDE = `measures:
  - id: meaning
    class: SemanticSimilarityScorer
    params: { text: [name, description], query: query, embedder: lexical } # no model
`;

/** Every shipped preset with weighted scorers. */
export async function presetCases(): Promise<readonly PresetCase[]> {
  const packed = ['chat', 'code-review', 'debugging', 'document-qa', 'long-running', 'rag', 'tool-use'];
  const searched = ['dag-suggest', 'tool-suggest'];
  const interviews = await Promise.all(
    ['interview', 'interview-extended'].map(async (preset) => ({
      preset,
      change: '',
      candidates: await moves(preset),
      context: turn,
    })),
  );
  return [
    ...packed.map((preset) => ({ preset, change: '', candidates: items, context: {} })),
    ...searched.map((preset) => ({
      preset,
      change: lexical('measures', 'meaning'),
      candidates: tools,
      context: toolContext,
    })),
    { preset: 'conversation', change: '', candidates: messages, context: { query: 'What was said' } },
    { preset: 'tool-search', change: LEXICAL_INSIDE, candidates: tools, context: toolContext },
    // The cosines of another embedder have another floor.
    {
      preset: 'tool-choice',
      change: lexical('measures', 'meaning'),
      candidates: tools,
      context: { ...toolContext, floor: -1 },
    },
    { preset: 'next-tool', change: '', candidates: tools, context: toolContext },
    {
      preset: 'next-capability',
      change: lexical('tier2_scorers', 'semantic'),
      candidates: capabilities,
      context: capabilityContext,
    },
    {
      preset: 'next-step',
      change: lexical('tier2_scorers', 'semantic'),
      candidates: [...tools, ...capabilities],
      context: capabilityContext,
    },
    { preset: 'knowledgepulse', change: lexical('tier2_scorers', 'novelty'), candidates: traces, context: {} },
    { preset: 'trace-quality', change: '', candidates: traces, context: {} },
    documented('hybrid-search', 'found.json'),
    documented('inference-routing', 'endpoints.json', 'request.json'),
    documented('kubernetes-nodes', 'nodes.json', 'pod.json'),
    ...interviews,
  ];
}
