import { isMap } from '../../../src/unit-sdk.js';
import { knownFormat } from './detect.js';
import { conversationOf, FORMATS, viewOfSystem } from './formats.js';
import { groupsOf } from './groups.js';
import {
  describe,
  type MessageCandidate,
  type MessageFormat,
  type MessageVersion,
  type MessageView,
  otherFields,
} from './message.js';
import { withText } from './shorter.js';
import { OPENING } from './to-messages.js';
import { ESTIMATE, MESSAGE_TOKENS, messageTokens, textTokens, type TokenOptions } from './tokens.js';

/** The options of `candidatesFromMessages`. */
export interface MessageOptions extends TokenOptions {
  /** Default: the detected format. */
  readonly format?: MessageFormat | undefined;
  /** The text of a shorter version of a message that is not pinned. What stays of the message is counted with it. */
  readonly shorten?: ((candidate: MessageCandidate) => string | undefined) | undefined;
}

/** What has no field in a candidate. */
export interface UnmappedPart {
  /** The position of the message in the list; absent for the system prompt. */
  readonly index?: number;
  readonly path: string;
  /** Its type: `video_url`, `field metadata`. */
  readonly type: string;
  /** Whether it is part of a candidate's message: it is then counted as JSON. Otherwise there is no candidate for it. */
  readonly kept: boolean;
}

/** Messages as candidates. */
export interface MessageCandidates {
  readonly format: MessageFormat;
  readonly candidates: readonly MessageCandidate[];
  /** The tokens of all candidates. */
  readonly tokens: number;
  /** The text of the last message of the user, for the context of a profile; absent if there is none. */
  readonly query?: string;
  /** How texts were counted. */
  readonly tokenizer: string;
  /** Every part that no codec knows, and every entry that is not a message. */
  readonly unmapped: readonly UnmappedPart[];
}

/**
 * Makes a candidate of each message.
 *
 * @param input a list of messages, or a request with `messages` or `input`. A system prompt beside them is the first
 *   candidate
 * @throws AssizeError (ASZ533) if the format is unknown, the input has no list, or a count is not a number of at least 0
 */
export function candidatesFromMessages(input: unknown, options: MessageOptions = {}): MessageCandidates {
  const format = knownFormat(input, options.format);
  const { messages, system } = conversationOf(input, format);
  const { view: read, apart } = FORMATS[format];
  const views = messages.map(read);
  const groups = groupsOf(views, format);
  const lastUser = views.findLastIndex((view) => view?.role === 'user' && view.speaks);
  const unmapped: UnmappedPart[] = [];
  const candidates: MessageCandidate[] = [];
  if (system !== undefined) {
    const view = viewOfSystem(system);
    unmapped.push(...view.unknown.map((part) => ({ ...part, path: `${apart}${part.path}`, kept: true })));
    candidates.push({
      ...candidateOf(view, 0, format, options),
      pinned: true,
      ...(apart !== undefined && { field: apart }),
      message: { role: 'system', content: system },
    });
  }
  const offset = candidates.length;
  for (const [index, view] of views.entries()) {
    const message = messages[index];
    if (view === undefined || typeof message !== 'object' || message === null) {
      unmapped.push({ index, path: '', type: describe(message), kept: false });
      continue;
    }
    unmapped.push(...view.unknown.map((part) => ({ index, ...part, kept: true })));
    const pinned = view.role === 'system' || view.role === 'developer' || index === lastUser;
    const made = candidateOf(view, index + offset, format, options);
    // A packed list of Anthropic may have to be opened. The message that is always packed pays for it.
    const opening =
      FORMATS[format].turns && index === lastUser && index > 0 ? textTokens(OPENING, options) + MESSAGE_TOKENS : 0;
    const group = groups[index];
    const candidate: MessageCandidate = {
      ...otherFields(message, view),
      ...made,
      tokens: made.tokens + opening,
      ...(group !== undefined && { group: `calls-${group + offset}` }),
      pinned,
      message,
    };
    const variants = versionsOf(candidate, read, options);
    candidates.push(variants.length > 0 ? { ...candidate, variants } : candidate);
  }
  const tokens = candidates.reduce((sum, candidate) => sum + candidate.tokens, 0);
  const tokenizer =
    options.countTokens === undefined ? ESTIMATE : `given: ${options.countTokens.name || 'countTokens'}`;
  const query = lastUser < 0 ? '' : candidates.findLast(({ role }) => role === 'user')?.content;
  return { format, candidates, tokens, ...(query && { query }), tokenizer, unmapped };
}

function candidateOf(view: MessageView, index: number, format: MessageFormat, options: MessageOptions) {
  const content = view.texts.filter((text) => text !== '').join('\n');
  const tokens = messageTokens(view, format, options);
  return { id: `${view.role}-${index}`, index, role: view.role, content, tokens, format };
}

/** The shorter version of a message; none if the message has no place for a text, or nothing is saved. */
function versionsOf(
  candidate: MessageCandidate,
  read: (message: unknown) => MessageView | undefined,
  options: MessageOptions,
): readonly MessageVersion[] {
  const { message, format, pinned, tokens: whole } = candidate;
  const content = pinned ? undefined : options.shorten?.(candidate);
  const view = content !== undefined && isMap(message) ? read(withText(message, format, content)) : undefined;
  if (content === undefined || view === undefined) return [];
  const tokens = messageTokens(view, format, options);
  return tokens < whole ? [{ content, tokens }] : [];
}
