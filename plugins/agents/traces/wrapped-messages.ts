/*
 * Messages as exporters wrap them: `{ messages }`, `{ generations }` of LangChain, `{ choices }` of OpenAI, and LangChain's
 * own messages.
 */
import { anyOf, at, isMap, listOf, stringOf } from './values.js';

/** The messages in a value, which may be wrapped. */
export function unwrapMessages(value: unknown): unknown {
  const messages = anyOf(value, 'messages');
  if (messages !== undefined && at(value, 'role') === undefined) return flat(messages);
  const generations = anyOf(value, 'generations');
  if (Array.isArray(generations)) {
    return generations.flat().map((one) => at(one, 'message') ?? { role: 'assistant', content: at(one, 'text') });
  }
  const choices = anyOf(value, 'choices');
  return Array.isArray(choices) ? choices.flatMap((choice) => at(choice, 'message') ?? []) : flat(value);
}

/** LangChain has a list of conversations, of which requests use one. */
const flat = (value: unknown): unknown => (Array.isArray(value) ? value.flat() : value);

/** Whether a value has messages, so that it is not only a text or some other data. */
export function hasMessages(value: unknown): boolean {
  const found = unwrapMessages(value);
  const list = Array.isArray(found) ? found : [found];
  return list.length > 0 && list.every((one) => isMap(one) && stringOf(at(unwrapMessage(one), 'role')) !== undefined);
}

const ROLES: ReadonlySet<string> = new Set(['human', 'ai', 'system', 'tool', 'function', 'developer']);

/** A message of LangChain as one with a role: `{ lc, id, kwargs }`, `{ type, data }`, or `{ type, content }`. */
export function unwrapMessage(message: unknown): unknown {
  if (at(message, 'role') !== undefined) return message;
  const fields = anyOf(message, 'kwargs', 'data') ?? message;
  const name = at(message, 'lc') === undefined ? undefined : stringOf(listOf(at(message, 'id')).at(-1));
  const byName = name?.replace(/Message(?:Chunk)?$/, '').toLowerCase();
  const type = stringOf(at(fields, 'type')) ?? byName ?? stringOf(at(message, 'type'));
  if (!isMap(fields) || type === undefined || !ROLES.has(type)) return message;
  return at(fields, 'content') === undefined && at(fields, 'tool_calls') === undefined
    ? message
    : { ...fields, role: type };
}
