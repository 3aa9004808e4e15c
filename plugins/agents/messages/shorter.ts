import { isMap, ownValue } from '../../../src/unit-sdk.js';
import type { MessageFormat } from './message.js';

type Message = Readonly<Record<string, unknown>>;

/**
 * Writes a shorter text into a message. Calls, reasoning and ids stay, because the provider checks them. If the message
 * is only results, the first has the text, and the others are empty. Other texts, images and files are removed.
 *
 * @returns undefined if the message has no place for a text: a call of the Responses API, or a screenshot
 */
export const withText = (message: Message, format: MessageFormat, text: string): Message | undefined =>
  WRITERS[format](message, text);

const WRITERS: Readonly<Record<MessageFormat, (message: Message, text: string) => Message | undefined>> = {
  'openai-chat'(message, text) {
    return { ...without(message, 'refusal', 'audio', 'annotations'), content: text };
  },

  'openai-responses'(item, text) {
    if (item['role'] !== undefined) {
      const isOutput = item['role'] === 'assistant' && Array.isArray(item['content']);
      return { ...item, content: isOutput ? [{ type: 'output_text', text, annotations: [] }] : text };
    }
    const type = item['type'];
    return type === 'function_call_output' || type === 'custom_tool_call_output'
      ? { ...item, output: text }
      : undefined;
  },

  anthropic(message, text) {
    const { content } = message;
    if (!Array.isArray(content)) return { ...message, content: text };
    if (message['role'] === 'user' && content.every((block) => typeOf(block) === 'tool_result'))
      return { ...message, content: content.map((block, at) => resultOf(block, at === 0 ? text : '')) };
    const isText = (block: unknown): boolean => ANTHROPIC_TEXTS.has(typeOf(block));
    const blocks = text.trim() === '' ? [] : [{ type: 'text', text }];
    return { ...message, content: replaced(content, isText, blocks, 'tool_use') };
  },

  'ai-sdk'(message, text) {
    const { content } = message;
    if (!Array.isArray(content) || message['role'] === 'user') return { ...message, content: text };
    if (message['role'] === 'tool') {
      const first = content.findIndex((part) => typeOf(part) === 'tool-result');
      if (first < 0) return undefined;
      return { ...message, content: content.map((part, at) => outputOf(part, at === first ? text : '')) };
    }
    const isText = (part: unknown): boolean => typeOf(part) === 'text' || typeOf(part) === 'file';
    return { ...message, content: replaced(content, isText, [{ type: 'text', text }], 'tool-call') };
  },
};

const without = (message: Message, ...keys: readonly string[]): Message =>
  Object.fromEntries(Object.entries(message).filter(([key]) => !keys.includes(key)));

const typeOf = (part: unknown): unknown => ownValue(part, 'type');

const ANTHROPIC_TEXTS: ReadonlySet<unknown> = new Set(['text', 'image', 'document', 'search_result']);

/** A result of Anthropic with a text. A result may have no content, but not an empty text. */
function resultOf(block: unknown, text: string): unknown {
  if (!isMap(block)) return block;
  const rest = without(block, 'content');
  return text.trim() === '' ? rest : { ...rest, content: text };
}

const outputOf = (part: unknown, value: string): unknown =>
  isMap(part) && typeOf(part) === 'tool-result' ? { ...part, output: { type: 'text', value } } : part;

/** The parts with others in the place of the last text. If there is no text, the others come before the first call. */
function replaced(
  parts: readonly unknown[],
  isText: (part: unknown) => boolean,
  others: readonly unknown[],
  call: string,
): readonly unknown[] {
  const last = parts.findLastIndex(isText);
  const firstCall = parts.findIndex((part) => typeOf(part) === call);
  const at = last >= 0 ? last : firstCall >= 0 ? firstCall : parts.length;
  const kept = (some: readonly unknown[]): readonly unknown[] => some.filter((part) => !isText(part));
  return [...kept(parts.slice(0, at)), ...others, ...kept(parts.slice(at))];
}
