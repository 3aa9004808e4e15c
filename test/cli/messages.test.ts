import { describe, expect, it } from 'vitest';
import { checkMessages } from '../../src/agents.js';
import { recorded } from '../plugins/agents/messages/conversations.js';
import { assize, inFolder } from './run-here.js';

const CHAT = recorded('openai-chat').get('parallel');
const LIST = CHAT?.messages ?? [];

/** Keeps what is new, as far as it fits. */
const PROFILE = `plugins: [cupel]
candidate: { pinned: candidate.pinned }
tier2_scorers: [{ id: recency, expr: candidate.index / 100.0 }]
select:
  pack: { cost: candidate.tokens, class: GreedyPack }
`;

/** A conversation as programs store it: with a time and an id. */
const STORED = LIST.map((message, at) => ({ ...message, id: `m${at}`, timestamp: `2026-01-01T00:00:0${at % 10}Z` }));
const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const UNKNOWN_ROLE = [
  { role: 'user', content: 'hi' },
  { role: 'bot', content: 'Hello.' },
];

inFolder({
  'recent.yaml': PROFILE,
  'times.yaml': 'tier2_scorers: [{ id: late, expr: \'candidate.timestamp > "2026-01-01T00:00:05Z" ? 1.0 : 0.0\' }]\n',
  'stored.json': JSON.stringify(STORED),
  'stored.jsonl': lines(STORED),
  'lines.jsonl': lines(LIST),
  'bot.json': JSON.stringify(UNKNOWN_ROLE, undefined, 1),
  'bot.jsonl': `\n${lines(UNKNOWN_ROLE)}`,
  'damaged.jsonl': `${lines(UNKNOWN_ROLE.slice(0, 1))}{"role":\n`,
  'mixed.json': JSON.stringify([
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: '1' }] },
    { role: 'assistant', content: '', tool_calls: [] },
  ]),

  'list.json': JSON.stringify(LIST),
  'lines.json': JSON.stringify(LIST, undefined, 2),
  'openai-chat.json': JSON.stringify(CHAT),
  'openai-responses.json': JSON.stringify(recorded('openai-responses').get('parallel')),
  'anthropic.json': JSON.stringify(recorded('anthropic').get('parallel')),
  'ai-sdk.json': JSON.stringify(recorded('ai-sdk').get('parallel')),
  'candidates.json': JSON.stringify(
    LIST.map((message, at) => ({ ...message, id: `m${at}`, index: at, tokens: 5, pinned: at === 0 })),
  ),
  'broken.json': JSON.stringify({ messages: [LIST[0], 7, { ...LIST[1], thread: 3 }, { role: 'bot' }] }, undefined, 1),
  'none.json': '{"a":1}',
  'context.json': '{"query":"weather"}',
  'words.yaml':
    'tier2_scorers: [{ id: query, expr: "candidate.content == context.query ? 1.0 : 0.0" }]\nselect: { top: 1 }\n',
});

const pack = ['pack', '--profile', './recent.yaml'];

