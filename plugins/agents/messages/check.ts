import { knownFormat } from './detect.js';
import { conversationOf, describeOtherEntry, FORMATS, viewOfSystem } from './formats.js';
import { type MessageFormat, type MessageRule, type MessageView, type ToolCall } from './message.js';

/** A violated rule of a provider. */
export interface MessageProblem {
  /** The position of the message in the list; absent for the list as a whole and for the system prompt. */
  readonly index?: number;
  /** The part of the message: `content[2]`; empty for the message as a whole. */
  readonly path: string;
  readonly rule: MessageRule;
  /** A sentence that names the message and the cause. */
  readonly text: string;
}

/** The options of `checkMessages`. */
export interface CheckMessagesOptions {
  /** Default: the detected format. */
  readonly format?: MessageFormat | undefined;
}

/**
 * Checks messages by the documented rules of their provider: roles, content, the order of tool calls and results, and
 * unique ids.
 *
 * @param input a list of messages, or a request with `messages` or `input`
 * @returns every violation in the order of the messages; empty if the provider accepts the list
 * @throws AssizeError (ASZ533) if the format is unknown, or the input has no list
 */
export function checkMessages(input: unknown, { format: given }: CheckMessagesOptions = {}): readonly MessageProblem[] {
  const format = knownFormat(input, given);
  const { messages, system } = conversationOf(input, format);
  const { list, apart = 'system' } = FORMATS[format];
  const ofSystem = system === undefined ? [] : viewOfSystem(system).faults;
  const problems = ofSystem.map(({ path, rule, text }) => ({ path, rule, text: `${apart}${path}: ${text}` }));
  const found = faultsOf(messages, messages.map(FORMATS[format].view), format).map(({ at, path, rule, text }) => {
    const name = `${list}${at === undefined ? '' : `[${at}]`}`;
    return { ...(at !== undefined && { index: at }), path, rule, text: `${name}${dotted(path)}: ${text}` };
  });
  return [...problems, ...found];
}

const dotted = (path: string): string => (path === '' || path.startsWith('[') ? path : `.${path}`);

/** A violated rule, before it is named. */
export interface Fault {
  readonly at: number | undefined;
  readonly path: string;
  readonly rule: MessageRule;
  readonly text: string;
}

/** The rules that joining neighbours of one role will satisfy. */
const SOLVED_BY_JOINING: ReadonlySet<MessageRule> = new Set(['result-first', 'first-role', 'alternation']);

/** The violations that would be left after neighbours of one role are joined. */
export const faultsAfterJoining = (
  messages: readonly unknown[],
  views: readonly (MessageView | undefined)[],
  format: MessageFormat,
): readonly Fault[] => faultsOf(messages, views, format).filter(({ rule }) => !SOLVED_BY_JOINING.has(rule));

/** The violations in the order of the messages. */
function faultsOf(
  messages: readonly unknown[],
  views: readonly (MessageView | undefined)[],
  format: MessageFormat,
): readonly Fault[] {
  const { turns } = FORMATS[format];
  if (messages.length === 0)
    return [{ at: undefined, path: '', rule: 'empty', text: 'the list is empty; expected at least one message' }];
  const faults: Fault[] = [];
  for (const [at, view] of views.entries()) {
    if (view !== undefined) faults.push(...view.faults.map((fault) => ({ at, ...fault })));
    else faults.push({ at, path: '', rule: 'message', text: describeOtherEntry(messages[at], format) });
    if (view?.blank && !(at === views.length - 1 && view.role === 'assistant'))
      faults.push({
        at,
        path: 'content',
        rule: 'content',
        text: 'the content is empty; only the last message of the assistant may be',
      });
    if (view?.thinkingLast !== undefined && views[at + 1]?.role !== 'assistant')
      faults.push({
        at,
        path: view.thinkingLast,
        rule: 'content',
        text: 'the last block of the message is thinking; expected text or a tool call after it',
      });
  }
  if (turns) faults.push(...faultsOfTurns(views));
  faults.push(...new PairCheck(views, format).faults());
  if (format === 'openai-responses') faults.push(...faultsOfItems(views));
  return faults.toSorted((a, b) => (a.at ?? -1) - (b.at ?? -1));
}

/** The side that sends a message: results of tools are the user's. */
export const turnOf = (view: MessageView | undefined): 'user' | 'assistant' =>
  view?.role === 'assistant' ? 'assistant' : 'user';

