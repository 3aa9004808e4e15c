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

inFolder({
  'recent.yaml': PROFILE,
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

  it('are not made of objects with other fields', async () => {
    const { out } = await assize([...pack, '--budget', '420', 'candidates.json', '-f', 'jsonl']);
    expect(out).toContain('"candidate":{"role":"system","content":"You help with travel.","id":"m0"');
    const { code, err } = await assize([...pack, '--budget', '420', 'candidates.json', '-f', 'messages']);
    expect({ code, err }).toMatchInlineSnapshot(`
      {
        "code": 2,
        "err": "error ASZ601 --format messages needs candidates that are messages
        name their format: --input openai-chat
      ",
      }
    `);
  });

  it('are errors and warnings with their places if they are not messages', async () => {
    const { code, err } = await assize([...pack, '--budget', '420', '--input', 'openai-chat', 'broken.json']);
    expect(code).toBe(1);
    expect(err).toMatchInlineSnapshot(`
      "warning ASZ728 broken.json has 1 part of the unknown type field thread
        they stay in their messages, and cost as much as their JSON
      broken.json:7:3 error ASZ103 found a number, expected a message of the format openai-chat
        7 |   7,
          |   ^
      broken.json:24:3 error ASZ103 found an object, expected a message of the format openai-chat
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
