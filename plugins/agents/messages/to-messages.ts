import { AssizeError, describeValue, isMap, ownValue } from '../../../src/unit-sdk.js';
import { faultsAfterJoining, turnOf } from './check.js';
import { FORMATS } from './formats.js';
import { MESSAGE_FORMATS, type MessageFormat, type MessageRule, type MessageView, unknownKeys } from './message.js';
import { withText } from './shorter.js';
import { messageTokens, type TokenOptions } from './tokens.js';

/** The message of the user that begins a list of Anthropic whose first selected message is of the assistant. */
export const OPENING = '[Earlier messages were left out.]';

/** The options of `messagesFromCandidates`. */
export interface PackedOptions extends TokenOptions {
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
   * - `shortened`: it has the text of the selected version
   * - `whole`: it is the original although a shorter version was selected, because it has no place for a text
   */
  readonly kind: 'joined' | 'reordered' | 'opened' | 'shortened' | 'whole';
  /** The position in the new list. */
  readonly index: number;
}

/** A shorter version that costs more than the pack step counted. The list may exceed the budget by the difference. */
export interface UndercountedMessage {
  readonly id: string;
  readonly index: number;
  /** The cost that the pack step counted. */
  readonly cost: number;
  /** The tokens of the message, counted as `candidatesFromMessages` counts them. */
  readonly tokens: number;
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
  readonly undercounted: readonly UndercountedMessage[];
  /** The keys of messages that the provider does not document, such as `timestamp`. Some providers refuse them. */
  readonly undocumented: readonly string[];
}

interface Item {
  readonly id: string;
  readonly index: number;
  readonly group: unknown;
  readonly apart: boolean;
  readonly message: Readonly<Record<string, unknown>>;
  readonly view: MessageView | undefined;
  readonly version: 'shortened' | 'whole' | undefined;
  /** The cost that the pack step counted. */
  readonly cost: number | undefined;
}

/**
 * Makes a list of messages of the selected candidates, in the original order. Messages are the originals, except that a
 * selected row with a `variant` has the text of that version. A message that would make the provider refuse the list is
 * dropped with its group, and named.
 *
 * @param selected the selected rows of a ranking, or their candidates, in any order. The candidates are those of
 *   `candidatesFromMessages`
 * @throws AssizeError (ASZ533) if one is not such a candidate, their formats differ, or a version has no `content`
 */
export function messagesFromCandidates(selected: Iterable<object>, options: PackedOptions = {}): PackedMessages {
  const given = Array.from(selected, chosenOf);
  const format = formatOf(
    given.map(({ candidate }) => candidate),
    options,
  );
  const items = given.map((one) => itemOf(one, format)).toSorted((a, b) => a.index - b.index);
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
  const { messages, positions, changes } = turns
    ? joinTurns(kept)
    : { messages: kept.map(({ message }) => message), positions: kept.map((_, at) => at), changes: [] };
  const prompt = system.length === 0 ? undefined : system[0]!.message['content'];
  return {
    format,
    messages,
    ...(prompt !== undefined && { system: prompt }),
    request: { ...(prompt !== undefined && apart !== undefined && { [apart]: prompt }), [list]: messages },
    dropped: dropped.toSorted((a, b) => a.index - b.index),
    changes: [...versionChanges(kept, positions), ...changes],
    undercounted: kept.flatMap(({ id, index, view, version, cost }) => {
      const tokens = version && view && cost !== undefined ? messageTokens(view, format, options) : 0;
      return cost !== undefined && tokens > cost ? [{ id, index, cost, tokens }] : [];
    }),
    undocumented: [...new Set(kept.flatMap(({ view }) => (view ? unknownKeys(view) : [])))],
  };
}

/** A candidate, and the version of it that was selected. */
interface Chosen {
  readonly candidate: unknown;
  readonly variant?: unknown;
  readonly cost?: unknown;
}

/** A row of a ranking has its candidate, and may have a variant and a cost. */
function chosenOf(given: unknown): Chosen {
  const candidate = ownValue(given, 'candidate');
  return isMap(candidate)
    ? { candidate, variant: ownValue(given, 'variant'), cost: ownValue(given, 'cost') }
    : { candidate: given };
}

const versionChanges = (items: readonly Item[], positions: readonly number[]): readonly PackedChange[] =>
  items.flatMap(({ version: kind }, at) => (kind === undefined ? [] : [{ kind, index: positions[at]! }]));

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

function itemOf({ candidate, variant, cost }: Chosen, format: MessageFormat): Item {
  const [index, original] = [ownValue(candidate, 'index'), ownValue(candidate, 'message')];
  if (typeof index !== 'number' || !isMap(original)) {
    const text = `a candidate has the index ${describeValue(index)} and the message ${describeValue(original)}; expected a number and an object`;
    throw new AssizeError([
      { code: 'ASZ533', message: text, hint: 'candidatesFromMessages makes candidates of messages' },
    ]);
  }
  const given = ownValue(candidate, 'id');
  const id = typeof given === 'string' ? given : String(index);
  const apart = ownValue(candidate, 'field') !== undefined;
  const shorter = variant === undefined ? undefined : shortened(original, format, variant, id, apart);
  const message = shorter ?? original;
  return {
    id,
    index,
    group: ownValue(candidate, 'group'),
    apart,
    message,
    view: apart ? undefined : FORMATS[format].view(message),
    version: variant === undefined ? undefined : shorter === undefined ? 'whole' : 'shortened',
    cost: typeof cost === 'number' ? cost : undefined,
  };
}

function shortened(
  message: Readonly<Record<string, unknown>>,
  format: MessageFormat,
  variant: unknown,
  id: string,
  apart: boolean,
): Readonly<Record<string, unknown>> | undefined {
  const text = ownValue(ownValue(variant, 'value'), 'content');
  if (typeof text === 'string') return apart ? { ...message, content: text } : withText(message, format, text);
  const found = `the selected version of ${id} has the content ${describeValue(text)}; expected text`;
  const hint = 'a version of a message has its text and its cost: { content: …, tokens: 40 }';
  throw new AssizeError([{ code: 'ASZ533', message: found, hint }]);
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
function joinTurns(items: readonly Item[]): Pick<PackedMessages, 'messages' | 'changes'> & {
  readonly positions: readonly number[];
} {
  const messages: Readonly<Record<string, unknown>>[] = [];
  const positions: number[] = [];
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
    positions.push(messages.length - 1);
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
  return { messages, positions, changes };
}

const isResult = (block: unknown): boolean => ownValue(block, 'type') === 'tool_result';

/** The blocks of a message. An empty text, which the last message of the assistant may be, cannot be a block. */
function blocksOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === 'string' && content.trim() === '' ? [] : [{ type: 'text', text: content }];
}
