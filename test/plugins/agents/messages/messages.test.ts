import { generateText, type ModelMessage } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { describe, expect, test } from 'vitest';
import {
  candidatesFromMessages,
  checkMessages,
  detectMessageFormat,
  type MessageCandidate,
  messagesFromCandidates,
} from '../../../../src/agents.js';
import { listOf, RECORDED, recorded } from './conversations.js';

describe.each(RECORDED)('what a client sent: %s', (file, format) => {
  const conversations = [...recorded(file)];

  test.each(conversations)('%s: is detected, accepted, and comes back unchanged', (_, request) => {
    expect(conversations.length).toBe(3);
    expect(detectMessageFormat(request)).toBe(format);
    expect(checkMessages(request)).toEqual([]);
    const { candidates, unmapped } = candidatesFromMessages(request);
    expect(new Set(unmapped.map(({ type }) => type))).toEqual(
      new Set(file === 'ai-sdk-to-responses' ? ['item_reference'] : []),
    );
    const packed = messagesFromCandidates(candidates.toReversed());
    expect(packed.messages).toEqual(listOf(request));
    expect(packed.system).toEqual(request.system ?? request.instructions);
    expect({ dropped: packed.dropped, changes: packed.changes }).toEqual({ dropped: [], changes: [] });
    expect(packed.messages.every((message) => listOf(request).includes(message))).toBe(true); // the originals
  });

  test.each(conversations)('%s: without any one group it is still accepted', (_, request) => {
    const { candidates } = candidatesFromMessages(request);
    const parts = new Set(candidates.map(({ group, id }) => group ?? id));
    for (const left of parts) {
      const kept = candidates.filter(({ group, id }) => (group ?? id) !== left);
      const { messages, dropped, request: packed } = messagesFromCandidates(kept);
      expect(dropped).toEqual([]);
      expect(checkMessages(packed, { format })).toEqual([]);
      expect(messages.length).toBeGreaterThan(0);
    }
  });
});

const columns = (candidates: readonly MessageCandidate[]) =>
  candidates.map(({ id, group = '', pinned, tokens }) => `${id} ${group} ${pinned ? 'pinned ' : ''}${tokens}`);

test('parallel calls are a group with all of their results; the system prompt and the last question are pinned', () => {
  const chat = candidatesFromMessages(recorded('openai-chat').get('parallel'));
  expect(columns(chat.candidates)).toMatchInlineSnapshot(`
    [
      "system-0  pinned 11",
      "user-1  278",
      "assistant-2 calls-2 27",
      "tool-3 calls-2 11",
      "tool-4 calls-2 11",
      "assistant-5  13",
      "user-6  16",
      "assistant-7 calls-7 27",
      "tool-8 calls-7 11",
      "tool-9 calls-7 10",
      "tool-10 calls-7 10",
      "assistant-11  9",
      "user-12  pinned 13",
    ]
  `);
  expect(chat.tokenizer).toBe('estimate: 1 token per 3 bytes of UTF-8');
  expect(chat.tokens).toBe(chat.candidates.reduce((sum, { tokens }) => sum + tokens, 0));
  expect(
    columns(candidatesFromMessages(recorded('openai-responses').get('parallel')).candidates),
  ).toMatchInlineSnapshot(`
    [
      "system-0  pinned 11",
      "user-1  278",
      "assistant-2 calls-2 9",
      "assistant-3 calls-2 9",
      "assistant-4 calls-2 13",
      "assistant-5 calls-2 13",
      "tool-6 calls-2 8",
      "tool-7 calls-2 8",
      "assistant-8 calls-8 9",
      "assistant-9 calls-8 13",
      "user-10  16",
      "assistant-11 calls-11 9",
      "assistant-12 calls-11 12",
      "assistant-13 calls-11 11",
      "assistant-14 calls-11 12",
      "tool-15 calls-11 9",
      "tool-16 calls-11 8",
      "tool-17 calls-11 8",
      "assistant-18 calls-18 9",
      "assistant-19 calls-18 9",
      "user-20  pinned 13",
    ]
  `);
  expect(columns(candidatesFromMessages(recorded('anthropic').get('parallel')).candidates)).toMatchInlineSnapshot(`
    [
      "system-0  pinned 11",
      "user-1  109",
      "assistant-2 calls-2 26",
      "tool-3 calls-2 12",
      "assistant-4  13",
      "user-5  16",
      "assistant-6 calls-6 27",
      "tool-7 calls-6 17",
      "assistant-8  9",
      "user-9  pinned 28",
    ]
  `);
  expect(columns(candidatesFromMessages(recorded('ai-sdk').get('parallel')).candidates)).toMatchInlineSnapshot(`
    [
      "system-0  pinned 11",
      "user-1  278",
      "assistant-2 calls-2 26",
      "tool-3 calls-2 12",
      "assistant-4  13",
      "user-5  16",
      "assistant-6 calls-6 27",
      "tool-7 calls-6 17",
      "assistant-8  9",
      "user-9  pinned 13",
    ]
  `);
});

