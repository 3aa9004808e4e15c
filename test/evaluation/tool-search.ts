import { createPipeline, type Pipeline, type ProfileInput } from '../../src/index.js';
import { type Embedder, type EmbedderProvider, embedderToken, type ServiceBinding } from '../../src/sdk.js';
import { TransformersProvider } from '../../src/services/node.js';
import type { Evaluation } from './evaluation.js';
import { signFlipTest } from './paired-test.js';
import { type Quality, qualityOf } from './retrieval.js';
import { graphWithout, type Query, readQueries, readSequences, readTools, type Tool } from './tools.js';

/** How many of the best by text are taken for the tools in use. */
const IN_USE = 3;

type Entries = NonNullable<ProfileInput['measures']>;

const off = (...ids: readonly string[]): Entries => ids.map((id) => ({ id, when: 'false' }));

/** The model as it is, asked once for each text, whatever the method. */
function remembering(provider: EmbedderProvider): ServiceBinding {
  const known = new Map<string, Promise<Float32Array | undefined>>();
  const remember = (embedder: Embedder): Embedder => {
    const vectorOf = (text: string) => {
      const vector = known.get(text) ?? Promise.resolve(embedder.embed([text])).then(([made]) => made);
      known.set(text, vector);
      return vector;
    };
    const embed = async (texts: readonly string[]) =>
      (await Promise.all(texts.map(vectorOf))).filter((vector) => vector !== undefined);
    return { name: embedder.name, dimensions: embedder.dimensions, embed };
  };
  return {
    token: embedderToken('transformers'),
    value: { open: (settings) => remember(provider.open(settings)) } satisfies EmbedderProvider,
  };
}

/** The preset's measure of meaning, over the model that is there. */
function withModel(models: string | undefined): Entries {
  const embedder = { name: 'transformers', dtype: 'q8', ...(models !== undefined && { folder: models }) };
  return [{ id: 'meaning', params: { scorer: { params: { embedder } } } }];
}

/** The preset's words and meaning by their places, in place of their half and half. */
const BY_PLACES: ProfileInput['tier2_scorers'] = [
  {
    id: 'text',
    class: 'RankFusionScorer',
    params: { scorers: [{ expr: 'measures.words' }, { expr: 'measures.meaning' }] },
  },
];

/** How each query comes out, in order. */
async function judged(
  pipeline: Pipeline<Tool>,
  tools: readonly Tool[],
  queries: readonly Query[],
  contextOf: (query: Query) => Promise<object>,
): Promise<readonly Quality[]> {
  const qualities: Quality[] = [];
  for (const query of queries) {
    // oxlint-disable-next-line no-await-in-loop -- one after another: a language model takes all the processors that there are
    const { ranked, degraded } = await pipeline.rank(tools, { query: query.text, ...(await contextOf(query)) });
    if (degraded.length > 0) throw new Error(degraded.map(({ entry, cause }) => `${entry}: ${cause}`).join('; '));
    qualities.push(
      qualityOf(
        ranked.map(({ id }) => id),
        query.relevant,
      ),
    );
  }
  return qualities;
}

const alone = async (): Promise<object> => ({});

/** How each query comes out by words alone, which takes no language model. */
export async function byWords(): Promise<readonly Quality[]> {
  const pipeline = await createPipeline<Tool>({ extends: ['tool-search'], measures: off('meaning') });
  return judged(pipeline, await readTools(), await readQueries(), alone);
}

/** The mean of a figure over queries, as the table has it. */
export const mean = (values: readonly number[]): string =>
  (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3);

/** How much better one method is than another on the same queries, by nDCG. */
function against(method: readonly Quality[], other: readonly Quality[]): string {
  if (method === other) return '–';
  const differences = method.map(({ ndcg }, i) => ndcg - (other[i]?.ndcg ?? Number.NaN));
  const [better, worse] = [differences.filter((one) => one > 0).length, differences.filter((one) => one < 0).length];
  return `${better} better, ${worse} worse, p = ${signFlipTest(differences).toPrecision(2)}`;
}

/** Which of 527 tools an annotator would name for a query, found by the preset tool-search. */
export const toolSearch: Evaluation = {
  name: 'tool-search',
  async *run({ models }) {
    const [tools, queries, sequences] = await Promise.all([readTools(), readQueries(), readSequences()]);
    const services = [remembering(new TransformersProvider())];
    const open = (measures: Entries, tier2_scorers: ProfileInput['tier2_scorers'] = []) =>
      createPipeline<Tool>({ extends: ['tool-search'], measures, tier2_scorers }, { services });
    const model = withModel(models);
    const both = await open(model);
    const afterText = async (query: Query) => {
      const { ranked } = await both.rank(tools, { query: query.text });
      return { tools: ranked.slice(0, IN_USE).map(({ id }) => id), graph: graphWithout(query.id, sequences) };
    };
    const methods: readonly (readonly [
      name: string,
      pipeline: Pipeline<Tool>,
      context: (query: Query) => Promise<object>,
    ])[] = [
      ['meaning (MiniLM, q8)', await open([...model, ...off('words')]), alone],
      ['both', both, alone],
      ['both, by places (RRF)', await open(model, BY_PLACES), alone],
      ['both, and the graph', both, afterText],
    ];
    const results: (readonly [name: string, qualities: readonly Quality[]])[] = [['words (BM25)', await byWords()]];
    // oxlint-disable-next-line no-await-in-loop -- one after another, see above
    for (const [name, pipeline, context] of methods)
      results.push([name, await judged(pipeline, tools, queries, context)]);
    const baseline = results[0]?.[1] ?? [];
    const text = results[2]?.[1] ?? [];
    yield `${tools.length} tools, ${queries.length} queries.\n`;
    yield '| by | nDCG@10 | recall@5 | MRR | against words, by nDCG | against both |';
    yield '|---|---|---|---|---|---|';
    for (const [name, qualities] of results) {
      const cells = [
        name,
        mean(qualities.map(({ ndcg }) => ndcg)),
        mean(qualities.map(({ recall }) => recall)),
        mean(qualities.map(({ mrr }) => mrr)),
        against(qualities, baseline),
        against(qualities, text),
      ];
      yield `| ${cells.join(' | ')} |`;
    }
    yield '';
  },
};
