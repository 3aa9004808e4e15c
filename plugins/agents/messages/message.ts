import { ownValue } from '../../../src/unit-sdk.js';

/** The formats of messages, by the API that accepts them. */
export const MESSAGE_FORMATS = ['openai-chat', 'openai-responses', 'anthropic', 'ai-sdk'] as const;

/**
 * A format of messages.
 *
 * - `openai-chat`: the `messages` of OpenAI's chat completions
 * - `openai-responses`: the `input` of OpenAI's Responses API, with its output items
 * - `anthropic`: the `messages` and the `system` of Anthropic's Messages API
 * - `ai-sdk`: the `ModelMessage[]` of the AI SDK
 */
export type MessageFormat = (typeof MESSAGE_FORMATS)[number];

/** Who speaks. A result of a tool is a `tool` message in every format, also inside a user message of Anthropic. */
export type MessageRole = 'system' | 'developer' | 'user' | 'assistant' | 'tool';

/** A message as a candidate. It also has the fields of the message that no provider documents, such as `timestamp`. */
export interface MessageCandidate {
  /** Unique: its role and its position, `tool-5`. */
  readonly id: string;
  /** Its position. A system prompt that is a field of the request comes first. */
  readonly index: number;
  readonly role: MessageRole;
  /** Its text, with its tool calls as `name(arguments)`. Images and files are not in it. */
  readonly content: string;
  /** Its cost. */
  readonly tokens: number;
  /** The same for an assistant message with tool calls and for all of their results; absent for a message that stands alone. */
  readonly group?: string;
  /** Whether it is a system or developer message, or the last message of the user. */
  readonly pinned: boolean;
  readonly format: MessageFormat;
  /** The field of the request that the message was, if it was not in the list. */
  readonly field?: 'system' | 'instructions';
  /** Shorter versions, of which at most one is packed. */
  readonly variants?: readonly MessageVersion[];
  /** The original, untouched. For a field of the request, `{ role: 'system', content }` with its value. */
  readonly message: object;
}

/** The fields that Assize adds to a message. A list whose entries have one consists of candidates already. */
const ADDED_FIELDS: readonly string[] = [
  'index',
  'tokens',
  'group',
  'pinned',
  'format',
  'field',
  'variants',
  'message',
];

/** The first field of an entry that Assize adds to messages. */
export const addedField = (entry: unknown): string | undefined =>
  ADDED_FIELDS.find((field) => ownValue(entry, field) !== undefined);

/** The keys of a message that no codec knows. */
export const unknownKeys = ({ unknown }: MessageView): readonly string[] =>
  unknown.flatMap(({ path, type }) => (type === `field ${path}` ? [path] : []));

/** The fields of a message that no codec knows, such as `timestamp`, which its candidate has as well. */
export function otherFields(message: object, view: MessageView): Readonly<Record<string, unknown>> {
  const keys = unknownKeys(view).filter((key) => !ADDED_FIELDS.includes(key));
  return Object.fromEntries(keys.map((key) => [key, ownValue(message, key)]));
}

/** A shorter version of a message. */
export interface MessageVersion {
  readonly content: string;
  /** The cost of the message with this text, including calls and reasoning, which stay. */
  readonly tokens: number;
}

/** The call of a tool. */
export interface ToolCall {
  readonly id: string;
  /** Whether the next request is refused without its result. */
  readonly required: boolean;
  /** The id of the question whether the tool may run: once it is answered, the result may come later. */
  readonly approval?: string;
}

/** An image, as far as its cost depends on it. */
export interface ImagePart {
  /** Base64, a data URL or bytes; undefined for an address and an uploaded file. */
  readonly data?: unknown;
  readonly detail?: unknown;
}

/** A rule of a provider. */
export type MessageRule =
  | 'message'
  | 'content'
  | 'tool-call'
  | 'missing-result'
  | 'orphan-result'
  | 'repeated-result'
  | 'repeated-id'
  | 'result-first'
  | 'first-role'
  | 'alternation'
  | 'reasoning'
  | 'empty';

