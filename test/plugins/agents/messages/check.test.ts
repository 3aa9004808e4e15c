import { describe, expect, test } from 'vitest';
import { checkMessages, type MessageFormat } from '../../../../src/agents.js';

const found = (format: MessageFormat, input: unknown): readonly string[] =>
  checkMessages(input, { format }).map(({ rule, text }) => `${rule}: ${text}`);

/** Lists that break one rule each, beside what is said about them. */
type Cases = readonly (readonly [name: string, list: readonly unknown[], expected: readonly string[]])[];

const user = { role: 'user', content: 'hi' };
const chatCall = (...ids: readonly string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
});
const chatResult = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' });

const CHAT: Cases = [
  [
    'parts of the wrong role',
    [
      user,
      { role: 'assistant', content: [{ type: 'image_url', image_url: { url: 'https://example.org/a.png' } }] },
      { role: 'user', content: [{ type: 'refusal', refusal: 'no' }] },
    ],
    [
      'content: messages[1].content[0]: only user messages can have a part image_url',
      'content: messages[2].content[0]: only assistant messages can have a part refusal',
    ],
  ],
  ['a call and its results', [user, chatCall('a', 'b'), chatResult('b'), chatResult('a'), user], []],
  ['the same id again, later', [user, chatCall('a'), chatResult('a'), chatCall('a'), chatResult('a')], []],
  ['an assistant that begins', [{ role: 'assistant', content: 'Hello!' }, user], []],
  ['nothing', [], ['empty: messages: the list is empty; expected at least one message']],
  [
    'a result that is missing',
    [user, chatCall('a', 'b'), chatResult('a'), user],
    ['missing-result: messages[1]: the call "b" has no result right after it'],
  ],
  [
    'a result that is missing at the end',
    [user, chatCall('a')],
    ['missing-result: messages[1]: the call "a" has no result right after it'],
  ],
  [
    'a result without a call',
    [user, chatResult('a')],
    ['orphan-result: messages[1]: the result is for "a", which is not called right before it'],
  ],
  [
    'a result that is late',
    [user, chatCall('a'), user, chatResult('a')],
    [
      'missing-result: messages[1]: the call "a" has no result right after it',
      'orphan-result: messages[3]: the result is for "a", which is not called right before it',
    ],
  ],
  [
    'two results of a call',
    [user, chatCall('a'), chatResult('a'), chatResult('a')],
    ['repeated-result: messages[3]: the call "a" has a result already'],
  ],
  [
    'two calls with an id',
    [user, chatCall('a', 'a'), chatResult('a')],
    ['repeated-id: messages[1]: another call has the id "a", too'],
  ],
  [
    'an unknown role',
    [{ role: 'bot', content: 'hi' }, 7, null, ['user'], {}],
    [
      'message: messages[0]: the role is "bot"; expected a role: system, developer, user, assistant or tool',
      'message: messages[1]: the entry is a number; expected a role: system, developer, user, assistant or tool',
      'message: messages[2]: the entry is null; expected a role: system, developer, user, assistant or tool',
      'message: messages[3]: the entry is a list; expected a role: system, developer, user, assistant or tool',
      'message: messages[4]: the entry has no role; expected a role: system, developer, user, assistant or tool',
    ],
  ],
  [
    'content of a wrong type',
    [{ role: 'user', content: 7 }, { role: 'user', content: null }, { role: 'user' }, { role: 'user', content: [] }],
    [
      'content: messages[0].content: the content is a number; expected text or a list of parts',
      'content: messages[1].content: the content is null; expected text or a list of parts',
      'content: messages[2].content: the content is missing; expected text or a list of parts',
      'content: messages[3].content: the content is an empty list; expected text or a list of parts',
    ],
  ],
  [
    'a message of the assistant with nothing in it',
    [user, { role: 'assistant', content: null }],
    ['content: messages[1].content: the content is null; expected text or a list of parts'],
  ],
  [
    'calls of a wrong form',
    [
      user,
      { role: 'assistant', content: 'a', tool_calls: [] },
      { role: 'assistant', tool_calls: [{ type: 'function', function: { name: '', arguments: {} } }] },
      { role: 'tool', content: 'ok' },
    ],
    [
      'tool-call: messages[1].tool_calls: tool_calls is an empty list; remove the field',
      'tool-call: messages[2].tool_calls[0]: the id of the call is missing; expected text',
      'tool-call: messages[2].tool_calls[0]: the name of the tool is empty; expected text',
      'tool-call: messages[2].tool_calls[0]: the arguments are an object; expected JSON as text',
      'orphan-result: messages[3].tool_call_id: the id of the answered call is missing; expected text',
    ],
  ],
  [
    'a part without a type',
    [{ role: 'user', content: [{ text: 'hi' }, 'hi', { type: 'text' }] }],
    [
      'content: messages[0].content[0]: the part is an object; expected an object with a type',
      'content: messages[0].content[1]: the part is a string; expected an object with a type',
      'content: messages[0].content[2]: the part is without its value; expected an object with a type',
    ],
  ],
  [
    'a deprecated function call',
    [
      user,
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
      { role: 'function', name: 'f', content: '1' },
    ],
    [],
  ],
];

