import { createPipeline, type Pipeline, type ProfileInput } from 'assize';
import { evaluateProfiles } from '@assize/evaluate';
import { against, meanOf } from './against.js';
import type { Evaluation } from './evaluation.js';
import { OFF_TOPIC } from './off-topic.js';
import { MEASURES } from './tool-search.js';
import { type Query, readQueries, readTools, type Tool } from './tools.js';

/** The floors of the table. */
const FLOORS = [0.2, 0.22, 0.24, 0.26, 0.3];
/** The part of real queries below a floor that is found on other queries. */
const LOST = 0.05;
const WORD_WEIGHTS = [0.3, 0.5, 0.6, 0.7];
/** Every tool passes. */
const NO_FLOOR = { floor: -2, words_floor: -2 };

type Measures = NonNullable<ProfileInput['measures']>;

function withModel(models: string | undefined): Measures {
  const embedder = { name: 'transformers', dtype: 'q8', ...(models !== undefined && { folder: models }) };
  return [{ id: 'meaning', params: { embedder } }];
}

const opened = (extended: string, measures: Measures, text?: string): Promise<Pipeline<Tool>> =>
  createPipeline<Tool>({
    extends: [extended],
    measures,
    tier2_scorers: [
      ...(text === undefined ? [] : [{ id: 'text', expr: text }]),
      // Read from the matrix: the numbers of the best tool.
      { id: 'cosine', expr: 'measures.meaning', weight: 0 },
      { id: 'share', expr: 'measures.words', weight: 0 },
    ],
  });

/** The greatest cosine, share and score over the tools. */
interface Best {
  readonly cosine: number;
  readonly share: number;
  readonly score: number;
}

async function bestOf(pipeline: Pipeline<Tool>, tools: readonly Tool[], query: string): Promise<Best> {
  const { matrix, ranked } = await pipeline.rank(tools, { query, ...NO_FLOOR });
  const most = (id: string): number => matrix.column(id).resolved.reduce((a, b) => Math.max(a, b), -1);
  return { cosine: most('cosine'), share: most('share'), score: ranked[0]?.score ?? -1 };
}

/** The probability that a real query has a greater number than an off-topic one; ties count half. */
function auc(real: readonly number[], off: readonly number[]): number {
  const wins = real.flatMap((a) => off.map((b): number => (a > b ? 1 : a === b ? 0.5 : 0)));
  return wins.reduce((sum, one) => sum + one, 0) / wins.length;
}

const share = (values: readonly number[], passes: (value: number) => boolean): string =>
  `${Math.round((100 * values.filter(passes).length) / values.length)} %`;

/** Each query by the floor that loses 5 % of the other real queries. */
function heldOut(real: readonly number[], off: readonly number[]): string {
  const floorOf = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(LOST * values.length)] ?? Number.NaN;
  const floors = real.map((_, k) => floorOf(real.filter((__, other) => other !== k)));
  const kept = real.filter((value, k) => value >= floors[k]!).length;
  const detected = floors.map((floor) => off.filter((value) => value < floor).length / off.length);
  const mean = detected.reduce((sum, one) => sum + one, 0) / detected.length;
  return (
    `Held out (each query by the floor of the other ${real.length - 1}, ${Math.min(...floors).toFixed(3)} to ` +
    `${Math.max(...floors).toFixed(3)}): ${kept} of ${real.length} real queries kept, ${(100 * mean).toFixed(0)} % detected.`
  );
}

async function orders(tools: readonly Tool[], queries: readonly Query[], model: Measures): Promise<readonly string[]> {
  const searchModel: Measures = model.map(({ id, params }) => ({ id, params: { scorer: { params } } }));
  const judged = queries.map(({ id, text, relevant }) => ({
    id,
    context: { query: text, ...NO_FLOOR },
    candidates: tools,
    grades: tools.map((tool) => (relevant.has(tool.id) ? 1 : 0)),
  }));
  const pipelines: Record<string, Pipeline<Tool>> = {
    'tool-search': await createPipeline<Tool>({ extends: ['tool-search'], measures: searchModel }),
    'tool-choice': await opened('tool-choice', model),
    'tool-choice, words alone': await createPipeline<Tool>({
      extends: ['tool-choice'],
      measures: [{ id: 'meaning', when: 'false' }],
    }),
  };
  // oxlint-disable-next-line no-await-in-loop -- a model is loaded once
  for (const w of WORD_WEIGHTS.filter((one) => one !== 0.5))
    pipelines[`words × ${w}`] = await opened(
      'tool-choice',
      model,
      `measures.words * ${w} + measures.meaning * ${(1 - w).toFixed(1)}`,
    );
  const measured = await evaluateProfiles(pipelines, judged, { measures: MEASURES });
  return [
    '| by | nDCG@10 | recall@5 | MRR | against tool-search, by nDCG |',
    '|---|---|---|---|---|',
    ...Object.keys(pipelines).map((name) => {
      const means = MEASURES.map((one) => meanOf(measured, name, one));
      return `| ${[name, ...means, against(measured, name, 'tool-search')].join(' | ')} |`;
    }),
  ];
}

/** Which tools fit a query, and whether any does, by the preset tool-choice. */
export const toolChoice: Evaluation = {
  name: 'tool-choice',
  async *run({ models }) {
    const [tools, queries] = await Promise.all([readTools(), readQueries()]);
    const model = withModel(models);
    yield `${tools.length} tools, ${queries.length} queries, ${OFF_TOPIC.length} off-topic ones.\n`;
    yield* await orders(tools, queries, model);
    const pipeline = await opened('tool-choice', model);
    const best = async (texts: readonly string[]): Promise<readonly Best[]> => {
      const all: Best[] = [];
      // oxlint-disable-next-line no-await-in-loop -- one after another: a language model uses all processors
      for (const text of texts) all.push(await bestOf(pipeline, tools, text));
      return all;
    };
    const [real, off] = [await best(queries.map(({ text }) => text)), await best(OFF_TOPIC)];
    yield '\n| of the best tool | AUC, real against off-topic |\n|---|---|';
    for (const key of ['cosine', 'share', 'score'] as const) {
      const [a, b] = [real, off].map((all) => all.map((one) => one[key]));
      yield `| ${key} | ${auc(a ?? [], b ?? []).toFixed(2)} |`;
    }
    const [cosines, others] = [real.map(({ cosine }) => cosine), off.map(({ cosine }) => cosine)];
    yield '\n| floor | real queries with a tool that fits | off-topic ones without |\n|---|---|---|';
    for (const floor of FLOORS)
      yield `| ${floor} | ${share(cosines, (value) => value >= floor)} | ${share(others, (value) => value < floor)} |`;
    yield `\n${heldOut(cosines, others)}`;
    const words = (all: readonly Best[]): string =>
      share(
        all.map((one) => one.share),
        (value) => value > 0,
      );
    yield `Without a model: a tool has a word of ${words(real)} of the real queries, and of ${words(off)} of the others.`;
  },
};