/** What one message of any format has in common with the others. */
export class MessageView {
  /** The text. */
  readonly texts: string[] = [];
  /** Other texts that cost tokens: names, and what no codec knows. */
  readonly counted: string[] = [];
  readonly images: ImagePart[] = [];
  /** The number of files and recordings, whose cost cannot be read from their bytes. */
  files = 0;
  readonly calls: ToolCall[] = [];
  /** The ids of the calls that it answers. */
  readonly results: string[] = [];
  /** Paths and types of parts that no codec knows. */
  readonly unknown: { readonly path: string; readonly type: string }[] = [];
  /** The rules that the message itself violates. */
  readonly faults: { readonly path: string; readonly rule: MessageRule; readonly text: string }[] = [];
  /** Whether it has content besides results. */
  speaks = false;
  /** Whether nothing is in it. */
  blank = false;
  /** The path of its last block, if that is thinking, which something must follow. */
  thinkingLast: string | undefined;
  /** For an item of the Responses API: its id, and whether the model wrote it. */
  itemId: string | undefined;
  kind: 'message' | 'output' | 'reasoning' = 'message';
  /** Whether it may be a call whose id is not in the list. */
  opaque = false;

  constructor(public role: MessageRole) {}

  fault(path: string, rule: MessageRule, text: string): void {
    this.faults.push({ path, rule, text });
  }

  /** Checks a part that only messages of one role may have. */
  checkPartRole(path: string, type: unknown, roles: ReadonlyMap<unknown, MessageRole>): void {
    const role = roles.get(type);
    if (role !== undefined && role !== this.role)
      this.fault(path, 'content', `only ${role} messages can have a part ${String(type)}`);
  }

  /** Adds a part of an unknown type: it is kept, named, and counted as JSON. */
  addUnknown(path: string, type: string, value: unknown): void {
    this.unknown.push({ path, type });
    this.counted.push(jsonText(value));
  }

  /** Adds a tool call. */
  addCall(
    path: string,
    call: Readonly<Record<'id' | 'name' | 'input', unknown>>,
    required = true,
    approval?: string,
  ): void {
    const { id, name, input } = call;
    if (!isName(id)) this.fault(path, 'tool-call', `the id of the call is ${describe(id)}; expected text`);
    else this.calls.push({ id, required, ...(approval !== undefined && { approval }) });
    if (!isName(name)) this.fault(path, 'tool-call', `the name of the tool is ${describe(name)}; expected text`);
    this.texts.push(`${typeof name === 'string' ? name : ''}(${typeof input === 'string' ? input : jsonText(input)})`);
    this.speaks = true;
  }

  /** Adds the id of the call that a result answers. */
  addResult(path: string, id: unknown): void {
    if (isName(id)) this.results.push(id);
    else this.fault(path, 'orphan-result', `the id of the answered call is ${describe(id)}; expected text`);
  }

  /** Adds keys of a message that its codec does not know. */
  addOtherKeys(value: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): void {
    for (const key of Object.keys(value)) {
      if (known.has(key) || value[key] === undefined || value[key] === null) continue;
      this.addUnknown(key, `field ${key}`, value[key]);
    }
  }
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** A value in a sentence: `null`, `a list`, `a number`, `empty`. */
export function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (value === '') return 'empty';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** A text, or an empty one for any other value: `String` fails for some objects. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The type of a part in a sentence, shortened. */
export function typeName(type: unknown, part: unknown): string {
  if (typeof type !== 'string') return describe(part);
  return type.length > 60 ? `${type.slice(0, 60)}…` : type;
}

/** A value as JSON. What JSON cannot hold, such as a circle, is its description. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return describe(value);
  }
}

/** The role or type of a value in a sentence, for an entry of a list that is not a message. */
export function notAMessage(value: unknown): string {
  const [role, type] = [ownValue(value, 'role'), ownValue(value, 'type')];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `the entry is ${describe(value)}`;
  if (role !== undefined)
    return `the role is ${typeof role === 'string' ? JSON.stringify(role.slice(0, 40)) : describe(role)}`;
  return typeof type === 'string' ? `the type is ${JSON.stringify(type.slice(0, 40))}` : 'the entry has no role';
}