function faultsOfTurns(views: readonly (MessageView | undefined)[]): readonly Fault[] {
  const faults: Fault[] = [];
  let before: string | undefined;
  for (const [at, view] of views.entries()) {
    if (view === undefined) continue;
    const turn = turnOf(view);
    if (before === undefined && turn === 'assistant')
      faults.push({
        at,
        path: '',
        rule: 'first-role',
        text: 'the first message is of the assistant; expected one of the user',
      });
    if (before === turn)
      faults.push({
        at,
        path: '',
        rule: 'alternation',
        text: `the message before it is of the ${turn}, too; join them`,
      });
    before = turn;
  }
  return faults;
}

/** A call that may still be answered. */
interface OpenCall extends ToolCall {
  readonly at: number;
}

/** Checks that calls and results match, and are where the provider expects them. */
class PairCheck {
  readonly #faults: Fault[] = [];
  /** Calls whose results may follow now. */
  readonly #open = new Map<string, OpenCall>();
  /** Calls that were answered since the last turn of the model. */
  readonly #answered = new Set<string>();
  /** Ids of all calls before. */
  readonly #used = new Set<string>();
  /** Calls that the caller need not answer: their results may come at any time. */
  readonly #optional = new Set<string>();
  /** Whether a call may be stored at the provider. */
  #hasOpaque = false;

  constructor(
    private readonly views: readonly (MessageView | undefined)[],
    private readonly format: MessageFormat,
  ) {}

  faults(): readonly Fault[] {
    const { results } = FORMATS[this.format];
    let before: string | undefined;
    for (const [at, view] of this.views.entries()) {
      const turn = turnOf(view);
      const ends =
        results === 'next' ? view?.role !== 'tool' : results === 'next-turn' && turn === 'assistant' && before !== turn;
      if (ends) this.#close(false);
      before = turn;
      if (view === undefined) continue;
      this.#hasOpaque ||= view.opaque;
      for (const call of view.calls) this.#add(call, at);
      for (const id of view.results) this.#answer(id, at);
    }
    this.#close(true);
    return this.#faults;
  }

  #fault(at: number, rule: MessageRule, text: string): void {
    this.#faults.push({ at, path: '', rule, text });
  }

  #add(call: ToolCall, at: number): void {
    const isRepeated = FORMATS[this.format].uniqueCalls ? this.#used.has(call.id) : this.#open.has(call.id);
    if (isRepeated) this.#fault(at, 'repeated-id', `another call has the id ${quoted(call.id)}, too`);
    this.#used.add(call.id);
    if (!call.required) this.#optional.add(call.id);
    this.#open.set(call.id, { ...call, at });
  }

  #answer(id: string, at: number): void {
    if (this.#open.delete(id)) this.#answered.add(id);
    else if (this.#optional.has(id)) return;
    else if (this.#answered.has(id)) this.#fault(at, 'repeated-result', `the call ${quoted(id)} has a result already`);
    else if (!this.#hasOpaque) {
      const where = { next: 'right before it', 'next-turn': 'in the message before it', later: 'before it' };
      this.#fault(
        at,
        'orphan-result',
        `the result is for ${quoted(id)}, which is not called ${where[FORMATS[this.format].results]}`,
      );
    }
  }

  /** Ends the place where results may be. */
  #close(isEnd: boolean): void {
    for (const { id, at, required, approval } of this.#open.values()) {
      const waits = isEnd && approval !== undefined && this.#answered.has(approval);
      if (!required || waits) continue;
      const where = { next: 'right after it', 'next-turn': 'in the next message', later: 'after it' };
      this.#fault(at, 'missing-result', `the call ${quoted(id)} has no result ${where[FORMATS[this.format].results]}`);
    }
    this.#open.clear();
    this.#answered.clear();
  }
}

/** An id in a sentence, shortened. */
const quoted = (id: string): string => JSON.stringify(id.length > 60 ? `${id.slice(0, 60)}…` : id);

/** Items of the Responses API: unique ids, and reasoning with what it led to. */
function faultsOfItems(views: readonly (MessageView | undefined)[]): readonly Fault[] {
  const faults: Fault[] = [];
  const ids = new Set<string>();
  for (const [at, view] of views.entries()) {
    const { itemId, kind } = view ?? {};
    if (itemId !== undefined && ids.has(itemId))
      faults.push({ at, path: 'id', rule: 'repeated-id', text: `another item has the id ${quoted(itemId)}, too` });
    if (itemId !== undefined) ids.add(itemId);
    const next = views[at + 1]?.kind ?? 'message';
    if (kind === 'reasoning' && next === 'message')
      faults.push({
        at,
        path: '',
        rule: 'reasoning',
        text: 'the reasoning is not followed by the message or the call that it led to',
      });
  }
  return faults;
}