test('the output of a call that OpenAI has stored stays with the reference', () => {
  const items = [
    { role: 'user', content: 'hi' },
    { type: 'item_reference', id: 'rs_1' },
    { type: 'item_reference', id: 'fc_1' },
    { type: 'function_call_output', call_id: 'a', output: 'ok' },
    { type: 'item_reference', id: 'msg_1' },
  ];
  const { candidates } = candidatesFromMessages({ instructions: 'Be brief.', input: items });
  expect(candidates.map(({ group }) => group)).toEqual([
    undefined,
    undefined,
    'calls-2',
    'calls-2',
    'calls-2',
    undefined,
  ]);
});

test('the text of a message has its calls', () => {
  const { candidates } = candidatesFromMessages(recorded('anthropic').get('parallel'));
  expect(candidates.slice(1, 4).map(({ role, content }) => ({ role, content }))).toMatchInlineSnapshot(`
    [
      {
        "content": "Where is this, and how is the weather there and in Oslo?",
        "role": "user",
      },
      {
        "content": "I look both up.
    weather({"city":"Bergen"})
    weather({"city":"Oslo"})",
        "role": "assistant",
      },
      {
        "content": "rain, 9 °C
    snow, -2 °C",
        "role": "tool",
      },
    ]
  `);
});

test('an injected tokenizer counts texts, and is named', () => {
  const counted: string[] = [];
  const words = (text: string): number => {
    counted.push(text);
    return text.split(' ').length;
  };
  const { candidates, tokenizer } = candidatesFromMessages([{ role: 'user', content: 'one two three' }], {
    format: 'openai-chat',
    countTokens: words,
    countImage: () => 7,
  });
  expect({ tokenizer, tokens: candidates[0]?.tokens, counted }).toEqual({
    tokenizer: 'given: words',
    tokens: 4 + 3,
    counted: ['one two three'],
  });
  expect(() => candidatesFromMessages([{ role: 'user', content: '' }], { countTokens: () => Number.NaN })).toThrow(
    'countTokens returned the number NaN; expected a number of at least 0',
  );
});

const png = (width: number, height: number): string => {
  const bytes = Buffer.alloc(40);
  bytes.writeUInt32BE(0x89504e47, 0);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return `data:image/png;base64,${bytes.toString('base64')}`;
};
const jpeg = (width: number, height: number): string => {
  const bytes = Buffer.alloc(60);
  bytes.set([0xff, 0xd8, 0xff, 0xe0, 0, 16], 0);
  bytes.set([0xff, 0xc0, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255], 20);
  return `data:image/jpeg;base64,${bytes.toString('base64')}`;
};

