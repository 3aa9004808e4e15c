import type { MessageFormat } from '../../src/agents.js';

/** A call of a tool with its result, before it is written in a format. */
interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, string>>;
  readonly result: string;
  readonly image: boolean;
}

/** A part of a conversation, before it is written in a format. */
type Part =
  | { readonly kind: 'user'; readonly text: string; readonly image: boolean }
  | { readonly kind: 'answer'; readonly text: string; readonly thinks: boolean }
  | {
      readonly kind: 'calls';
      readonly text: string | undefined;
      readonly thinks: boolean;
      readonly calls: readonly Call[];
      /** The order of the results. */
      readonly order: readonly number[];
    };

/** A conversation, before it is written in a format. */
export interface Conversation {
  readonly system: string | undefined;
  readonly parts: readonly Part[];
}

const WORDS =
  'flight hotel Oslo Bergen bag seat fare gate delay refund card name date train ferry price km 14 7 250 €'.split(' ');

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** A random conversation with about this many items: questions, answers, and parallel calls with their results. */
export function randomConversation(next: () => number, items: number): Conversation {
  const below = (end: number): number => Math.min(end - 1, Math.floor(next() * end));
  const words = (most: number): string =>
    Array.from({ length: 1 + below(most) }, () => WORDS[below(WORDS.length)]!).join(' ');
  const parts: Part[] = [];
  let [size, calls] = [0, 0];
  const callsPart = (): Part => {
    const made = Array.from({ length: next() < 0.6 ? 1 : 2 + below(3) }, (): Call => {
      const result = words(next() < 0.1 ? 400 : 40);
      return { id: `call_${calls++}`, name: WORDS[below(6)]!, input: { q: words(6) }, result, image: next() < 0.05 };
    });
    const order = [...made.keys()].map((at) => ({ at, lot: next() })).toSorted((a, b) => a.lot - b.lot);
    const text = next() < 0.3 ? words(20) : undefined;
    return { kind: 'calls', text, thinks: next() < 0.3, calls: made, order: order.map(({ at }) => at) };
  };
  while (size < items) {
    parts.push({ kind: 'user', text: words(60), image: next() < 0.1 });
    size += 1;
    while (size < items && next() < 0.55) {
      const part = callsPart();
      parts.push(part);
      size += part.kind === 'calls' ? 1 + part.calls.length : 0;
    }
    if (size >= items) break; // in the middle of the work, or with a question
    parts.push({ kind: 'answer', text: words(80), thinks: next() < 0.2 });
    size += 1;
  }
  return { system: next() < 0.8 ? words(60) : undefined, parts };
}

/** A conversation as a request in a format. */
export const requestIn = (conversation: Conversation, format: MessageFormat): object => REQUESTS[format](conversation);

type Message = Readonly<Record<string, unknown>>;

const REQUESTS: Readonly<Record<MessageFormat, (conversation: Conversation) => object>> = {
  'openai-chat': ({ system, parts }) => {
    const prompt = system === undefined ? [] : [{ role: 'system', content: system }];
    return { messages: [...prompt, ...parts.flatMap(chatMessages)] };
  },
  'openai-responses': ({ system, parts }) => ({
    ...(system !== undefined && { instructions: system }),
    input: parts.flatMap(responseItems),
  }),
  anthropic: ({ system, parts }) => ({
    ...(system !== undefined && { system }),
    messages: joined(parts.flatMap(anthropicMessages)),
  }),
  'ai-sdk': ({ system, parts }) => ({
    ...(system !== undefined && { system }),
    messages: parts.flatMap(modelMessages),
  }),
};

const inOrder = ({ calls, order }: Extract<Part, { readonly kind: 'calls' }>): readonly Call[] =>
  order.map((at) => calls[at]!);