const use = (...ids: readonly string[]) => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'f', input: {} })),
});
const result = (...ids: readonly string[]) => ({
  role: 'user',
  content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })),
});
const said = { role: 'assistant', content: 'Hello.' };

const ANTHROPIC: Cases = [
  [
    'blocks of the wrong role',
    [
      {
        role: 'user',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'text', text: 'hi' },
        ],
      },
      { role: 'assistant', content: [{ type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } }] },
    ],
    [
      'content: messages[0].content[0]: only assistant messages can have a part thinking',
      'content: messages[1].content[0]: only user messages can have a part image',
    ],
  ],
  ['calls and their results', [user, use('a', 'b'), result('b', 'a'), said, user], []],
  [
    'text after the results',
    [user, use('a'), { role: 'user', content: [...result('a').content, { type: 'text', text: 'and?' }] }],
    [],
  ],
  ['an empty last message of the assistant', [user, { role: 'assistant', content: '' }], []],
  [
    'a tool that Anthropic runs',
    [
      user,
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } },
          { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
          { type: 'text', text: 'x' },
        ],
      },
    ],
    [],
  ],
  [
    'the assistant first',
    [said, user],
    ['first-role: messages[0]: the first message is of the assistant; expected one of the user'],
  ],
  [
    'two of one role',
    [user, user, said],
    ['alternation: messages[1]: the message before it is of the user, too; join them'],
  ],
  [
    'a missing result',
    [user, use('a', 'b'), result('a'), said, user],
    ['missing-result: messages[1]: the call "b" has no result in the next message'],
  ],
  [
    'a result one turn late',
    [user, use('a'), user, said, result('a')],
    [
      'missing-result: messages[1]: the call "a" has no result in the next message',
      'orphan-result: messages[4]: the result is for "a", which is not called in the message before it',
    ],
  ],
  [
    'ids that are not unique in the list',
    [user, use('a'), result('a'), use('a'), result('a')],
    ['repeated-id: messages[3]: another call has the id "a", too'],
  ],
  [
    'a role that Anthropic does not have',
    [{ role: 'system', content: 'Be brief.' }, user],
    ['message: messages[0]: the role is "system"; expected the role user or assistant'],
  ],
  [
    'empty content',
    [
      { role: 'user', content: [{ type: 'text', text: ' \n' }] },
      { role: 'assistant', content: [] },
      { role: 'user', content: ' ' },
    ],
    [
      'content: messages[0].content[0]: the text is empty; expected a text that is not white space alone',
      'content: messages[1].content: the content is empty; only the last message of the assistant may be',
      'content: messages[2].content: the content is empty; only the last message of the assistant may be',
    ],
  ],
  [
    'blocks of the wrong side',
    [
      { role: 'user', content: use('a').content },
      { role: 'assistant', content: result('a').content },
    ],
    [
      'tool-call: messages[0].content[0]: only an assistant message can call tools',
      'missing-result: messages[0]: the call "a" has no result in the next message',
      'orphan-result: messages[1].content[0]: only a user message can have tool results',
      'orphan-result: messages[1]: the result is for "a", which is not called in the message before it',
    ],
  ],
  [
    'thinking at the end',
    [user, { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 's' }] }],
    [
      'content: messages[1].content[0]: the last block of the message is thinking; expected text or a tool call after it',
    ],
  ],
];

const call = (id: string) => ({ type: 'function_call', id: `fc_${id}`, call_id: id, name: 'f', arguments: '{}' });
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'ok' });
const reasoning = (id: string) => ({ type: 'reasoning', id, summary: [] });