// The examples of OpenAI's documentation, and 1092 by 1092 of Anthropic's.
test.each([
  ['openai-chat', png(1024, 1024), undefined, 765],
  ['openai-chat', png(2048, 4096), 'high', 1105],
  ['openai-chat', png(4096, 8192), 'low', 85],
  ['openai-chat', jpeg(512, 512), 'auto', 255],
  ['openai-chat', 'https://example.com/cat.png', 'high', 765],
  ['anthropic', png(1092, 1092), undefined, 1590],
  ['anthropic', jpeg(200, 200), undefined, 54],
  ['anthropic', png(8000, 8000), undefined, 1600],
  ['ai-sdk', png(1024, 1024), undefined, 1399],
] as const)('%s counts an image by its size and detail', (format, url, detail, tokens) => {
  const parts = {
    'openai-chat': { type: 'image_url', image_url: { url, detail } },
    anthropic: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: url.replace(/^.*,/, '') } },
    'ai-sdk': { type: 'image', image: url },
  };
  const { candidates } = candidatesFromMessages([{ role: 'user', content: [parts[format]] }], { format });
  expect(candidates[0]?.tokens).toBe(4 + tokens);
});

describe('a list of Anthropic', () => {
  const messages = [
    { role: 'user', content: 'one' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'seen' }] },
    { role: 'assistant', content: 'two' },
    { role: 'user', content: 'three' },
  ];
  const { candidates } = candidatesFromMessages({ system: 'Be brief.', messages }, { format: 'anthropic' });

  test('joins neighbours of one role', () => {
    const { request, changes } = messagesFromCandidates(
      candidates.filter(({ id }) => ['user-1', 'user-5'].includes(id)),
    );
    expect(request).toEqual({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'one' },
            { type: 'text', text: 'three' },
          ],
        },
      ],
    });
    expect(changes).toEqual([{ kind: 'joined', index: 0 }]);
  });

  test('begins with the user, and the last message of the user has paid for it', () => {
    const kept = candidates.filter(({ id }) => !['user-1'].includes(id));
    const { request, changes, dropped } = messagesFromCandidates(kept);
    expect(request).toEqual({
      system: 'Be brief.',
      messages: [{ role: 'user', content: '[Earlier messages were left out.]' }, ...messages.slice(1)],
    });
    expect({ changes, dropped }).toEqual({ changes: [{ kind: 'opened', index: 0 }], dropped: [] });
    const again = candidatesFromMessages(request, { format: 'anthropic' });
    expect(again.tokens).toBeLessThanOrEqual(kept.reduce((sum, { tokens }) => sum + tokens, 0) + 15);
    expect(kept.at(-1)?.tokens).toBe(4 + 2 + 4 + 11);
  });

  test('puts tool results first', () => {
    const mixed = [
      ...messages.slice(0, 2),
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Here:' },
          { type: 'tool_result', tool_use_id: 'a', content: 'seen' },
        ],
      },
    ];
    expect(checkMessages(mixed, { format: 'anthropic' })).toMatchInlineSnapshot(`
      [
        {
          "index": 2,
          "path": "content[1]",
          "rule": "result-first",
          "text": "messages[2].content[1]: the tool result is after other content; expected tool results first",
        },
      ]
    `);
    const { messages: packed, changes } = messagesFromCandidates(
      candidatesFromMessages(mixed, { format: 'anthropic' }).candidates,
    );
    expect(changes).toEqual([{ kind: 'reordered', index: 2 }]);
    expect(checkMessages(packed, { format: 'anthropic' })).toEqual([]);
  });
});

