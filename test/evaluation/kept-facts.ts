import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createPipeline, type Pipeline, type ProfileInput, type Ranking } from 'assize';
import { candidatesFromMessages, type MessageCandidate, messagesFromCandidates } from '../../src/agents.js';
import { packageRoot } from '../../src/base/package-root.js';
import { readRows } from '../conformance/read.js';
import { questionsThere } from './context-ranking.js';
import type { Evaluation } from './evaluation.js';

/** The share of what may be packed. */
const SHARE = 0.4;

/** An item that may be packed, as every method sees it. */
interface Item extends Record<string, unknown> {
  readonly id: string;
  readonly content: string;
  readonly tokens: number;
  readonly pinned: boolean;
  readonly group?: string;
}

/** Items, and the facts that the next answer needs. No method sees them. */
export interface FactCase {
  /** The conversation or question, which counts once however many cases it has. */
  readonly source: string;
  readonly query: string;
  readonly items: readonly Item[];
  readonly facts: readonly string[];
  /** The facts that are in what is sent of the selected items. */
  kept(selected: readonly Item[]): number;
}

/** What a method kept. */
export interface KeptFacts {
  readonly name: string;
  /** The mean over the sources of the share of facts that were kept. */
  readonly recall: number;
  /** Selected items that could not be sent, because their call or result is missing. */
  readonly dropped: number;
}

interface Method {
  readonly name: string;
  readonly needsModel?: true;
  /** The items that it selects. */
  open(models: string | undefined): Promise<(one: FactCase, budget: number) => Promise<readonly Item[]>>;
}

type Entries = NonNullable<ProfileInput['tier2_scorers']>;

/** A profile with one score, which packs as `conversation` does. */
const scoredBy = (entries: Entries): ProfileInput => ({
  plugins: ['cupel'],
  candidate: { pinned: 'candidate.pinned' },
  tier2_scorers: entries,
  select: {
    pack: {
      cost: 'candidate.tokens',
      budget: 1,
      keep_together: 'candidate.?group',
      order: 'input',
      class: 'GroupPack',
    },
  },
});

const BM25: Entries = [
  {
    id: 'words',
    class: 'ScaledScorer',
    params: { scorer: { class: 'BM25Scorer', params: { fields: 'content', query: 'query', plurals: 'english' } } },
  },
];

const meaning = (models: string | undefined): Entries => {
  const embedder = { name: 'transformers', dtype: 'q8', ...(models !== undefined && { folder: models }) };
  const scorer = { class: 'SemanticSimilarityScorer', params: { text: 'content', embedder } };
  return [{ id: 'meaning', class: 'ScaledScorer', params: { scorer } }];
};

const selectedOf = ({ selected }: Ranking<Item>): readonly Item[] => selected.map(({ candidate }) => candidate);

const packedBy = async (profile: ProfileInput | string): Promise<Awaited<ReturnType<Method['open']>>> => {
  const pipeline: Pipeline<Item> = await createPipeline<Item>(profile);
  return async ({ items, query }, budget) => selectedOf(await pipeline.pack(items, budget, { query }));
};

/** The newest items that fit, whole groups, up to the first that does not fit: what a sliding window keeps. */
function newestThatFit({ items }: FactCase, budget: number): readonly Item[] {
  const chosen = new Set(items.filter(({ pinned }) => pinned));
  let room = budget - tokensOf([...chosen]);
  for (const item of items.toReversed()) {
    if (chosen.has(item)) continue;
    const unit = items.filter((one) => !one.pinned && (one === item || (item.group && one.group === item.group)));
    room -= tokensOf(unit);
    if (room < 0) break;
    for (const one of unit) chosen.add(one);
  }
  return items.filter((item) => chosen.has(item));
}

/** The methods, from those that ignore the query. */
export const METHODS: readonly Method[] = [
  { name: 'newest that fit', open: async () => async (one, budget) => newestThatFit(one, budget) },
  { name: 'chat', open: () => packedBy('chat') },
  {
    name: 'rag, with BM25 as its search',
    async open() {
      const [search, rag] = [await createPipeline<Item>(scoredBy(BM25)), await createPipeline<Item>('rag')];
      return async ({ items, query }, budget) => {
        const { ranked } = await search.rank(items, { query }, { budget: tokensOf(items) });
        const hints = new Map(ranked.map(({ index, score }) => [index, score]));
        const hinted = items.map((item, at) => ({ ...item, future_relevance_hint: hints.get(at) ?? 0 }));
        return selectedOf(await rag.pack(hinted, budget, {}));
      };
    },
  },
  { name: 'BM25', open: () => packedBy(scoredBy(BM25)) },
  { name: 'MiniLM', needsModel: true, open: (models) => packedBy(scoredBy(meaning(models))) },
  { name: 'conversation', open: () => packedBy('conversation') },
];

const tokensOf = (items: readonly Item[]): number => items.reduce((sum, { tokens }) => sum + tokens, 0);

