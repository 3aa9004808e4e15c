import { describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';
import {
  candidatesFromMessages,
  checkMessages,
  MESSAGE_FORMATS,
  type MessageCandidate,
  type MessageFormat,
  messagesFromCandidates,
} from '../../../../src/agents.js';
import { recorded } from './conversations.js';

/** A selected row of a ranking, of which a shorter version was chosen. */
const row = (candidate: MessageCandidate, content: unknown) => ({
  id: candidate.id,
  candidate,
  variant: { at: 0, value: { content, tokens: 1 } },
});

describe.each(MESSAGE_FORMATS)('shorter versions of %s', (format) => {
  test.each(['short', ''])('of every message give a valid list: %j', (text) => {
    for (const request of recorded(format).values()) {
      const { candidates } = candidatesFromMessages(request, { format });
      const rows = candidates.map((one) => (one.pinned ? { candidate: one } : row(one, text)));
      const packed = messagesFromCandidates(rows);
      expect(checkMessages(packed.request, { format })).toEqual([]);
      const shortened = packed.changes.filter(({ kind }) => kind === 'shortened');
      if (text !== '') expect(packed.dropped).toEqual([]);
      if (text !== '') expect(shortened.length).toBeGreaterThan(0);
    }
  });
});

/** The list with one message shortened to `short`. */
function shortenedIn(format: MessageFormat, list: readonly object[], at: number) {
  const { candidates } = candidatesFromMessages(list, { format });
  const { messages, changes, dropped } = messagesFromCandidates(
    candidates.map((one, index) => (index === at ? row(one, 'short') : one)),
  );
  expect(dropped).toEqual([]);
  return { message: messages[at], changes };
}

const user = { role: 'user', content: 'hi' };

test('a call of OpenAI chat keeps its calls, and the result its id', () => {
  const list = [
    user,
    {
      role: 'assistant',
      content: 'long',
      refusal: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'long' }] },
    user,
  ];
  expect(shortenedIn('openai-chat', list, 1)).toEqual({
    message: {
      role: 'assistant',
      content: 'short',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    changes: [{ kind: 'shortened', index: 1 }],
  });
  expect(shortenedIn('openai-chat', list, 2).message).toEqual({ role: 'tool', tool_call_id: 'a', content: 'short' });
});

test('a call of the Responses API has no place for a text, so it stays whole', () => {
  const call = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' };
  const list = [user, call, { type: 'function_call_output', call_id: 'a', output: 'long' }, user];
  expect(shortenedIn('openai-responses', list, 1)).toEqual({ message: call, changes: [{ kind: 'whole', index: 1 }] });
  expect(shortenedIn('openai-responses', list, 2).message).toEqual({ ...list[2], output: 'short' });
});

test('a message of Anthropic keeps thinking, calls and ids, and loses images', () => {
  const use = { type: 'tool_use', id: 'a', name: 'f', input: {} };
  const thinking = { type: 'thinking', thinking: 'hm', signature: 'x' };
  const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
  const list = [
    { role: 'user', content: [image, { type: 'text', text: 'long' }] },
    { role: 'assistant', content: [thinking, { type: 'text', text: 'long' }, use, { ...use, id: 'b' }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'long' }, image] },
        { type: 'tool_result', tool_use_id: 'b', content: 'long', is_error: true },
      ],
    },
    { role: 'assistant', content: 'long' },
    user,
  ];
  const text = { type: 'text', text: 'short' };
  expect(shortenedIn('anthropic', list, 0).message).toEqual({ role: 'user', content: [text] });
  expect(shortenedIn('anthropic', list, 1).message).toEqual({
    role: 'assistant',
    content: [thinking, text, use, { ...use, id: 'b' }],
  });
  expect(shortenedIn('anthropic', list, 2).message).toEqual({
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'a', content: 'short' },
      { type: 'tool_result', tool_use_id: 'b', is_error: true },
    ],
  });
  expect(shortenedIn('anthropic', list, 3).message).toEqual({ role: 'assistant', content: 'short' });
});