test('what the provider would refuse is dropped with its group, and named', () => {
  const messages = [
    { role: 'user', content: 'one' },
    {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'user', content: 'two' },
    { role: 'tool', tool_call_id: 'a', content: 'late' },
    { role: 'tool', tool_call_id: 'b', content: 'orphan' },
    'not a message',
    { role: 'user', content: 'three', metadata: { from: 'web' } },
  ];
  const { candidates, unmapped } = candidatesFromMessages(messages, { format: 'openai-chat' });
  expect(unmapped).toEqual([
    { index: 5, path: '', type: 'a string', kept: false },
    { index: 6, path: 'metadata', type: 'field metadata', kept: true },
  ]);
  const packed = messagesFromCandidates(candidates);
  expect(packed.messages).toEqual([messages[0], messages[2], messages[6]]);
  expect(packed.dropped).toMatchInlineSnapshot(`
    [
      {
        "id": "assistant-1",
        "index": 1,
        "rule": "missing-result",
        "text": "the call "a" has no result right after it",
      },
      {
        "id": "tool-3",
        "index": 3,
        "rule": "orphan-result",
        "text": "the result is for "a", which is not called right before it",
      },
      {
        "id": "tool-4",
        "index": 4,
        "rule": "orphan-result",
        "text": "the result is for "b", which is not called right before it",
      },
    ]
  `);
});

test('arguments that are not messages are errors', () => {
  const caught = (work: () => unknown): string => {
    try {
      return JSON.stringify(work());
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect([
    caught(() => candidatesFromMessages(7)),
    caught(() => candidatesFromMessages({ messages: 7 }, { format: 'openai-chat' })),
    caught(() => candidatesFromMessages([{ role: 'user', content: 'a', tokens: 5 }])),
    caught(() => checkMessages([], { format: 'chat' as 'ai-sdk' })),
    caught(() => messagesFromCandidates([{ id: 'a' }])),
    caught(() => messagesFromCandidates([{ format: 'ai-sdk', index: 'x', message: {} }])),
    caught(() => messagesFromCandidates([])),
  ]).toMatchInlineSnapshot(`
    [
      "the format of the messages cannot be detected",
      "the messages are an object whose messages is the number 7; expected a list",
      "the format of the messages cannot be detected",
      "the format of the messages is the string "chat"; expected openai-chat, openai-responses, anthropic, ai-sdk",
      "the formats of the candidates are nothing; expected one of openai-chat, openai-responses, anthropic, ai-sdk",
      "a candidate has the index the string "x" and the message a map; expected a number and an object",
      "{"format":"openai-chat","messages":[],"request":{"messages":[]},"dropped":[],"changes":[],"undercounted":[],"undocumented":[]}",
    ]
  `);
});

test('the AI SDK accepts what remains without any one group', async () => {
  for (const request of recorded('ai-sdk').values()) {
    const { candidates } = candidatesFromMessages(request);
    for (const left of new Set(candidates.map(({ group, id }) => group ?? id))) {
      const model = new MockLanguageModelV3({
        doGenerate: {
          content: [{ type: 'text', text: 'ok' }],
          finishReason: { unified: 'stop', raw: 'stop' },
          usage: {
            inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
            outputTokens: { total: 1, text: 1, reasoning: 0 },
          },
          warnings: [],
        },
      });
      const kept = candidates.filter(({ group, id, field }) => (group ?? id) !== left && field === undefined);
      const { messages } = messagesFromCandidates(kept);
      const { text } = await generateText({ model, messages: messages as ModelMessage[] });
      expect(text).toBe('ok');
    }
  }
});

test('thinking that is a message of its own stays with the next message of the assistant', () => {
  const list = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 's' }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
  ];
  const { candidates } = candidatesFromMessages(list);
  expect(candidates.map(({ group }) => group)).toEqual([undefined, 'calls-1', 'calls-1', 'calls-1']);
  const { messages, dropped } = messagesFromCandidates(candidates);
  expect(dropped).toEqual([]);
  expect(messages[1]).toEqual({ role: 'assistant', content: [list[1]!.content, list[2]!.content].flat() });
  const alone = messagesFromCandidates(candidates.filter(({ index }) => index < 2));
  expect(alone.dropped.map(({ id, rule }) => `${id}: ${rule}`)).toEqual(['assistant-1: content']);
});