describe('messages as candidates', () => {
  it.each(['list.json', 'lines.json', 'openai-chat.json'])('are detected in %s', async (file) => {
    const { code, out, err } = await assize([...pack, '--budget', '420', file]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.replace(/^.*\n/, '')).toMatchInlineSnapshot(`
      "169 of 420 spent, 24 of it pinned

       #  id            cost   score
      ──────────────────────────────
          system-0        11  pinned
          user-12         13  pinned
       1  assistant-11     9   0.110
       2  tool-10         10   0.100
       3  tool-9          10   0.090
       4  tool-8          11   0.080
       5  assistant-7     27   0.070
       6  user-6          16   0.060
       7  assistant-5     13   0.050
       8  tool-4          11   0.040
       9  tool-3          11   0.030
      10  assistant-2     27   0.020

      Not packed
      id      cost  score  instead      why
      ────────────────────────────────────────────────────────────────────────────
      user-1   278  0.010  assistant-7  it costs 278, and at its turn 251 was left
      "
    `);
  });

  it.each(['openai-chat', 'openai-responses', 'anthropic', 'ai-sdk'] as const)(
    'of %s are printed as a list that the provider accepts',
    async (format) => {
      const { code, out } = await assize([...pack, '--budget', '330', `${format}.json`, '--format', 'messages']);
      expect(code).toBe(0);
      expect(checkMessages(JSON.parse(out), { format })).toEqual([]);
      const named = await assize([...pack, '--budget', '330', '--input', format, '--format', 'messages', '-'], {
        stdin: JSON.stringify(recorded(format).get('parallel')),
      });
      expect(named.out).toBe(out);
      const ranked = await assize(['rank', ...pack.slice(1), '--budget', '330', `${format}.json`, '-f', 'messages']);
      expect(ranked.out).toBe(out);
    },
  );

  it('say what is not in the list, and how it differs', async () => {
    const { out, err } = await assize([...pack, '--budget', '100', 'anthropic.json', '-f', 'messages']);
    expect(JSON.parse(out)).toMatchInlineSnapshot(`
      {
        "messages": [
          {
            "content": "[Earlier messages were left out.]",
            "role": "user",
          },
          {
            "content": [
              {
                "text": "Bergen: rain. Oslo: snow.",
                "type": "text",
              },
            ],
            "role": "assistant",
          },
          {
            "content": "Book a hotel in Oslo, and a train.",
            "role": "user",
          },
          {
            "content": [
              {
                "text": "All is booked.",
                "type": "text",
              },
            ],
            "role": "assistant",
          },
          {
            "content": "Thank you. What did I book?",
            "role": "user",
          },
        ],
        "system": "You help with travel.",
      }
    `);
    expect(err).toMatchInlineSnapshot(`
      "dropped tool-7: the result is for "call_3", which is not called in the message before it
      messages[0]: added, because the first message must be of the user
      "
    `);
  });

  it.each([
    ['pack', '-p', 'conversation', '--budget', '300'],
    ['rank', '-p', './words.yaml'],
    ['rank', '-p', './words.yaml', '--input', 'openai-chat'],
  ])('give the last question as the query: %s %s %s', async (...args) => {
    const { out, err } = await assize([...args, 'openai-chat.json', '-f', 'jsonl']);
    expect(err).toBe('');
    const first = JSON.parse(out.split('\n')[0]!) as { readonly scores?: Readonly<Record<string, number>> };
    const file = await assize([...args, '--context', 'context.json', 'openai-chat.json', '-f', 'jsonl']);
    expect(file.code).toBe(0);
    if (args[0] === 'rank') expect(first.scores).toEqual({ query: 1 });
    else expect(out).toContain('"relevance":');
    expect(file.out).not.toBe(out);
  });

  it.each(['stored.json', 'stored.jsonl'])('keep the keys that a program added: %s', async (file) => {
    const { code, out, err } = await assize([...pack, '--budget', '900', file, '--format', 'messages']);
    expect({ code, messages: JSON.parse(out) as unknown }).toEqual({ code: 0, messages: STORED });
    expect(err).toBe(
      ['id', 'timestamp']
        .map(
          (key) =>
            `warning ASZ728 ${file}: 13 messages have the unknown field ${key}\n  they stay in their messages, and cost as much as their JSON\n`,
        )
        .join('') +
        ['id', 'timestamp']
          .map((key) => `messages have the key ${key}, which some providers refuse: remove it if yours does\n`)
          .join(''),
    );
    const ranked = await assize(['score', '-p', './times.yaml', file, '-f', 'jsonl']);
    expect(ranked.out.match(/"scores":\{"late":1\}/g)).toHaveLength(STORED.filter((_, at) => at % 10 > 5).length);
  });

  it.each(['-p', '--input openai-chat -p'])('are read from lines of JSON: pack %s', async (options) => {
    const { code, out } = await assize([
      'pack',
      ...options.split(' '),
      './recent.yaml',
      '-b',
      '900',
      'lines.jsonl',
      '-f',
      'messages',
    ]);
    expect({ code, messages: JSON.parse(out) as unknown }).toEqual({ code: 0, messages: LIST });
  });

  it.each(['bot.json', 'bot.jsonl', 'mixed.json'])(
    'are not printed if one entry cannot be a message: %s',
    async (file) => {
      const { code, out, err } = await assize([...pack, '--budget', '900', file, '--format', 'messages']);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      const reason =
        file === 'mixed.json'
          ? '[1]: it has tool_calls, as in openai-chat; the other entries are of anthropic'
          : '[1]: the role is "bot"; expected user, assistant, system, developer, tool, function';
      expect(err).toBe(
        `warning ASZ728 ${file} looks like messages, but their format cannot be detected: ${reason}\n` +
          '  each entry is a plain candidate; to read messages, correct the entry or pass the format: --input openai-chat\n' +
          'error ASZ601 --format messages needs candidates that are messages, and candidate @0 is not read as one\n' +
          '  each entry of the file needs a role and content; if it has them, name their format: --input openai-chat\n',
      );
      const ranked = await assize(['rank', ...pack.slice(1), file, '--format', 'messages']);
      expect({ code: ranked.code, err: ranked.err }).toEqual({ code, err });
    },
  );

  it('have the place of a bad line', async () => {
    const { code, err } = await assize([...pack, '--input', 'openai-chat', '-b', '90', 'bot.jsonl']);
    expect(code).toBe(1);
    expect(err).toMatchInlineSnapshot(`
      "bot.jsonl:3:1 error ASZ103 the role is "bot"; expected a role: system, developer, user, assistant or tool
        3 | {"role":"bot","content":"Hello."}
          | ^
      "
    `);
    const damaged = await assize([...pack, '-b', '90', 'damaged.jsonl']);
    expect(damaged.code).toBe(1);
    expect(damaged.err).toMatchInlineSnapshot(`
      "damaged.jsonl:2:9 error ASZ103 found the end of the line, expected a value
        2 | {"role":
          |         ^
        the { at line 2, column 1 is never closed
      "
    `);
  });

  it('are not made of objects with other fields', async () => {
    const { out } = await assize([...pack, '--budget', '420', 'candidates.json', '-f', 'jsonl']);
    expect(out).toContain('"candidate":{"role":"system","content":"You help with travel.","id":"m0"');
    const { code, err } = await assize([...pack, '--budget', '420', 'candidates.json', '-f', 'messages']);
    expect({ code, err }).toMatchInlineSnapshot(`
      {
        "code": 2,
        "err": "error ASZ601 --format messages needs candidates that are messages, and candidate @0 is not read as one
        each entry of the file needs a role and content; if it has them, name their format: --input openai-chat
      ",
      }
    `);
  });

  it('are errors and warnings with their places if they are not messages', async () => {
    const { code, err } = await assize([...pack, '--budget', '420', '--input', 'openai-chat', 'broken.json']);
    expect(code).toBe(1);
    expect(err).toMatchInlineSnapshot(`
      "warning ASZ728 broken.json: 1 message has the unknown field thread
        they stay in their messages, and cost as much as their JSON
      broken.json:7:3 error ASZ103 the entry is a number; expected a role: system, developer, user, assistant or tool
        7 |   7,
          |   ^
      broken.json:24:3 error ASZ103 the role is "bot"; expected a role: system, developer, user, assistant or tool
        24 |   {
           |   ^
      2 problems
      "
    `);
    const none = await assize([...pack, '--budget', '420', '--input', 'anthropic', 'none.json']);
    expect(none.err).toMatchInlineSnapshot(`
      "error ASZ533 the messages are an object whose messages is nothing; expected a list
        pass the list of messages, or the request with its messages
      "
    `);
  });
});
