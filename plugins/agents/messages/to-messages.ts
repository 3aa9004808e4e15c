import { AssizeError, describeValue, isMap, ownValue } from '../../../src/unit-sdk.js';
import { faultsAfterJoining, turnOf } from './check.js';
import { FORMATS } from './formats.js';
import { MESSAGE_FORMATS, type MessageFormat, type MessageRule, type MessageView } from './message.js';

/** The message of the user that begins a list of Anthropic whose first selected message is of the assistant. */
export const OPENING = '[Earlier messages were left out.]';

/** The options of `messagesFromCandidates`. */
export interface PackedOptions {
  /** The format of an empty selection. Otherwise the candidates tell it. */
  readonly format?: MessageFormat | undefined;
}

/** A candidate that is not in the list, because the provider would refuse the list with it. */
export interface DroppedMessage {
  readonly id: string;
  readonly index: number;
  readonly rule: MessageRule;
  /** Why, in a sentence. */
  readonly text: string;
}

/** How the list differs from the messages of its candidates. */
export interface PackedChange {
  /**
   * - `joined`: a neighbour of the same role was added to the message
   * - `reordered`: its tool results were put before other content
   * - `opened`: the message was added, because the list must begin with a message of the user
   */
  readonly kind: 'joined' | 'reordered' | 'opened';
  /** The position in the new list. */
  readonly index: number;
}