function chatMessages(part: Part): readonly Message[] {
  if (part.kind === 'user') {
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } };
    return [{ role: 'user', content: part.image ? [{ type: 'text', text: part.text }, image] : part.text }];
  }
  if (part.kind === 'answer') return [{ role: 'assistant', content: part.text }];
  const toolCalls = part.calls.map(({ id, name, input }) => {
    return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
  });
  return [
    { role: 'assistant', content: part.text ?? null, tool_calls: toolCalls },
    ...inOrder(part).map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: result })),
  ];
}

let reasoned = 0;

function responseItems(part: Part): readonly Message[] {
  if (part.kind === 'user') {
    const image = { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}`, detail: 'auto' };
    return [{ role: 'user', content: part.image ? [{ type: 'input_text', text: part.text }, image] : part.text }];
  }
  const reasoning = part.thinks
    ? [{ type: 'reasoning', id: `rs_${reasoned++}`, summary: [{ type: 'summary_text', text: 'Let me see.' }] }]
    : [];
  const said = (text: string): Message => ({
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [] }],
  });
  if (part.kind === 'answer') return [...reasoning, said(part.text)];
  return [
    ...reasoning,
    ...(part.text === undefined ? [] : [said(part.text)]),
    ...part.calls.map(({ id, name, input }) => {
      return { type: 'function_call', call_id: id, name, arguments: JSON.stringify(input) };
    }),
    ...inOrder(part).map(({ id, result }) => ({ type: 'function_call_output', call_id: id, output: result })),
  ];
}

const anthropicImage = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } };

function anthropicMessages(part: Part): readonly Message[] {
  if (part.kind === 'user') {
    const text = { type: 'text', text: part.text };
    return [{ role: 'user', content: part.image ? [anthropicImage, text] : part.text }];
  }
  const thinking = part.thinks ? [{ type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' }] : [];
  if (part.kind === 'answer') return [{ role: 'assistant', content: [...thinking, { type: 'text', text: part.text }] }];
  const text = part.text === undefined ? [] : [{ type: 'text', text: part.text }];
  const uses = part.calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }));
  const results = inOrder(part).map(({ id, result, image }) => {
    const content = image ? [{ type: 'text', text: result }, anthropicImage] : result;
    return { type: 'tool_result', tool_use_id: id, content };
  });
  return [
    { role: 'assistant', content: [...thinking, ...text, ...uses] },
    { role: 'user', content: results },
  ];
}

/** Joins neighbours of one role, as Anthropic requires. */
function joined(messages: readonly Message[]): readonly Message[] {
  const list: Message[] = [];
  for (const message of messages) {
    const last = list.at(-1);
    if (last === undefined || last['role'] !== message['role']) list.push(message);
    else list[list.length - 1] = { ...last, content: [...blocks(last), ...blocks(message)] };
  }
  return list;
}

const blocks = ({ content }: Message): readonly unknown[] =>
  Array.isArray(content) ? content : [{ type: 'text', text: content }];

function modelMessages(part: Part): readonly Message[] {
  if (part.kind === 'user') {
    const text = { type: 'text', text: part.text };
    const image = { type: 'image', image: PIXEL, mediaType: 'image/png' };
    return [{ role: 'user', content: part.image ? [text, image] : part.text }];
  }
  const reasoning = part.thinks ? [{ type: 'reasoning', text: 'Let me see.' }] : [];
  if (part.kind === 'answer')
    return [{ role: 'assistant', content: [...reasoning, { type: 'text', text: part.text }] }];
  const text = part.text === undefined ? [] : [{ type: 'text', text: part.text }];
  const calls = part.calls.map(({ id, name, input }) => {
    return { type: 'tool-call', toolCallId: id, toolName: name, input };
  });
  const results = inOrder(part).map(({ id, name, result, image }) => {
    const value = [
      { type: 'text', text: result },
      { type: 'image-data', data: PIXEL, mediaType: 'image/png' },
    ];
    const output = image ? { type: 'content', value } : { type: 'text', value: result };
    return { type: 'tool-result', toolCallId: id, toolName: name, output };
  });
  return [
    { role: 'assistant', content: [...reasoning, ...text, ...calls] },
    { role: 'tool', content: results },
  ];
}
