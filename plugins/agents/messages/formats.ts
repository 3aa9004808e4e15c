import { AssizeError, describeValue, isMap, ownValue } from '../../../src/unit-sdk.js';
import { viewOfModelMessage } from './ai-sdk.js';
import { viewOfAnthropicMessage, viewOfAnthropicSystem } from './anthropic.js';
import { MESSAGE_FORMATS, type MessageFormat, type MessageView, notAMessage } from './message.js';
import { viewOfChatMessage } from './openai-chat.js';
import { viewOfResponseItem } from './openai-responses.js';

/** What the code needs to know of a format. */
interface Format {
  /** Reads a message of the list; undefined if the value is not one. */
  readonly view: (message: unknown) => MessageView | undefined;
  /** The roles or types in the error for a value that is not a message. */
  readonly expected: string;
  /** The field of a request that has the messages. */
  readonly list: 'messages' | 'input';
  /** The field of a request that has the system prompt, if it can be apart. */
  readonly apart?: 'system' | 'instructions';
  /** Where the results of a call must be: in the messages right after it, in the next turn, or anywhere later. */
  readonly results: 'next' | 'next-turn' | 'later';
  /** Whether no two calls in the list may have the same id; otherwise no two in a message. */
  readonly uniqueCalls: boolean;
  /** Whether user and assistant alternate, and the user begins. */
  readonly turns: boolean;
}

export const FORMATS: Readonly<Record<MessageFormat, Format>> = {
  'openai-chat': {
    view: viewOfChatMessage,
    expected: 'a role: system, developer, user, assistant or tool',
    list: 'messages',
    results: 'next',
    uniqueCalls: false,
    turns: false,
  },
  'openai-responses': {
    view: viewOfResponseItem,
    expected: 'a role, or a type such as function_call',
    list: 'input',
    apart: 'instructions',
    results: 'later',
    uniqueCalls: true,
    turns: false,
  },
  anthropic: {
    view: viewOfAnthropicMessage,
    expected: 'the role user or assistant',
    list: 'messages',
    apart: 'system',
    results: 'next-turn',
    uniqueCalls: true,
    turns: true,
  },
  'ai-sdk': {
    view: viewOfModelMessage,
    expected: 'a role: system, user, assistant or tool',
    list: 'messages',
    apart: 'system',
    results: 'next',
    uniqueCalls: true,
    turns: false,
  },
};

/** Why an entry is not a message of a format. */
export const describeOtherEntry = (entry: unknown, format: MessageFormat): string =>
  `${notAMessage(entry)}; expected ${FORMATS[format].expected}`;

/** Reads a system prompt that is a field of the request. Its blocks are those of Anthropic in every format. */
export const viewOfSystem = (content: unknown): MessageView =>
  viewOfAnthropicSystem(Array.isArray(content) || typeof content === 'string' ? content : ownValue(content, 'content'));

/** A request, taken apart. */
export interface Conversation {
  readonly messages: readonly unknown[];
  /** The system prompt, if it is a field of its own. */
  readonly system?: unknown;
}

/**
 * Finds the messages of a list or a request.
 *
 * @throws AssizeError (ASZ533) if there are none
 */
export function conversationOf(input: unknown, format: MessageFormat): Conversation {
  if (Array.isArray(input)) return { messages: input };
  const { list, apart } = FORMATS[format];
  const found = ownValue(input, list);
  const messages = list === 'input' && typeof found === 'string' ? [{ role: 'user', content: found }] : found;
  if (!isMap(input) || !Array.isArray(messages)) {
    const what = isMap(input) ? `an object whose ${list} is ${describeValue(found)}` : describeValue(input);
    const hint = `pass the list of messages, or the request with its ${list}`;
    throw new AssizeError([{ code: 'ASZ533', message: `the messages are ${what}; expected a list`, hint }]);
  }
  const system = apart === undefined ? undefined : ownValue(input, apart);
  return { messages, ...(system !== undefined && { system }) };
}

/** @throws AssizeError (ASZ533) if a format is given and unknown */
export function checkFormat(format: unknown): MessageFormat | undefined {
  if (format === undefined) return undefined;
  const known = MESSAGE_FORMATS.find((one) => one === format);
  if (known !== undefined) return known;
  const message = `the format of the messages is ${describeValue(format)}; expected ${MESSAGE_FORMATS.join(', ')}`;
  throw new AssizeError([{ code: 'ASZ533', message }]);
}
