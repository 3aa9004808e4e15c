import { createPipeline } from '../../src/index.js';
import * as naive from '../plugins/cupel/naive.js';
import { random } from './pair.js';

const SIZES = [100, 1000, 10_000, 50_000, 200_000] as const;
/** Below this, what a run costs anyway hides how a scorer grows. */
const GROWING = 1000;

const KINDS = ['SystemPrompt', 'Memory', 'ToolOutput', 'Document', 'Message'] as const;
const KIND_WEIGHTS = { SystemPrompt: 1, Memory: 0.8, ToolOutput: 0.6, Document: 0.4, Message: 0.2 };
const TAG_WEIGHTS = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`tag${n}`, n + 1]));

/** Context items: 5 % undated, 20 % without priority, 0 to 4 tags of 200. Parsed, as items from a file are. */
function items(count: number): readonly naive.Item[] {
  const next = random(42);
  const list = Array.from({ length: count }, () => ({
    kind: KINDS[Math.floor(next() * KINDS.length)] ?? 'Message',
    future_relevance_hint: next(),
    tags: Array.from({ length: Math.floor(next() * 5) }, () => `tag${Math.floor(next() * 200)}`),
    ...(next() >= 0.05 && { timestamp: 1_700_000_000_000 - Math.floor(next() * 1e10) }),
    ...(next() >= 0.2 && { priority: Math.floor(next() * 1000) }),
  }));
  return JSON.parse(JSON.stringify(list)) as readonly naive.Item[];
}

interface Use {
  readonly class: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

interface Subject {
  readonly name: string;
  readonly use: Use;
  readonly definition: naive.Naive;
  /** The most items for which the definition takes less than some seconds. */
  readonly bearable: number;
}

const recency: Use = { class: 'RecencyScorer' };
const scaled = (scorer: Use): Use => ({ class: 'ScaledScorer', params: { scorer } });
const blend: Use = {
  class: 'CompositeScorer',
  params: {
    scorers: [
      { class: 'RecencyScorer', weight: 0.5 },
      { class: 'KindScorer', weight: 0.2 },
      { class: 'TagScorer', weight: 0.3, params: { weights: TAG_WEIGHTS } },
    ],
  },
};
const naiveBlend = naive.composite([
  [naive.recency, 0.5],
  [naive.kind(KIND_WEIGHTS), 0.2],
  [naive.tag(TAG_WEIGHTS), 0.3],
]);

const SUBJECTS: readonly Subject[] = [
  { name: 'recency', use: recency, definition: naive.recency, bearable: 1000 },
  { name: 'priority', use: { class: 'PriorityScorer' }, definition: naive.priority, bearable: 1000 },
  { name: 'frequency', use: { class: 'FrequencyScorer' }, definition: naive.frequency, bearable: 1000 },
  {
    name: 'scaled(reflexive)',
    use: scaled({ class: 'ReflexiveScorer' }),
    definition: naive.scaled(naive.reflexive),
    bearable: 1000,
  },
  { name: 'scaled(recency)', use: scaled(recency), definition: naive.scaled(naive.recency), bearable: 100 },
  {
    name: 'scaled(scaled(recency))',
    use: scaled(scaled(recency)),
    definition: naive.scaled(naive.scaled(naive.recency)),
    bearable: 0,
  },
  { name: 'composite(recency, kind, tag)', use: blend, definition: naiveBlend, bearable: 1000 },
];

/** Milliseconds a call: the median of some rounds, after some that warm up. */
async function millisOf(work: () => unknown, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = -rounds; round < rounds; round++) {
    const start = performance.now();
    // oxlint-disable-next-line no-await-in-loop -- one after another is what is measured
    await work();
    if (round >= 0) times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

/** The slope of the logarithms: 1 is linear, 2 is quadratic. */
function exponent(sizes: readonly number[], millis: readonly number[]): number {
  const [x, y] = [sizes.map(Math.log), millis.map(Math.log)];
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const above = x.reduce((sum, value, k) => sum + (value - mx) * ((y[k] ?? my) - my), 0);
  return above / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}

/** A whole run of a profile with one scorer that sees the batch, and how it grows; the definition beside it. */
export async function* benchCupel(): AsyncGenerator<string> {
  const lists = SIZES.map(items);
  const growing = SIZES.filter((size) => size >= GROWING);
  for (const { name, use, definition, bearable } of SUBJECTS) {
    const pipeline = await createPipeline<naive.Item>({
      plugins: ['cupel'],
      tier2_scorers: [{ id: 'scorer', ...use }],
    });
    const ours: number[] = [];
    const cells: string[] = [];
    for (const list of lists) {
      const millis = await millisOf(() => pipeline.rank(list, { now: 0 }), list.length > 50_000 ? 5 : 15);
      const byHand =
        list.length > bearable
          ? ''
          : `, naive ${(await millisOf(() => list.map((i) => definition(i, list)), 1)).toFixed(1)}`;
      ours.push(millis);
      cells.push(`${list.length}: ${millis.toFixed(2)} ms${byHand}`);
    }
    const slope = exponent(growing, ours.slice(-growing.length));
    yield `${name.padEnd(30)} ${cells.join('; ')}; grows with N^${slope.toFixed(2)}`;
  }
}
