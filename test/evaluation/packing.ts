import { createPipeline, type Pipeline } from 'assize';
import {
  candidatesFromMessages,
  checkMessages,
  MESSAGE_FORMATS,
  type MessageCandidate,
  type MessageFormat,
  messagesFromCandidates,
} from '../../src/agents.js';
import { random } from '../bench/random.js';
import type { Evaluation } from './evaluation.js';
import { randomConversation, requestIn } from './random-conversations.js';

/** What was found in packed conversations of one format. */
export interface PackingCounts {
  packed: number;
  /** Messages that were given, and that were selected. */
  given: number;
  selected: number;
  shortened: number;
  /** Groups of a call and its results of which only a part was selected. */
  split: number;
  /** Lists that `checkMessages` rejects. */
  rejected: number;
  /** Messages that had to be dropped so that the list is valid. */
  dropped: number;
  /** Lists above the budget, by the selection, and counted again from the list that is sent. */
  overBudget: number;
  overBudgetAgain: number;
  /** Choices that are optimal, and the largest gap of the others. */
  optimal: number;
  gap: number;
}

/** A message with shorter versions. */
type Versioned = MessageCandidate & {
  readonly variants?: readonly { readonly content: string; readonly tokens: number }[];
};

const FEWEST = 5;
const MOST = 400;

/** Packs random conversations in a format, at random budgets between the pinned messages and all of them. */
export async function packRandom(format: MessageFormat, conversations: number, seed = 1): Promise<PackingCounts> {
  const next = random(seed);
  const pipeline = await createPipeline<Versioned>('conversation');
  const counts: PackingCounts = {
    packed: 0,
    given: 0,
    selected: 0,
    shortened: 0,
    split: 0,
    rejected: 0,
    dropped: 0,
    overBudget: 0,
    overBudgetAgain: 0,
    optimal: 0,
    gap: 0,
  };
  for (let n = 0; n < conversations; n++) {
    // Small conversations are as frequent as large ones.
    const items = Math.round(FEWEST * (MOST / FEWEST) ** next());
    const request = requestIn(randomConversation(next, items), format);
    // oxlint-disable-next-line no-await-in-loop -- one after another
    await packOne(pipeline, request, format, next, counts);
  }
  return counts;
}

async function packOne(
  pipeline: Pipeline<Versioned>,
  request: object,
  format: MessageFormat,
  next: () => number,
  counts: PackingCounts,
): Promise<void> {
  const problems = checkMessages(request, { format });
  if (problems.length > 0) throw new Error(`the random conversation is invalid: ${problems[0]!.text}`);
  const { candidates, query = '', tokens } = candidatesFromMessages(request, { format });
  const versioned = candidates.map((one): Versioned => (next() < 0.2 ? { ...one, variants: versionsOf(one) } : one));
  const least = requiredTokens(candidates);
  const budget = Math.floor(least + next() * (tokens - least));
  const ranking = await pipeline.pack(versioned, budget, { query });
  const selected = new Set(ranking.selected.map(({ id }) => id));
  const list = messagesFromCandidates(ranking.selected, { format });
  const { optimal = true, gap = 0 } = ranking.budget?.optimality ?? {};
  counts.packed += 1;
  counts.given += candidates.length;
  counts.selected += selected.size;
  counts.shortened += list.changes.filter(({ kind }) => kind === 'shortened').length;
  counts.split += splitGroups(candidates, selected);
  counts.rejected += list.messages.length > 0 && checkMessages(list.request, { format }).length > 0 ? 1 : 0;
  counts.dropped += list.dropped.length;
  counts.overBudget += (ranking.budget?.used ?? 0) > budget ? 1 : 0;
  counts.overBudgetAgain += sentTokens(list.request, format) > budget ? 1 : 0;
  counts.optimal += optimal ? 1 : 0;
  counts.gap = Math.max(counts.gap, gap);
}

/** Shorter texts, for questions and results. In other messages, reasoning and calls stay, and cost more than the text. */
function versionsOf({ role, content, pinned }: MessageCandidate): NonNullable<Versioned['variants']> {
  if (pinned || (role !== 'tool' && role !== 'user')) return [];
  const text = `${content.slice(0, 30)}…`;
  return [{ content: text, tokens: textTokens(text) }];
}

