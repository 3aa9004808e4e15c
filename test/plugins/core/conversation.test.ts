import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly id: string }[] | null;
  readonly tool_call_id?: string;
}

/** A message as a codec makes it. */
interface Turn {
  readonly id: string;
  readonly index: number;
  readonly role: string;
  readonly content: string;
  readonly tokens: number;
  readonly group?: string;
  readonly pinned: boolean;
  readonly message: Message;
}

const file = new URL('../../fixtures/conversations/airline.jsonl', import.meta.url);
const conversations = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { readonly id: string; readonly messages: readonly Message[] });

function turnsOf(messages: readonly Message[]): readonly Turn[] {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const groupOf = new Map<string, string>();
  return messages.map((message, index): Turn => {
    const { role, tool_calls: calls, tool_call_id: answered } = message;
    const own = calls && calls.length > 0 ? `turn-${index}` : undefined;
    for (const { id } of calls ?? []) groupOf.set(id, own!);
    const group = own ?? (answered === undefined ? undefined : groupOf.get(answered));
    const content = message.content ?? '';
    return {
      id: `m${index}`,
      index,
      role,
      content,
      tokens: Math.ceil(JSON.stringify(message).length / 4),
      ...(group !== undefined && { group }),
      pinned: role === 'system' || index === lastUser,
      message,
    };
  });
}

const costOf = (turns: readonly Turn[]): number => turns.reduce((sum, { tokens }) => sum + tokens, 0);

/** What OpenAI's API rejects: a tool message without its call, and a call without its result. */
function splitGroups(all: readonly Turn[], kept: readonly Turn[]): readonly string[] {
  const groups = new Set(all.flatMap(({ group }) => (group === undefined ? [] : [group])));
  return [...groups].filter((group) => {
    const inside = kept.filter((turn) => turn.group === group).length;
    return inside > 0 && inside < all.filter((turn) => turn.group === group).length;
  });
}

describe.each(conversations)('the preset conversation packs $id', ({ messages }) => {
  const turns = turnsOf(messages);
  const query = turns.findLast(({ role }) => role === 'user')!.content;

  test.each([0.4, 0.5, 0.6, 0.9])('to %d of its tokens, without a split tool call', async (part) => {
    const pipeline = await createPipeline<Turn>('conversation');
    const pinned = costOf(turns.filter((turn) => turn.pinned));
    const budget = Math.max(pinned, Math.floor(part * costOf(turns)));
    const { selected, budget: use } = await pipeline.pack(turns, budget, { query });
    const kept = selected.map(({ candidate }) => candidate);
    expect(splitGroups(turns, kept)).toEqual([]);
    expect(costOf(kept)).toBeLessThanOrEqual(budget);
    expect(use!.optimality).toMatchObject({ gap: expect.any(Number) });
    expect(kept[0]!.role).toBe('system');
    expect(kept.map(({ index }) => index)).toEqual(kept.map(({ index }) => index).toSorted((a, b) => a - b));
    expect(kept).toEqual(expect.arrayContaining(turns.filter((turn) => turn.pinned)));
  });

  test('prefers recent messages if nothing matches', async () => {
    const pipeline = await createPipeline<Turn>('conversation');
    const { ranked } = await pipeline.rank(turns, {}, { budget: costOf(turns) });
    const indexes = ranked.map(({ index }) => index);
    expect(indexes).toEqual(indexes.toSorted((a, b) => b - a));
  });
});

describe('the preset conversation', () => {
  test('puts a late system message first, and takes a shorter version where the whole does not fit', async () => {
    const pipeline = await createPipeline<object>('conversation');
    const { selected, warnings } = await pipeline.pack(
      [
        { id: 'a', role: 'user', content: 'one', tokens: 10 },
        { id: 'b', role: 'assistant', content: 'long', tokens: 90, variants: [{ content: 'short', tokens: 20 }] },
        { id: 's', role: 'system', content: 'rules', tokens: 10, pinned: true },
      ],
      40,
    );
    expect(selected.map(({ id, cost }) => [id, cost])).toEqual([
      ['s', 10],
      ['a', 10],
      ['b', 20],
    ]);
    expect(selected.at(-1)!.variant).toEqual({ at: 0, value: { content: 'short', tokens: 20 } });
    expect(warnings).toEqual([]);
  });

  test('keeps what a pinned message needs, and says so', async () => {
    const pipeline = await createPipeline<object>('conversation');
    const { selected, budget } = await pipeline.pack(
      [
        { id: 'call', role: 'assistant', content: '', tokens: 10, group: 1 },
        { id: 'result', role: 'tool', content: 'x', tokens: 30, group: 1, pinned: true },
        { id: 'late', role: 'user', content: 'y', tokens: 10 },
      ],
      45,
    );
    expect(selected.map(({ id, note }) => [id, note?.text])).toEqual([
      ['call', 'a pinned candidate needs it'],
      ['result', undefined],
    ]);
    expect(budget).toMatchObject({ pinned: 40, used: 40, room: 5 });
  });
});