/** A list of messages that the provider accepts. */
export interface PackedMessages {
  readonly format: MessageFormat;
  /** In the original order. */
  readonly messages: readonly object[];
  /** The system prompt, if it is a field of the request: `system`, or `instructions` of the Responses API. */
  readonly system?: unknown;
  /** The same as fields of a request: `{ messages }`, `{ system, messages }`, `{ instructions, input }`. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly dropped: readonly DroppedMessage[];
  readonly changes: readonly PackedChange[];
}

interface Item {
  readonly id: string;
  readonly index: number;
  readonly group: unknown;
  readonly apart: boolean;
  readonly message: Readonly<Record<string, unknown>>;
  readonly view: MessageView | undefined;
}

/**
 * Makes a list of messages of the selected candidates, in the original order. Messages are the originals. A message that
 * would make the provider refuse the list is dropped with its group, and named.
 *
 * @param candidates those of `candidatesFromMessages` that were selected, in any order
 * @throws AssizeError (ASZ533) if one is not such a candidate, or their formats differ
 */
export function messagesFromCandidates(candidates: Iterable<object>, options: PackedOptions = {}): PackedMessages {
  const given = [...candidates];
  const format = formatOf(given, options);
  const items = given.map((candidate) => itemOf(candidate, format)).toSorted((a, b) => a.index - b.index);
  const dropped: DroppedMessage[] = [];
  let kept: Item[] = [];
  for (const item of items) {
    if (kept.at(-1)?.index === item.index)
      dropped.push(droppedItem(item, 'repeated-id', 'it is among the candidates twice'));
    else kept.push(item);
  }
  const system = kept.filter(({ apart }) => apart);
  kept = kept.filter(({ apart }) => !apart);
  for (;;) {
    const faults =
      kept.length === 0
        ? []
        : faultsAfterJoining(
            kept.map(({ message }) => message),
            kept.map(({ view }) => view),
            format,
          );
    if (faults.length === 0) break;
    kept = withoutFaults(kept, faults, dropped);
  }
  const { list, apart, turns } = FORMATS[format];
  const { messages, changes } = turns ? joinTurns(kept) : { messages: kept.map(({ message }) => message), changes: [] };
  const prompt = system.length === 0 ? undefined : system[0]!.message['content'];
  return {
    format,
    messages,
    ...(prompt !== undefined && { system: prompt }),
    request: { ...(prompt !== undefined && apart !== undefined && { [apart]: prompt }), [list]: messages },
    dropped: dropped.toSorted((a, b) => a.index - b.index),
    changes,
  };
}

function formatOf(candidates: readonly unknown[], options: PackedOptions): MessageFormat {
  const formats = new Set(candidates.map((candidate) => ownValue(candidate, 'format')));
  if (candidates.length === 0) formats.add(options.format ?? 'openai-chat');
  const [format, ...others] = formats;
  const known = MESSAGE_FORMATS.find((one) => one === format);
  if (known !== undefined && others.length === 0) return known;
  const message = `the formats of the candidates are ${[...formats].map(describeValue).join(', ')}; expected one of ${MESSAGE_FORMATS.join(', ')}`;
  const hint = 'candidatesFromMessages makes candidates of messages';
  throw new AssizeError([{ code: 'ASZ533', message, hint }]);
}

function itemOf(candidate: unknown, format: MessageFormat): Item {
  const [index, message] = [ownValue(candidate, 'index'), ownValue(candidate, 'message')];
  if (typeof index !== 'number' || !isMap(message)) {
    const text = `a candidate has the index ${describeValue(index)} and the message ${describeValue(message)}; expected a number and an object`;
    throw new AssizeError([
      { code: 'ASZ533', message: text, hint: 'candidatesFromMessages makes candidates of messages' },
    ]);
  }
  const id = ownValue(candidate, 'id');
  const apart = ownValue(candidate, 'field') !== undefined;
  return {
    id: typeof id === 'string' ? id : String(index),
    index,
    group: ownValue(candidate, 'group'),
    apart,
    message,
    view: apart ? undefined : FORMATS[format].view(message),
  };
}

const droppedItem = ({ id, index }: Item, rule: MessageRule, text: string): DroppedMessage => ({
  id,
  index,
  rule,
  text,
});

/** Drops every message with a fault, and the rest of its group. */
function withoutFaults(
  items: readonly Item[],
  faults: ReturnType<typeof faultsAfterJoining>,
  dropped: DroppedMessage[],
): Item[] {
  const causes = new Map<number, (typeof faults)[number]>();
  const groups = new Map<unknown, (typeof faults)[number]>();
  for (const fault of faults) {
    const item = fault.at === undefined ? undefined : items[fault.at];
    if (item === undefined) continue;
    if (!causes.has(item.index)) causes.set(item.index, fault);
    if (item.group !== undefined && !groups.has(item.group)) groups.set(item.group, fault);
  }
  return items.filter((item) => {
    const own = causes.get(item.index);
    const fault = own ?? (item.group === undefined ? undefined : groups.get(item.group));
    if (fault === undefined) return true;
    const source = fault.at === undefined ? undefined : items[fault.at];
    dropped.push(
      droppedItem(
        item,
        fault.rule,
        own ? fault.text : `${source?.id ?? 'another message'} of its group: ${fault.text}`,
      ),
    );
    return false;
  });
}

/** Joins neighbours of the same role, puts tool results first, and begins with a message of the user. */
function joinTurns(items: readonly Item[]): Pick<PackedMessages, 'messages' | 'changes'> {
  const messages: Readonly<Record<string, unknown>>[] = [];
  const changes: PackedChange[] = [];
  if (items.length > 0 && turnOf(items[0]!.view) === 'assistant') {
    messages.push({ role: 'user', content: OPENING });
    changes.push({ kind: 'opened', index: 0 });
  }
  let before: string | undefined;
  for (const { message, view } of items) {
    const turn = turnOf(view);
    const last = messages.at(-1);
    if (turn !== before || last === undefined) messages.push(message);
    else {
      const content = [...blocksOf(last['content']), ...blocksOf(message['content'])];
      messages[messages.length - 1] = { ...last, ...message, content };
      changes.push({ kind: 'joined', index: messages.length - 1 });
    }
    before = turn;
  }
  for (const [index, message] of messages.entries()) {
    const { content } = message;
    if (!Array.isArray(content) || message['role'] !== 'user') continue;
    const results = content.filter(isResult);
    if (results.length === 0 || content.slice(0, results.length).every(isResult)) continue;
    messages[index] = { ...message, content: [...results, ...content.filter((block) => !isResult(block))] };
    changes.push({ kind: 'reordered', index });
  }
  return { messages, changes };
}

const isResult = (block: unknown): boolean => ownValue(block, 'type') === 'tool_result';

/** The blocks of a message. An empty text, which the last message of the assistant may be, cannot be a block. */
function blocksOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === 'string' && content.trim() === '' ? [] : [{ type: 'text', text: content }];
}