/** The tokens of a message with this text. */
const textTokens = (content: string): number =>
  candidatesFromMessages([{ role: 'user', content }], { format: 'openai-chat' }).tokens;

/** The tokens of the pinned messages, with the calls and results that belong to them. */
function requiredTokens(candidates: readonly MessageCandidate[]): number {
  const groups = new Set(candidates.flatMap(({ pinned, group }) => (pinned && group !== undefined ? [group] : [])));
  const required = candidates.filter(({ pinned, group }) => pinned || (group !== undefined && groups.has(group)));
  return required.reduce((sum, { tokens }) => sum + tokens, 0);
}

function splitGroups(all: readonly MessageCandidate[], selected: ReadonlySet<string>): number {
  const groups = new Map<string, { size: number; kept: number }>();
  for (const { id, group } of all) {
    if (group === undefined) continue;
    const one = groups.get(group) ?? { size: 0, kept: 0 };
    groups.set(group, { size: one.size + 1, kept: one.kept + (selected.has(id) ? 1 : 0) });
  }
  return [...groups.values()].filter(({ size, kept }) => kept > 0 && kept < size).length;
}

/** The tokens of a list as it is sent. A candidate of Anthropic also pays for an opening, which is in the list already. */
function sentTokens(request: Readonly<Record<string, unknown>>, format: MessageFormat): number {
  const { candidates, tokens } = candidatesFromMessages(request, { format });
  if (format !== 'anthropic') return tokens;
  const lastUser = candidates.findLast(({ role, pinned }) => pinned && role === 'user');
  const first = candidates.find(({ field }) => field === undefined);
  return lastUser === undefined || lastUser === first
    ? tokens
    : tokens - textTokens('[Earlier messages were left out.]');
}

/** The median time to pack a conversation of a size to 40 %, in milliseconds. */
async function timeToPack(items: number, runs: number): Promise<{ readonly ms: number; readonly optimal: boolean }> {
  const pipeline = await createPipeline<MessageCandidate>('conversation');
  const request = requestIn(randomConversation(random(items), items), 'openai-chat');
  const { candidates, query = '', tokens } = candidatesFromMessages(request, { format: 'openai-chat' });
  const budget = Math.max(requiredTokens(candidates), Math.floor(0.4 * tokens));
  const times: number[] = [];
  let optimal = true;
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    // oxlint-disable-next-line no-await-in-loop -- one after another
    const ranking = await pipeline.pack(candidates, budget, { query });
    messagesFromCandidates(ranking.selected);
    times.push(performance.now() - start);
    optimal &&= ranking.budget?.optimality?.optimal ?? true;
  }
  return { ms: times.toSorted((a, b) => a - b)[Math.floor(runs / 2)]!, optimal };
}

const CONVERSATIONS = 1000;

/** Packs 1,000 random conversations in each format by the preset `conversation`. */
export const packing: Evaluation = {
  name: 'packing',
  async *run() {
    yield `${CONVERSATIONS} random conversations of ${FEWEST} to ${MOST} items in each format, at random budgets:\n`;
    yield '| format | messages kept | shortened | split groups | lists rejected | dropped | over budget | over, counted again | optimal | largest gap |';
    yield '|---|---|---|---|---|---|---|---|---|---|';
    for (const format of MESSAGE_FORMATS) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const { packed, given, selected, shortened, split, rejected, dropped, ...rest } = await packRandom(
        format,
        CONVERSATIONS,
      );
      const kept = `${selected} of ${given}`;
      const gap = `${(100 * rest.gap).toFixed(2)} %`;
      const cells = [kept, shortened, split, rejected, dropped, rest.overBudget, rest.overBudgetAgain];
      yield `| ${[format, ...cells, `${rest.optimal} of ${packed}`, gap].join(' | ')} |`;
    }
    for (const items of [200, 2000]) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const { ms, optimal } = await timeToPack(items, 15);
      yield `\n${items} items to 40 %: median ${ms.toFixed(1)} ms${optimal ? ', optimal' : ', not proved optimal'}`;
    }
  },
};
