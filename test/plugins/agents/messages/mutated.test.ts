import { describe, expect, test } from 'vitest';
import {
  candidatesFromMessages,
  checkMessages,
  detectMessageFormat,
  MESSAGE_FORMATS,
  type MessageCandidate,
  type MessageFormat,
  messagesFromCandidates,
} from '../../../../src/agents.js';
import { Random } from '../../../fuzz/random.js';
import { listOf, RECORDED, recorded } from './conversations.js';

const isFuzzing = process.env['FUZZ'] === '1';
const COUNT = Number(process.env['FUZZ_COUNT'] ?? (isFuzzing ? 10_000 : 300));
const SEED = Number(process.env['FUZZ_SEED'] ?? (isFuzzing ? Math.floor(Math.random() * 2 ** 31) : 1));

const HOSTILE: readonly unknown[] = [
  undefined,
  null,
  '',
  ' ',
  'x',
  0,
  -1,
  Number.POSITIVE_INFINITY,
  { toString: 1, valueOf: 1 },
  true,
  [],
  {},
  [[[[]]]],
  [null],
  [7],
  'call_1',
  'user',
  'assistant',
  'tool',
  'system',
  'text',
  'tool_use',
  'tool_result',
  'tool-call',
  'function_call',
  'reasoning',
  'constructor',
  'hasOwnProperty',
  '__proto__',
  JSON.parse('{"__proto__":{"role":"user","content":"x"}}'),
  { type: 'text', text: 'x' },
  [{ type: 'text', text: 'x' }],
];

type Container = Record<string, unknown> | unknown[];

/** All objects and lists in a value. */
function containersIn(value: unknown, found: Container[] = []): Container[] {
  if (typeof value !== 'object' || value === null) return found;
  found.push(value as Container);
  for (const item of Object.values(value)) containersIn(item, found);
  return found;
}

