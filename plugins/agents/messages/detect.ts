import { AssizeError, isMap, ownValue } from '../../../src/unit-sdk.js';
import { checkFormat } from './formats.js';
import { addedField, describe, MESSAGE_FORMATS, type MessageFormat, notAMessage, textOf, typeName } from './message.js';

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

/** Keys that only messages of these formats have. Any other key, such as `timestamp`, says nothing about the format. */
const KEYS = new Map<string, Formats>([
  ['providerOptions', AI_SDK],
  ...['tool_calls', 'tool_call_id', 'function_call'].map((key) => [key, CHAT] as const),
]);

/** Keys that stand for the content of a message of OpenAI chat. */
const INSTEAD_OF_CONTENT = ['tool_calls', 'function_call', 'refusal', 'audio'];

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
 * Detects the format of messages, if it is certain that they are messages: every entry has a known role and content, and
 * no field that Assize adds to candidates, such as `tokens`. Plain texts, which are the same in all formats, count as
 * `openai-chat`, and as `anthropic` beside a `system`.
 *
 * @param input a list, or a request with `messages` or `input`
 * @returns undefined if it is not certain
 */
export function detectMessageFormat(input: unknown): MessageFormat | undefined {
  const found = detect(input);
  return 'format' in found ? found.format : undefined;
}

/**
 * Why the format of what looks like a conversation cannot be detected.
 *
 * @returns undefined if it does not look like a conversation: not every entry has a role and content, or an entry has a
 *   field that Assize adds to candidates
 */
export function undetectedReason(input: unknown): string | undefined {
  const entries: unknown = Array.isArray(input) ? input : (ownValue(input, 'messages') ?? ownValue(input, 'input'));
  if (!Array.isArray(entries) || !entries.every(looksLikeMessage)) return undefined;
  if (!entries.some((entry) => ROLES.has(ownValue(entry, 'role')))) return undefined;
  const found = detect(input);
  return 'reason' in found ? found.reason : undefined;
}

const looksLikeMessage = (entry: unknown): boolean =>
  typeof ownValue(entry, 'role') === 'string' && isMap(entry) && 'content' in entry && addedField(entry) === undefined;

type Detected = { readonly format: MessageFormat } | { readonly reason: string };

function detect(input: unknown): Detected {
  if (Array.isArray(input)) return formatOf(input, MESSAGE_FORMATS);
  const messages = ownValue(input, 'messages');
  if (Array.isArray(messages)) {
    const possible: Formats =
      ownValue(input, 'system') === undefined ? [...CHAT, ...ANTHROPIC, ...AI_SDK] : [...ANTHROPIC, ...AI_SDK];
    return formatOf(messages, possible);
  }
  const items = ownValue(input, 'input');
  if (!Array.isArray(items)) return { reason: 'it has no list of messages' };
  const isRequest = ownValue(input, 'instructions') !== undefined || ownValue(input, 'model') !== undefined;
  const found = formatOf(items, isRequest ? RESPONSES : MESSAGE_FORMATS);
  // Without other keys of a request, only items that no other format has are certain.
  return isRequest || ('format' in found && found.format === 'openai-responses')
    ? found
    : { reason: 'it has no model' };
}

/** The given format, or the detected one. @throws AssizeError (ASZ533) if neither is known */
export function knownFormat(input: unknown, given: unknown): MessageFormat {
  const format = checkFormat(given) ?? detectMessageFormat(input);
  if (format !== undefined) return format;
  const hint = `pass the format: ${MESSAGE_FORMATS.join(', ')}`;
  const reason = undetectedReason(input);
  const message = `the format of the messages cannot be detected${reason === undefined ? '' : `: ${reason}`}`;
  throw new AssizeError([{ code: 'ASZ533', message, hint }]);
}

/** The first of the formats that a list can have. */
function formatOf(entries: readonly unknown[], possible: Formats): Detected {
  let left = possible;
  for (const [index, entry] of entries.entries()) {
    for (const { text, formats } of evidenceOf(entry)) {
      const before = left;
      left = left.filter((format) => formats.includes(format));
      if (left.length > 0) continue;
      const conflict = `, as in ${formats.join(', ')}; the other entries are of ${before.join(' or ')}`;
      return { reason: `[${index}]: ${text}${formats.length === 0 ? '' : conflict}` };
    }
  }
  const [format] = left;
  return format === undefined || entries.length === 0 ? { reason: 'the list is empty' } : { format };
}

/** A property of an entry, and the formats that have it. */
interface Evidence {
  readonly text: string;
  readonly formats: Formats;
}

function* evidenceOf(entry: unknown): Generator<Evidence> {
  const role = ownValue(entry, 'role');
  if (!isMap(entry) || role === undefined) {
    const isItem = isMap(entry) && ITEMS.test(textOf(ownValue(entry, 'type')));
    yield { text: notAMessage(entry), formats: isItem ? RESPONSES : [] };
    return;
  }
  const known = ROLES.get(role);
  const expected = known ? '' : `; expected ${[...ROLES.keys()].join(', ')}`;
  yield { text: `${notAMessage(entry)}${expected}`, formats: known ?? [] };
  const added = addedField(entry);
  if (added !== undefined) yield { text: `${added} is a field of a candidate`, formats: [] };
  for (const [key, formats] of KEYS) if (ownValue(entry, key) !== undefined) yield { text: `it has ${key}`, formats };
  if (ownValue(entry, 'type') === 'message') yield { text: 'the type is "message"', formats: RESPONSES };
  yield* evidenceOfContent(entry, role);
}

function* evidenceOfContent(entry: object, role: unknown): Generator<Evidence> {
  const content = ownValue(entry, 'content');
  const text = `the content is ${describe(content)}`;
  if (role === 'tool') {
    const isList = Array.isArray(content) && ownValue(entry, 'tool_call_id') === undefined;
    yield { text: `${text}, and the role is "tool"`, formats: isList ? AI_SDK : CHAT };
  }
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) {
    const isChat = content === undefined && INSTEAD_OF_CONTENT.some((key) => ownValue(entry, key) !== undefined);
    yield { text, formats: isChat ? CHAT : [] };
    return;
  }
  for (const [at, part] of content.entries()) {
    const type = ownValue(part, 'type');
    yield { text: `content[${at}] has the type ${typeName(type, part)}`, formats: PARTS.get(type) ?? [] };
    for (const [key, formats] of PART_KEYS)
      if (ownValue(part, key) !== undefined) yield { text: `content[${at}] has ${key}`, formats };
  }
}
