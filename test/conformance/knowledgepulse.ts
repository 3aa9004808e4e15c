import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ReasoningTrace } from '../../plugins/knowledgepulse/evaluate-value.js';
import { createPipeline, type Pipeline, type ServiceBinding } from 'assize';
import type { Family } from './family.js';
import { readFloats, readRows } from './read.js';
import { noEmbedder, storedEmbeddings } from './stored-embeddings.js';
import { compare, type Expected, skip, sum, type Tally } from './tally.js';

const MODEL = 'Xenova/all-MiniLM-L6-v2';

/** The arithmetic alone: only the order of additions may differ. */
const EXACT = 1e-12;
/** Over float32 vectors. */
const STORED = 1e-6;
/** The same model on another processor: each score, and all on average. */
const LIVE = { each: 0.02, mean: 0.002 };

/** The number of traces for the model unless all are requested: some 20 seconds. */
const SAMPLE = 400;

/** Real traces with the scores from the SDK, one after another. */
export interface ScoredTraces {
  readonly traces: readonly ReasoningTrace[];
  readonly expected: readonly Expected[];
}

/** Traces with their score, each scored without an embedder. */
export async function vectors(file: string): Promise<Tally> {
  const rows = await readRows<{ trace: ReasoningTrace; score: number }>(file);
  const expected = rows.map(({ trace, score }) => ({ name: trace.id, score }));
  return compare(
    expected,
    await ranked(
      await preset(noEmbedder),
      rows.map(({ trace }) => trace),
    ),
    EXACT,
  );
}

/** Reads traces and their scores, which are in the same order. */
export async function scoredTraces(traceFile: string, scoreFile: string): Promise<ScoredTraces> {
  const traces = await readRows<ReasoningTrace>(traceFile);
  const scores = new Map(
    (await readRows<{ id: string; score: number }>(scoreFile)).map(({ id, score }) => [id, score]),
  );
  const expected = traces.map(({ id }) => ({ name: id, score: scores.get(id) ?? Number.NaN }));
  return { traces, expected };
}

/** The first traces: a score depends only on the traces before it. */
export const first = ({ traces, expected }: ScoredTraces, count: number): ScoredTraces => ({
  traces: traces.slice(0, count),
  expected: expected.slice(0, count),
});

/** The traces without an embedder. */
export const withoutEmbedder = async ({ traces, expected }: ScoredTraces): Promise<Tally> =>
  compare(expected, await ranked(await preset(noEmbedder), traces), EXACT);

/** The traces with the embeddings of the reference: as one batch, then with one call each. */
export async function withStoredEmbeddings(scored: ScoredTraces, embeddings: Float32Array): Promise<Tally> {
  const stored = storedEmbeddings(scored.traces.map(textOf), embeddings);
  const batch = compare(named(scored, 'one batch'), await ranked(await preset(stored), scored.traces), STORED);
  const calls = compare(named(scored, 'a call each'), await oneByOne(await preset(stored), scored.traces), STORED);
  return sum(batch, calls);
}

/** The traces with the model itself, from a folder of models. */
export async function withLiveModel(scored: ScoredTraces, folder: string): Promise<Tally> {
  const embedder = { name: 'transformers', model: MODEL, dtype: 'q8', folder };
  const pipeline = await createPipeline<ReasoningTrace>({
    extends: ['knowledgepulse'],
    tier2_scorers: [{ id: 'novelty', params: { embedder } }],
  });
  const expected = named(scored, 'live');
  const found = await ranked(pipeline, scored.traces);
  const distances = expected.map(({ score }, index) => Math.abs((found[index] ?? Number.NaN) - score));
  const mean = distances.reduce((total, distance) => total + distance, 0) / distances.length;
  return sum(
    compare(expected, found, LIVE.each),
    compare([{ name: 'mean distance (live)', score: 0 }], [mean], LIVE.mean),
  );
}

/** A separate pipeline: its memory matters. */
const preset = (...services: ServiceBinding[]): Promise<Pipeline<ReasoningTrace>> =>
  createPipeline<ReasoningTrace>('knowledgepulse', { services, codegen: true });

/** The scores of one run, by position. */
async function ranked(
  pipeline: Pipeline<ReasoningTrace>,
  traces: readonly ReasoningTrace[],
): Promise<(number | undefined)[]> {
  const found: (number | undefined)[] = traces.map(() => undefined);
  const ranking = await pipeline.rank(traces);
  for (const { index, score } of ranking.ranked) found[index] = score;
  return found;
}

/** The scores of as many runs as there are traces. */
async function oneByOne(
  pipeline: Pipeline<ReasoningTrace>,
  traces: readonly ReasoningTrace[],
): Promise<(number | undefined)[]> {
  const found: (number | undefined)[] = [];
  for (const trace of traces) {
    // oxlint-disable-next-line no-await-in-loop -- each call knows the traces of those before it
    const row = await pipeline.score(trace);
    found.push('score' in row ? row.score : undefined);
  }
  return found;
}

/** The text that the SDK embeds. */
const textOf = ({ task, steps }: ReasoningTrace): string =>
  `${task.objective} ${steps.map(({ content }) => content ?? '').join(' ')}`;

const named = ({ expected }: ScoredTraces, how: string): Expected[] =>
  expected.map(({ name, score }) => ({ name: `${name} (${how})`, score }));

const TRACES = 'data/traces/traces.jsonl';
const NO_EMBEDDER = 'data/traces/scores.no-embedder.jsonl';
const MINILM = 'data/traces/scores.minilm.jsonl';

/** The value of reasoning traces, as the KnowledgePulse SDK computes it. */
export const knowledgePulse: Family = {
  name: 'knowledgepulse',
  checks: [
    { file: 'vectors/knowledgepulse.jsonl', run: (folder) => vectors(join(folder, 'vectors/knowledgepulse.jsonl')) },
    {
      file: NO_EMBEDDER,
      run: async (folder) => withoutEmbedder(await scoredTraces(join(folder, TRACES), join(folder, NO_EMBEDDER))),
    },
    {
      file: MINILM,
      run: async (folder, { live }) => {
        const scored = await scoredTraces(join(folder, TRACES), join(folder, MINILM));
        const embeddings = await readFloats(join(folder, 'data/traces/embeddings.minilm.f32'));
        const stored = await withStoredEmbeddings(scored, embeddings);
        const models = join(folder, 'models');
        const cases = scored.expected.length + 1; // the mean is one
        if (!existsSync(join(models, MODEL))) return sum(stored, skip('live-model-folder', cases));
        if (live) return sum(stored, await withLiveModel(scored, models));
        const rest = scored.expected.length - SAMPLE;
        const sample = await withLiveModel(first(scored, SAMPLE), models);
        return rest > 0 ? sum(stored, sample, skip('live-model-rest', rest)) : sum(stored, sample);
      },
    },
  ],
};