const RESPONSES: Cases = [
  [
    'parts of the wrong role',
    [
      { role: 'user', content: [{ type: 'output_text', text: 'hi' }] },
      { role: 'assistant', content: [{ type: 'input_text', text: 'hello' }] },
    ],
    [
      'content: input[0].content[0]: user messages cannot have a part output_text',
      'content: input[1].content[0]: assistant messages cannot have a part input_text',
    ],
  ],
  ['reasoning, calls and outputs', [user, reasoning('r'), call('a'), call('b'), output('a'), output('b'), user], []],
  ['an output after a message', [user, call('a'), user, output('a')], []],
  ['the output of a call that OpenAI has stored', [user, { type: 'item_reference', id: 'fc_1' }, output('a')], []],
  [
    'a shell',
    [
      user,
      { type: 'shell_call', call_id: 's', action: { commands: ['ls'] } },
      {
        type: 'shell_call_output',
        call_id: 's',
        output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
      },
    ],
    [],
  ],
  [
    'an output without a call',
    [user, output('a')],
    ['orphan-result: input[1]: the result is for "a", which is not called before it'],
  ],
  [
    'an output before its call',
    [user, output('a'), call('a')],
    [
      'orphan-result: input[1]: the result is for "a", which is not called before it',
      'missing-result: input[2]: the call "a" has no result after it',
    ],
  ],
  [
    'reasoning without what follows',
    [user, reasoning('r'), user],
    ['reasoning: input[1]: the reasoning is not followed by the message or the call that it led to'],
  ],
  [
    'an item that is there twice',
    [user, call('a'), output('a'), { ...call('b'), id: 'fc_a' }, output('b')],
    ['repeated-id: input[3].id: another item has the id "fc_a", too'],
  ],
  [
    'items without a type, and of none that messages have',
    [{ content: 'hi' }, { type: 'message', content: 'hi' }, { role: 'user', content: [{ type: 'input_text' }] }],
    [
      'message: input[0]: the entry has no role; expected a role, or a type such as function_call',
      'message: input[1]: the type is "message"; expected a role, or a type such as function_call',
      'content: input[2].content[0]: the part has no type or no value; expected an object with both',
    ],
  ],
];

const modelCall = (...ids: readonly string[]) => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool-call', toolCallId: id, toolName: 'f', input: {} })),
});
const modelResult = (...ids: readonly string[]) => ({
  role: 'tool',
  content: ids.map((id) => ({
    type: 'tool-result',
    toolCallId: id,
    toolName: 'f',
    output: { type: 'text', value: 'ok' },
  })),
});
const asked = {
  role: 'assistant',
  content: [...modelCall('a').content, { type: 'tool-approval-request', approvalId: 'q', toolCallId: 'a' }],
};
const allowed = { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'q', approved: true }] };

const AI_SDK: Cases = [
  [
    'calls and results, in one message or several',
    [user, modelCall('a', 'b'), modelResult('a'), modelResult('b'), modelCall('c'), modelResult('c')],
    [],
  ],
  ['a call that waits for its approved run', [user, asked, allowed], []],
  ['a call that ran after it was approved', [user, asked, allowed, modelResult('a'), user], []],
  [
    'a tool that the provider runs',
    [
      user,
      {
        role: 'assistant',
        content: [
          { ...modelCall('a').content[0], providerExecuted: true },
          ...modelResult('a').content,
          { type: 'text', text: 'so' },
        ],
      },
    ],
    [],
  ],
  [
    'a missing result',
    [user, modelCall('a'), user],
    ['missing-result: messages[1]: the call "a" has no result right after it'],
  ],
  [
    'a call that waits in the middle',
    [user, asked, allowed, user],
    ['missing-result: messages[1]: the call "a" has no result right after it'],
  ],
  [
    'parts of the wrong role',
    [
      { role: 'user', content: modelCall('a').content },
      { role: 'tool', content: 'ok' },
      { role: 'system', content: [] },
    ],
    [
      'content: messages[0].content[0]: a user message cannot have a part tool-call',
      'missing-result: messages[0]: the call "a" has no result right after it',
      'content: messages[1].content: the content is a string; expected a list of tool results',
      'content: messages[2].content: the content is a list; expected text',
      'content: messages[2].content: the content is an empty list; expected parts',
    ],
  ],
  [
    'a result without output',
    [
      user,
      modelCall('a'),
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'f', result: 'ok' }] },
    ],
    ['content: messages[2].content[0].output: the output is missing'],
  ],
];

describe.each<[MessageFormat, Cases]>([
  ['openai-chat', CHAT],
  ['anthropic', ANTHROPIC],
  ['openai-responses', RESPONSES],
  ['ai-sdk', AI_SDK],
])('%s', (format, cases) => {
  test.each(cases)('%s', (_, list, expected) => {
    expect(found(format, list)).toEqual(expected);
  });
});

test('a problem names its message, its part and its rule', () => {
  expect(checkMessages({ system: [{ type: 'text', text: '' }], messages: [said] }, { format: 'anthropic' })).toEqual([
    {
      path: '[0]',
      rule: 'content',
      text: 'system[0]: the text is empty; expected a text that is not white space alone',
    },
    {
      index: 0,
      path: '',
      rule: 'first-role',
      text: 'messages[0]: the first message is of the assistant; expected one of the user',
    },
  ]);
});