test('a message of the AI SDK keeps calls, and its first result has the text', () => {
  const call = { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: {} };
  const result = { type: 'tool-result', toolCallId: 'a', toolName: 'f', output: { type: 'json', value: { long: 1 } } };
  const list = [user, { role: 'assistant', content: [call] }, { role: 'tool', content: [result] }, user];
  expect(shortenedIn('ai-sdk', list, 1).message).toEqual({
    role: 'assistant',
    content: [{ type: 'text', text: 'short' }, call],
  });
  expect(shortenedIn('ai-sdk', list, 2).message).toEqual({
    role: 'tool',
    content: [{ ...result, output: { type: 'text', value: 'short' } }],
  });
});

test('the preset conversation selects a version, and the list has its text', async () => {
  const { candidates, query } = candidatesFromMessages([
    { role: 'user', content: 'long '.repeat(100) },
    { role: 'assistant', content: 'ok' },
    { role: 'user', content: 'Which hotel?' },
  ]);
  expect(query).toBe('Which hotel?');
  const pipeline = await createPipeline<MessageCandidate>('conversation');
  const given = candidates.map((one) => ({ ...one, variants: [{ content: 'long', tokens: 6 }] }));
  const { selected } = await pipeline.pack(given, 40, { query });
  expect(messagesFromCandidates(selected)).toMatchObject({
    messages: [
      { role: 'user', content: 'long' },
      { role: 'assistant', content: 'ok' },
      { role: 'user', content: 'Which hotel?' },
    ],
    changes: [{ kind: 'shortened', index: 0 }],
  });
});

test('a version without a text is an error that names the message', () => {
  const { candidates } = candidatesFromMessages([user]);
  expect(() => messagesFromCandidates([row(candidates[0]!, 7)])).toThrow(
    /the selected version of user-0 has the content the number 7; expected text/,
  );
});

test('there is no query without a text of the user', () => {
  expect(candidatesFromMessages([{ role: 'assistant', content: 'Hello!' }])).not.toHaveProperty('query');
});

test('versions that the codec makes are counted with what stays of the message', async () => {
  const call = { type: 'tool_use', id: 'a', name: 'find', input: { text: 'oslo '.repeat(30) } };
  const list = [
    { role: 'user', content: 'Find me a hotel.' },
    { role: 'assistant', content: [{ type: 'text', text: 'I will look. '.repeat(40) }, call] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'a hotel '.repeat(60) }] },
    { role: 'user', content: 'Which one?' },
  ];
  const shorten = ({ role }: MessageCandidate) => (role === 'user' ? 'x' : 'brief');
  const { candidates, tokens } = candidatesFromMessages(list, { shorten });
  expect(candidates.map(({ variants }) => variants?.length ?? 0)).toEqual([1, 1, 1, 0]);
  const pipeline = await createPipeline<MessageCandidate>('conversation');
  const { selected, budget } = await pipeline.pack(candidates, Math.floor(tokens / 2), { query: 'hotel' });
  const packed = messagesFromCandidates(selected);
  expect(packed.changes.filter(({ kind }) => kind === 'shortened').length).toBeGreaterThan(1);
  expect(packed.undercounted).toEqual([]);
  // The last message of the user pays for an opening that is not needed here.
  expect(candidatesFromMessages(packed.request).tokens).toBeLessThanOrEqual(budget!.used);
});

test('a version that costs more than its tokens is named', async () => {
  const { candidates } = candidatesFromMessages([{ ...user, content: 'long '.repeat(200) }, user]);
  const long = 'still long '.repeat(50);
  const given = candidates.map((one) => (one.pinned ? one : { ...one, variants: [{ content: long, tokens: 5 }] }));
  const pipeline = await createPipeline<MessageCandidate>('conversation');
  const { selected } = await pipeline.pack(given, 40, { query: 'hi' });
  const counted = messagesFromCandidates(selected).undercounted;
  expect(counted).toEqual([{ id: 'user-0', index: 0, cost: 5, tokens: 188 }]);
  const countTokens = () => 1; // a tokenizer that agrees
  expect(messagesFromCandidates(selected, { countTokens }).undercounted).toEqual([]);
});
