import { evaluateProfiles, type Evaluation as Measured, type JudgedQuery } from '@assize/evaluate';
import { createPipeline, type Pipeline, type ProfileInput } from 'assize';
import { type Embedder, type EmbedderProvider, embedderToken, type ServiceBinding } from 'assize/sdk';
import { TransformersProvider } from '../../src/services/transformers/models.js';
import { against, meanOf } from './against.js';
import type { Evaluation } from './evaluation.js';
import { tunedParts } from './tool-weights.js';
import { graphWithout, type Query, readQueries, readSequences, readTools, type Tool } from './tools.js';

/** The number of the best by text that count as the tools in use. */
const IN_USE = 3;

type Entries = NonNullable<ProfileInput['measures']>;

const off = (...ids: readonly string[]): Entries => ids.map((id) => ({ id, when: 'false' }));

/** The model, called once per text for all methods. */
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

/** The preset's measure of meaning, over the available model. */
function withModel(models: string | undefined): Entries {
  const embedder = { name: 'transformers', dtype: 'q8', ...(models !== undefined && { folder: models }) };
  return [{ id: 'meaning', params: { scorer: { params: { embedder } } } }];
}

/** The preset's words and meaning by rank, in place of half and half. */
const BY_PLACES: ProfileInput['tier2_scorers'] = [
  {
    id: 'text',
    class: 'RankFusionScorer',
    params: { scorers: [{ expr: 'measures.words' }, { expr: 'measures.meaning' }] },
  },
];

/** The measures; the first one compares methods. */
export const MEASURES = ['nDCG@10', 'R@5', 'RR'];

/** Every query with all tools, and those that annotators named for it. */
async function judgedQueries(
  tools: readonly Tool[],
  queries: readonly Query[],
  contextOf: (query: Query) => Promise<object>,
): Promise<readonly JudgedQuery<Tool>[]> {
  const judged: JudgedQuery<Tool>[] = [];
  for (const query of queries) {
    // oxlint-disable-next-line no-await-in-loop -- one after another: a language model uses all processors
    const context = { query: query.text, ...(await contextOf(query)) };
    const grades = tools.map(({ id }) => (query.relevant.has(id) ? 1 : 0));
    judged.push({ id: query.id, context, candidates: tools, grades });
  }
  return judged;
}

/** The measures of each query by one method. A method must not fail on any query. */
const measure = (name: string, pipeline: Pipeline<Tool>, queries: readonly JudgedQuery<Tool>[]): Promise<Measured> =>
  evaluateProfiles({ [name]: pipeline }, queries, {
    measures: MEASURES,
    onRanking: (_, query, { degraded }) => {
      if (degraded.length > 0)
        throw new Error(`${query}: ${degraded.map(({ entry, cause }) => `${entry}: ${cause}`).join('; ')}`);
    },
  });

const alone = async (): Promise<object> => ({});

/** The name of the method that takes no language model. */
export const BY_WORDS = 'words (BM25)';

/** The measures of each query by words alone. */
export async function byWords(): Promise<Measured> {
  const pipeline = await createPipeline<Tool>({ extends: ['tool-search'], measures: off('meaning') });
  return measure(BY_WORDS, pipeline, await judgedQueries(await readTools(), await readQueries(), alone));
}

/** Which of 527 tools an annotator would name for a query, by the preset tool-search. */
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
    const results = [await byWords()];
    for (const [name, pipeline, context] of methods) {
      // oxlint-disable-next-line no-await-in-loop -- one after another, see above
      results.push(await measure(name, pipeline, await judgedQueries(tools, queries, context)));
    }
    const all: Measured = { ...results[0]!, profiles: results.flatMap(({ profiles }) => profiles) };
    yield `${tools.length} tools, ${queries.length} queries.\n`;
    yield '| by | nDCG@10 | recall@5 | MRR | against words, by nDCG | against both |';
    yield '|---|---|---|---|---|---|';
    for (const { profile } of all.profiles) {
      const means = MEASURES.map((one) => meanOf(all, profile, one));
      yield `| ${[profile, ...means, against(all, profile, BY_WORDS), against(all, profile, 'both')].join(' | ')} |`;
    }
    yield `\n${await tunedParts(both, tools, queries)}\n`;
  },
};
