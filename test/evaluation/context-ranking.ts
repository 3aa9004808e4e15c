import { join } from 'node:path';
import { createPipeline, type Pipeline, type ProfileInput } from 'assize';
import type { Evaluation as Measured } from '@assize/evaluate';
import { packageRoot } from '../../src/base/package-root.js';
import { random } from '../bench/random.js';
import { against } from './against.js';
import type { Evaluation } from './evaluation.js';
import { type Paragraph, type Question, readQuestions } from './questions.js';

const PROFILE = './config/evaluation/context-ranking.yaml';
const QUESTIONS = 'test/fixtures/context-ranking/questions.jsonl';

/** The share of all characters that fits. */
const ROOM = 0.4;
/** The number of orders that the random method averages. */
const SHUFFLES = 200;

type Entries = NonNullable<ProfileInput['tier2_scorers']>;

/** For each question, the share of its needed paragraphs that was kept. */
type Shares = readonly number[];

const off = (...ids: string[]): Entries => ids.map((id) => ({ id, enabled: false }));

const open = (amendments: Entries): Promise<Pipeline<Paragraph>> =>
  createPipeline<Paragraph>({ extends: [PROFILE], tier2_scorers: amendments }, { folder: packageRoot() });

async function keptBy(
  pipeline: Pipeline<Paragraph>,
  { query, paragraphs, needed }: Question,
  order: readonly Paragraph[] = paragraphs,
): Promise<number> {
  const budget = Math.floor(ROOM * paragraphs.reduce((sum, paragraph) => sum + paragraph.characters, 0));
  const { selected } = await pipeline.pack(order, budget, { query });
  return selected.filter(({ candidate }) => needed.has(candidate.title)).length / needed.size;
}

/** Sequential: a language model uses all processors. */
async function sharesBy(pipeline: Pipeline<Paragraph>, questions: readonly Question[]): Promise<Shares> {
  const shares: number[] = [];
  // oxlint-disable-next-line no-await-in-loop -- see above
  for (const question of questions) shares.push(await keptBy(pipeline, question));
  return shares;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function shuffled<T>(values: readonly T[], next: () => number): T[] {
  return values
    .map((value) => ({ value, lot: next() }))
    .sort((a, b) => a.lot - b.lot)
    .map(({ value }) => value);
}

/** Methods that ignore the paragraphs: those that fit in the given order, and the average over random orders. */
export async function blind(questions: readonly Question[]): Promise<{ firstThatFit: Shares; atRandom: Shares }> {
  const pipeline = await open(off('words', 'meaning'));
  const next = random();
  const orders = (question: Question) =>
    Array.from({ length: SHUFFLES }, () => keptBy(pipeline, question, shuffled(question.paragraphs, next)));
  return {
    firstThatFit: await sharesBy(pipeline, questions),
    atRandom: await Promise.all(questions.map(async (question) => mean(await Promise.all(orders(question))))),
  };
}

/** The paragraphs that match the question's words: BM25 alone. */
export const byWords = async (questions: readonly Question[]): Promise<Shares> =>
  sharesBy(await open(off('meaning')), questions);

/** The methods with a language model. */
async function byMeaning(
  questions: readonly Question[],
  models: string | undefined,
  entries: Entries,
): Promise<Shares> {
  const embedder = { name: 'transformers', dtype: 'q8', ...(models !== undefined && { folder: models }) };
  const scorer = { class: 'SemanticSimilarityScorer', params: { text: ['title', 'text'], embedder } };
  return sharesBy(await open([{ id: 'meaning', params: { scorer } }, ...entries]), questions);
}

/** The questions that come with the tests. */
export const questionsThere = (): Promise<readonly Question[]> => readQuestions(join(packageRoot(), QUESTIONS));

/** By method and question, the share of needed paragraphs that it keeps. */
const measured = (methods: readonly (readonly [name: string, shares: Shares])[]): Measured => ({
  measures: ['kept'],
  queries: methods[0]![1].map((_, question) => String(question)),
  groups: undefined,
  profiles: methods.map(([profile, shares]) => {
    return {
      profile,
      values: { kept: Float64Array.from(shares) },
      means: { kept: mean(shares) },
    };
  }),
});

/** Which of ten paragraphs are kept for a question that needs two of them, with space for 40 % of the characters. */
export const contextRanking: Evaluation = {
  name: 'context-ranking',
  async *run({ models }) {
    const questions = await questionsThere();
    const { firstThatFit, atRandom } = await blind(questions);
    const bm25 = await byWords(questions);
    const methods: readonly (readonly [name: string, shares: Shares])[] = [
      ['first that fit', firstThatFit],
      ['random', atRandom],
      ['BM25', bm25],
      ['MiniLM', await byMeaning(questions, models, off('words'))],
      ['half and half', await byMeaning(questions, models, [])],
    ];
    yield `${questions.length} questions; the share of the needed paragraphs that are kept:\n`;
    yield '| method | kept | against first that fit | against BM25 |';
    yield '|---|---|---|---|';
    const all = measured(methods);
    for (const [name, shares] of methods) {
      const compared = [against(all, name, 'first that fit'), against(all, name, 'BM25')];
      yield `| ${[name, mean(shares).toFixed(3), ...compared].join(' | ')} |`;
    }
  },
};
