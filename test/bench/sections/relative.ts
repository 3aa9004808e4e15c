import { createPipeline } from 'assize';
import * as naive from '../../plugins/cupel/naive.js';
import { count, grown, listsOf, passOver } from '../growth/grown.js';
import { measure, type Subject } from '../measure.js';
import { random } from '../random.js';
import type { Effort, Section } from '../section.js';

const SIZES = [1000, 10_000, 100_000] as const;
/** Enough candidates for the definitions, which take N² or more. */
const BEARABLE = 100;

const KINDS = ['SystemPrompt', 'Memory', 'ToolOutput', 'Document', 'Message'] as const;
const KIND_WEIGHTS = { SystemPrompt: 1, Memory: 0.8, ToolOutput: 0.6, Document: 0.4, Message: 0.2 };
const TAG_WEIGHTS = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`tag${n}`, n + 1]));

/** Context items: 5 % undated, 20 % without priority, 0 to 4 tags of 200. */
function itemsOf(size: number): readonly naive.Item[] {
  const next = random(42);
  const list = Array.from({ length: size }, () => ({
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

const scaled = (scorer: Use): Use => ({ class: 'ScaledScorer', params: { scorer } });
const recency: Use = { class: 'RecencyScorer' };
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

const SCORERS: readonly (readonly [name: string, use: Use, definition: naive.Naive])[] = [
  ['recency', recency, naive.recency],
  ['priority', { class: 'PriorityScorer' }, naive.priority],
  ['frequency', { class: 'FrequencyScorer' }, naive.frequency],
  ['scaled(recency)', scaled(recency), naive.scaled(naive.recency)],
  ['composite(recency, kind, tag)', blend, naiveBlend],
];

async function rankerOf(use: Use): Promise<(list: readonly naive.Item[]) => Promise<Float64Array>> {
  const pipeline = await createPipeline<naive.Item>({ plugins: ['cupel'], tier2_scorers: [{ id: 'scorer', ...use }] });
  return async (list) => (await pipeline.rank(list, { now: 0 })).matrix.totals;
}

const byDefinition = (definition: naive.Naive, list: readonly naive.Item[]): readonly number[] =>
  list.map((item) => definition(item, list));

function checkEqual(name: string, found: Float64Array, expected: readonly number[]): void {
  const wrong = expected.findIndex((score, row) => !(Math.abs(score - (found[row] ?? Number.NaN)) <= 1e-12));
  if (wrong >= 0) throw new Error(`${name} scores ${found[wrong]}, and by definition ${wrong} has ${expected[wrong]}`);
}

/** Sorting is N log N: growth beyond that must be at most linear. */
const GOAL = { atMost: 1.05 };

export const relative: Section = {
  name: 'relative',
  title: 'Scorers that compare each candidate with all others',
  about: `Scorers of Cupel, whose definitions compare every pair: N², and N³ for a scaled one. Ours sort or count once, with the
same numbers. A pass ranks 100,000 items; the power is that of the time divided by log N.`,
  async *run(effort: Effort) {
    const all = itemsOf(effort.of(100_000));
    const few = itemsOf(effort.of(BEARABLE));
    const sizes = SIZES.map((size) => effort.of(size));
    for (const [name, use, definition] of SCORERS) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const rank = await rankerOf(use);
      // oxlint-disable-next-line no-await-in-loop -- see above
      checkEqual(name, await rank(few), byDefinition(definition, few));
      const subjects = sizes.map((size): Subject => {
        const lists = listsOf(all, size);
        return { name: `${count(size)} candidates`, per: all.length, pass: () => passOver(lists, rank) };
      });
      const pair = [
        { name: 'Assize', per: few.length, pass: () => rank(few) },
        { name: 'its definition', per: few.length, pass: () => byDefinition(definition, few) },
      ];
      // oxlint-disable-next-line no-await-in-loop -- see above
      const beside = await measure(pair, effort);
      yield { ...beside.result(name, 'its definition', 'candidate', 'Assize'), note: `of ${few.length}` };
      // oxlint-disable-next-line no-await-in-loop -- see above
      const times = await measure(subjects, { ...effort, rounds: Math.ceil(effort.rounds / 2) });
      for (const subject of subjects) yield times.result(name, subject.name, 'candidate');
      const rounds = times.byRound(subjects.map((subject) => subject.name));
      const beyond = rounds.map((nanos) => nanos.map((one, k) => (one * sizes[k]!) / Math.log(sizes[k]!)));
      yield { ...grown(name, 'growth', sizes, beyond), goal: GOAL };
    }
  },
};
