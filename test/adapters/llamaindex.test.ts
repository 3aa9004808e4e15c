import type { BaseNodePostprocessor } from '@llamaindex/core/postprocessor';
import { RetrieverQueryEngine } from '@llamaindex/core/query-engine';
import { getResponseSynthesizer } from '@llamaindex/core/response-synthesizers';
import { BaseRetriever } from '@llamaindex/core/retriever';
import { type NodeWithScore, TextNode } from '@llamaindex/core/schema';
import { MockLLM } from '@llamaindex/core/llms/mock';
import { expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { nodePostprocessor } from '../../src/adapters/llamaindex.js';
import { help } from './help.js';

/** The interface of LlamaIndex, without a cast. */
const postprocessor: BaseNodePostprocessor = nodePostprocessor(await help());

const nodes: NodeWithScore[] = [
  { node: new TextNode({ id_: 'a', text: 'opening hours', metadata: { lang: 'en' } }), score: 0.9 },
  { node: new TextNode({ id_: 'b', text: 'an old password', metadata: { retired: true } }), score: 0.8 },
  { node: new TextNode({ id_: 'c', text: 'a password', metadata: { boost: 0.5 } }) },
];

class Shelf extends BaseRetriever {
  constructor(private readonly found: NodeWithScore[]) {
    super();
  }
  override _retrieve(): Promise<NodeWithScore[]> {
    return Promise.resolve(this.found);
  }
}

test('a query engine ranks what its retriever finds: nodes are kept, scores are new', async () => {
  const synthesizer = getResponseSynthesizer('compact', { llm: new MockLLM() });
  const engine = new RetrieverQueryEngine(new Shelf(nodes), synthesizer, [postprocessor]);
  const found = await engine.retrieve({ query: 'password' });
  expect(found.map(({ node: { id_: id }, score }) => [id, score])).toEqual([
    ['c', 1.5],
    ['a', 0.25],
  ]);
  expect(found[1]!.node).toBe(nodes[0]!.node);
  expect(nodes[0]!.score).toBe(0.9);
});

test('the retriever score is a field, and the text has no metadata', async () => {
  const pipeline = await createPipeline({
    tier2_scorers: [
      { id: 'found', expr: 'candidate.?score.orValue(0.0)' },
      { id: 'bare', expr: 'candidate.text == "opening hours" ? 1.0 : 0.0' },
    ],
    combine: 'weighted_sum',
    serve: { relevance: 'score' },
  });
  const found = await nodePostprocessor(pipeline).postprocessNodes(nodes);
  expect(found.map(({ node: { id_: id }, score }) => [id, score])).toEqual([
    ['a', 1.9],
    ['b', 0.8],
    ['c', 0],
  ]);
});

test('reads the texts of a query that has several parts', async () => {
  const parts = [
    { type: 'image_url' as const, image_url: { url: 'data:,' } },
    { type: 'text' as const, text: 'password' },
  ];
  const found = await postprocessor.postprocessNodes(nodes, parts);
  expect(found[0]!.node).toBe(nodes[2]!.node);
});

test('a profile that reads the query reports that it is missing', async () => {
  const pipeline = await createPipeline({
    context: { query: { type: 'string', required: true } },
    tier2_scorers: [{ id: 'one', expr: '1.0' }],
  });
  await expect(nodePostprocessor(pipeline).postprocessNodes(nodes)).rejects.toThrow(/query/);
  expect(await postprocessor.postprocessNodes([], 'password')).toEqual([]);
});
