import { AssizeError, isMap, ownValue } from '../../../src/unit-sdk.js';
import { checkFormat } from './formats.js';
import { MESSAGE_FORMATS, type MessageFormat, textOf } from './message.js';

type Formats = readonly MessageFormat[];

const CHAT = ['openai-chat'] as const;
const RESPONSES = ['openai-responses'] as const;
const ANTHROPIC = ['anthropic'] as const;
const AI_SDK = ['ai-sdk'] as const;

/** The formats that have a role. */
const ROLES = new Map<unknown, Formats>([
  ['user', MESSAGE_FORMATS],
  ['assistant', MESSAGE_FORMATS],
  ['system', [...CHAT, ...AI_SDK, ...RESPONSES]],
  ['developer', [...CHAT, ...RESPONSES]],
  ['tool', [...CHAT, ...AI_SDK]],
  ['function', CHAT],
]);

/** The formats that have a key besides `role` and `content`. */
const KEYS = new Map<string, Formats>([
  ['role', MESSAGE_FORMATS],
  ['content', MESSAGE_FORMATS],
  ['providerOptions', AI_SDK],
  ['type', RESPONSES],
  ['id', RESPONSES],
  ['status', RESPONSES],
  ...['name', 'tool_calls', 'tool_call_id', 'function_call', 'refusal', 'audio', 'annotations'].map(
    (key) => [key, CHAT] as const,
  ),
]);

/** The formats that have a type of part. */
const PARTS = new Map<unknown, Formats>([
  ['text', [...CHAT, ...ANTHROPIC, ...AI_SDK]],
  ['image', [...ANTHROPIC, ...AI_SDK]],
  ['file', [...CHAT, ...AI_SDK]],
  ['refusal', [...CHAT, ...RESPONSES]],
  ['image_url', CHAT],
  ['input_audio', CHAT],
  ...['input_text', 'output_text', 'input_image', 'input_file'].map((type) => [type, RESPONSES] as const),
  ...['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'document', 'search_result', 'server_tool_use'].map(
    (type) => [type, ANTHROPIC] as const,
  ),
  ...['tool-call', 'tool-result', 'reasoning', 'tool-approval-request', 'tool-approval-response'].map(
    (type) => [type, AI_SDK] as const,
  ),
]);

/** A key that tells apart parts of the same type. */
const PART_KEYS = new Map<string, Formats>([
  ['source', ANTHROPIC],
  ['image', AI_SDK],
  ['mediaType', AI_SDK],
  ['file', CHAT],
]);

/** The items of the Responses API that are not messages. */
const ITEMS =
  /^(?:reasoning|item_reference|(?:function|custom_tool|computer|local_shell|shell|apply_patch)_call(?:_output)?|(?:file_search|web_search|image_generation|code_interpreter|mcp)_call)$/;

/**
 * Detects the format of messages, if it is certain that they are messages: every entry has a known role and no key that
 * messages do not have. Plain texts, which are the same in all formats, count as `openai-chat`, and as `anthropic` beside
 * a `system`.
 *
 * @param input a list, or a request with `messages` or `input`
 * @returns undefined if it is not certain
 */
export function detectMessageFormat(input: unknown): MessageFormat | undefined {
  if (Array.isArray(input)) return formatsOf(input, MESSAGE_FORMATS)[0];
  if (!isMap(input)) return undefined;
  const messages = ownValue(input, 'messages');
  const system = ownValue(input, 'system');
  if (Array.isArray(messages)) {
    const possible: Formats = system === undefined ? [...CHAT, ...ANTHROPIC, ...AI_SDK] : [...ANTHROPIC, ...AI_SDK];
    return formatsOf(messages, possible)[0];
  }
  const items = ownValue(input, 'input');
  const isRequest = ownValue(input, 'instructions') !== undefined || ownValue(input, 'model') !== undefined;
  const isCertain = isRequest || (Array.isArray(items) && formatsOf(items, MESSAGE_FORMATS).length === 1);
  return Array.isArray(items) && isCertain ? formatsOf(items, RESPONSES)[0] : undefined;
}

/** The given format, or the detected one. @throws AssizeError (ASZ533) if neither is known */
export function knownFormat(input: unknown, given: unknown): MessageFormat {
  const format = checkFormat(given) ?? detectMessageFormat(input);
  if (format !== undefined) return format;
  const hint = `pass the format: ${MESSAGE_FORMATS.join(', ')}`;
  throw new AssizeError([{ code: 'ASZ533', message: 'the format of the messages cannot be detected', hint }]);
}

/** The formats that a list can have. */
function formatsOf(entries: readonly unknown[], possible: Formats): Formats {
  let left: Formats = entries.length === 0 ? [] : possible;
  for (const entry of entries) {
    if (left.length === 0) return left;
    left = both(left, formatsOfEntry(entry));
  }
  return left;
}

const both = (left: Formats, right: Formats): Formats => left.filter((format) => right.includes(format));

function formatsOfEntry(entry: unknown): Formats {
  if (!isMap(entry)) return [];
  const role = ownValue(entry, 'role');
  if (role === undefined) return ITEMS.test(textOf(ownValue(entry, 'type'))) ? RESPONSES : [];
  let left = ROLES.get(role) ?? [];
  for (const key of Object.keys(entry)) left = both(left, KEYS.get(key) ?? []);
  const content = ownValue(entry, 'content');
  if (role === 'tool')
    left = both(left, Array.isArray(content) && ownValue(entry, 'tool_call_id') === undefined ? AI_SDK : CHAT);
  if (typeof content === 'string') return left;
  if (content === undefined) return both(left, CHAT);
  if (!Array.isArray(content)) return [];
  for (const part of content) {
    left = both(left, PARTS.get(ownValue(part, 'type')) ?? []);
    for (const [key, formats] of PART_KEYS) if (ownValue(part, key) !== undefined) left = both(left, formats);
  }
  return left;
}