/** The recall of a method: the mean over sources of the mean over their cases. */
export async function recallOf(
  method: Method,
  cases: readonly FactCase[],
  models: string | undefined,
): Promise<KeptFacts> {
  const select = await method.open(models);
  const shares = new Map<string, number[]>();
  let dropped = 0;
  for (const one of cases) {
    const pinned = tokensOf(required(one.items));
    const budget = Math.floor(pinned + SHARE * (tokensOf(one.items) - pinned));
    // oxlint-disable-next-line no-await-in-loop -- a language model uses all processors
    const selected = await select(one, budget);
    if (tokensOf(selected) > budget) throw new Error(`${method.name} exceeded the budget`);
    const of = shares.get(one.source) ?? [];
    shares.set(one.source, [...of, one.kept(selected) / one.facts.length]);
    if (selected.some(({ message }) => message !== undefined))
      dropped += messagesFromCandidates(selected).dropped.length;
  }
  return { name: method.name, recall: mean([...shares.values()].map(mean)), dropped };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The pinned items, with what belongs to them. */
function required(items: readonly Item[]): readonly Item[] {
  const groups = new Set(items.flatMap(({ pinned, group }) => (pinned && group !== undefined ? [group] : [])));
  return items.filter(({ pinned, group }) => pinned || (group !== undefined && groups.has(group)));
}

/** The questions of HotpotQA: the facts are the two paragraphs that the answer needs, of ten in random order. */
export async function questionCases(): Promise<readonly FactCase[]> {
  const questions = await questionsThere();
  return questions.map(({ query, paragraphs, needed }, n) => ({
    source: String(n),
    query,
    items: paragraphs.map(({ title, text, characters }, at) => ({
      id: title,
      content: `${title} ${text}`,
      tokens: characters,
      pinned: false,
      timestamp: minute(at),
    })),
    facts: [...needed],
    kept: (selected) => selected.filter(({ id }) => needed.has(id)).length,
  }));
}

const minute = (at: number): string => new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString();

/** A message of OpenAI chat. */
interface Message {
  readonly role: string;
  readonly content?: string | null;
  readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[] | null;
}

interface Conversation {
  readonly id: string;
  readonly messages: readonly Message[];
}

const CONVERSATIONS = 'test/fixtures/conversations/airline.jsonl';

/** The conversations that come with the tests: three. */
export const conversationsThere = (): Promise<readonly Conversation[]> =>
  readRows<Conversation>(join(packageRoot(), CONVERSATIONS));

/** All conversations beside the package, or those that come with it. */
async function allConversations(): Promise<readonly Conversation[]> {
  const shared = process.env['ASSIZE_SHARED'] ?? join(packageRoot(), '..', 'shared');
  const file = join(shared, 'data', 'conversations', 'tau-bench-airline', 'conversations.jsonl');
  return existsSync(file) ? readRows<Conversation>(file) : conversationsThere();
}

/** The fewest messages before a call, so that there is something to leave out. */
const FEWEST_MESSAGES = 10;

/**
 * A case for each call of a tool: the messages before it are packed. The facts are the ids, dates and amounts in the
 * arguments of that call which are in these messages, but not in the pinned ones. No person chose them: they are what the
 * agent used next.
 */
export function callCases(conversations: readonly Conversation[]): readonly FactCase[] {
  return conversations.flatMap(({ id, messages }) =>
    messages.flatMap((message, at): readonly FactCase[] => {
      const calls = message.tool_calls ?? [];
      if (at < FEWEST_MESSAGES || calls.length === 0) return [];
      const { candidates, query = '' } = candidatesFromMessages(messages.slice(0, at), { format: 'openai-chat' });
      const items: readonly Item[] = candidates.map((one) => ({ ...one, timestamp: minute(one.index) }));
      const text = textOf(candidates.filter(({ pinned }) => !pinned));
      const pinned = textOf(candidates.filter((one) => one.pinned));
      const values = new Set(calls.flatMap((call) => valuesOf(JSON.parse(call.function.arguments))));
      const facts = [...values].filter((value) => text.includes(value) && !pinned.includes(value));
      if (facts.length === 0) return [];
      const kept = (selected: readonly Item[]): number => {
        const sent = new Set<unknown>(messagesFromCandidates(selected, { format: 'openai-chat' }).messages);
        const seen = textOf(candidates.filter((one) => sent.has(one.message)));
        return facts.filter((fact) => seen.includes(fact)).length;
      };
      return [{ source: id, query, items, facts, kept }];
    }),
  );
}

const textOf = (candidates: readonly MessageCandidate[]): string => candidates.map(({ content }) => content).join('\n');

/** The texts with a digit, and the numbers, of a call. Short ones are found everywhere. */
function valuesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length >= 4 && value.length <= 40 && /\d/.test(value) ? [value] : [];
  if (typeof value === 'number') return valuesOf(String(value));
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesOf) : [];
}

/** Which facts are kept at 40 % of the tokens. */
export const keptFacts: Evaluation = {
  name: 'kept-facts',
  async *run({ models }) {
    const conversations = await allConversations();
    const [questions, calls] = [await questionCases(), callCases(conversations)];
    const facts = calls.reduce((sum, one) => sum + one.facts.length, 0);
    yield `${questions.length} questions; ${calls.length} calls with ${facts} facts in ${new Set(calls.map(({ source }) => source)).size} conversations:\n`;
    yield '| method | HotpotQA | conversations | messages dropped |';
    yield '|---|---|---|---|';
    for (const method of METHODS) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const [asked, called] = [await recallOf(method, questions, models), await recallOf(method, calls, models)];
      yield `| ${method.name} | ${asked.recall.toFixed(3)} | ${called.recall.toFixed(3)} | ${called.dropped} |`;
    }
  },
};