function set(container: Container, key: string | number, value: unknown): void {
  Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Deletes, repeats, moves and replaces messages, and values in them. */
function mutate(list: readonly unknown[], random: Random): unknown[] {
  const mutated = structuredClone([...list]);
  for (let times = 1 + random.below(6); times > 0 && mutated.length > 0; times--) {
    const at = random.below(mutated.length);
    const kind = random.below(7);
    if (kind === 0) mutated.splice(at, 1);
    else if (kind === 1) mutated.splice(at, 0, structuredClone(mutated[random.below(mutated.length)]));
    else if (kind === 2) mutated.push(...mutated.splice(at, 1));
    else if (kind === 3) mutated.length = at + 1;
    else if (kind === 4) mutated[at] = structuredClone(random.pick(HOSTILE));
    else {
      const container = random.pick(containersIn(mutated[at]).length > 0 ? containersIn(mutated[at]) : [mutated]);
      const key = random.chance(0.9)
        ? random.pick([...Object.keys(container), 'content'])
        : random.pick(['role', 'type', 'id', '__proto__']);
      if (random.chance(0.2) && !Array.isArray(container)) delete container[key];
      else if (!Array.isArray(container)) set(container, key, structuredClone(random.pick(HOSTILE)));
      else if (container.length > 0) container[random.below(container.length)] = structuredClone(random.pick(HOSTILE));
    }
  }
  return mutated;
}

/** A random selection in which groups are whole. */
function select(candidates: readonly MessageCandidate[], random: Random): readonly MessageCandidate[] {
  const share = random.next();
  const kept = new Map<string, boolean>();
  return candidates.filter(({ id, group, pinned }) => {
    const name = group ?? id;
    if (!kept.has(name)) kept.set(name, pinned || random.chance(share));
    return kept.get(name);
  });
}

/** Checks one list. @returns whether the provider accepts it */
function checkList(list: readonly unknown[], format: MessageFormat, random: Random): boolean {
  const before = JSON.stringify(list);
  detectMessageFormat(list);
  const { candidates, unmapped, tokens } = candidatesFromMessages(list, { format });
  // Every entry is a candidate, or named.
  const without = unmapped.filter(({ kept }) => !kept).map(({ index }) => index);
  expect([...candidates.map(({ index }) => index), ...without].toSorted((a = 0, b = 0) => a - b)).toEqual([
    ...list.keys(),
  ]);
  for (const { message, index } of candidates) expect(message).toBe(list[index]);
  expect(new Set(candidates.map(({ id }) => id)).size).toBe(candidates.length);
  expect(candidates.every((one) => one.tokens > 0 && Number.isFinite(one.tokens))).toBe(true);
  expect(tokens).toBe(candidates.reduce((sum, one) => sum + one.tokens, 0));
  const isValid = checkMessages(list, { format }).length === 0;
  for (const selected of [candidates, select(candidates, random), select(candidates, random)]) {
    const { messages, dropped, changes } = messagesFromCandidates(selected, { format });
    const countOf = (kind: string): number => changes.filter((change) => change.kind === kind).length;
    expect(messages.length - countOf('opened') + countOf('joined') + dropped.length).toBe(selected.length);
    if (messages.length > 0) expect(checkMessages(messages, { format })).toEqual([]);
    if (isValid) expect(dropped).toEqual([]);
  }
  expect(JSON.stringify(list)).toBe(before);
  return isValid;
}

describe.each(RECORDED)(`mutated messages of %s (seeds from ${SEED})`, (file, format) => {
  const lists = [...recorded(file).values()].map(listOf);

  test('crash nothing, are never lost silently, and are valid once packed', () => {
    const share = Math.ceil(COUNT / RECORDED.length);
    let valid = 0;
    for (let seed = SEED; seed < SEED + share; seed++) {
      const random = new Random(seed);
      const list = mutate(random.pick(lists), random);
      try {
        if (checkList(list, format, random)) valid++;
      } catch (error) {
        throw new Error(`FUZZ_SEED=${seed} FUZZ_COUNT=1: ${JSON.stringify(list).slice(0, 3000)}`, { cause: error });
      }
    }
    if (COUNT > 100) expect(valid).toBeGreaterThan(0);
    expect(valid).toBeLessThanOrEqual(share);
    // Of lists that nothing has changed, every whole group can be left out.
    for (const [seed, list] of lists.entries()) expect(checkList(list, format, new Random(seed))).toBe(true);
  });
});

describe('hostile messages', () => {
  const LONG = 'x'.repeat(10_000_000);
  const deep = (depth: number): unknown => {
    let value: unknown = 'x';
    for (let at = 0; at < depth; at++) value = [value];
    return value;
  };
  const circle: { role: string; content: unknown[] } = { role: 'user', content: [] };
  circle.content.push(circle);
  const prototypes = JSON.parse('{"__proto__":{"role":"user","content":"x"},"constructor":{"name":"y"}}') as object;

  test.each(MESSAGE_FORMATS)('%s', (format) => {
    const list = [
      { role: 'user', content: LONG },
      { role: 'user', content: 12 },
      { role: 'user', content: deep(20_000) },
      { role: 'user', content: [deep(50), { type: 'text', text: deep(50) }] },
      { role: 'assistant', content: [prototypes, { type: '__proto__' }, { type: 'constructor' }] },
      { role: '__proto__', content: 'x' },
      prototypes,
      circle,
      { role: 'user', content: [{ type: 'text', text: 'big', size: 12n }], size: 12n },
      { role: 'user', content: 'last' },
    ];
    const { candidates, unmapped } = candidatesFromMessages(list, { format });
    expect(candidates.length + unmapped.filter(({ kept }) => !kept).length).toBe(list.length);
    expect(candidates[0]?.tokens).toBeGreaterThan(3_000_000);
    const { messages, dropped, changes } = messagesFromCandidates(candidates);
    expect(checkMessages(messages, { format })).toEqual([]);
    const joined = changes.filter(({ kind }) => kind === 'joined').length;
    expect(messages.length + joined + dropped.length).toBe(candidates.length);
    expect(candidates.at(-1)).toMatchObject({ content: 'last', pinned: true });
    expect(({} as Record<string, unknown>)['role']).toBeUndefined();
  });

  test('an inherited key is not a key', () => {
    const inherited: object = Object.create({ role: 'user', content: 'x' });
    expect(candidatesFromMessages([inherited], { format: 'openai-chat' }).unmapped).toEqual([
      { index: 0, path: '', type: 'an object', kept: false },
    ]);
  });

  test('100,000 messages with the same call are checked in one pass', () => {
    const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] };
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] };
    const list = [
      { role: 'user', content: 'x' },
      ...Array.from({ length: 100_000 }, (_, at) => (at % 2 ? result : call)),
    ];
    const { candidates } = candidatesFromMessages(list, { format: 'anthropic' });
    const { messages, dropped } = messagesFromCandidates(candidates);
    expect({ kept: messages.length, dropped: dropped.length }).toEqual({ kept: 3, dropped: 99_998 });
  });
});
