import { AssizeError, describeValue, estimateTokens } from '../../../src/unit-sdk.js';
import { knownFormat } from './detect.js';
import { conversationOf, FORMATS, viewOfSystem } from './formats.js';
import { groupsOf } from './groups.js';
import { FILE_TOKENS, imageTokens } from './images.js';
import { describe, type ImagePart, type MessageCandidate, type MessageFormat, type MessageView } from './message.js';
import { OPENING } from './to-messages.js';

/** The options of `candidatesFromMessages`. */
export interface MessageOptions {
  /** Default: the detected format. */
  readonly format?: MessageFormat | undefined;
  /** Counts the tokens of a text with the model's tokenizer. Default: an estimate, a token for three bytes of UTF-8. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** The tokens of an image. Default: the formula that the provider documents, by size and detail. */
  readonly countImage?: ((image: ImagePart) => number) | undefined;
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

/** The tokens of a message besides its content: its role, and the marks of its beginning and end. */
const MESSAGE_TOKENS = 4;

const ESTIMATE = 'estimate: 1 token per 3 bytes of UTF-8';

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
      FORMATS[format].turns && index === lastUser && index > 0 ? count(OPENING, options) + MESSAGE_TOKENS : 0;
    const group = groups[index];
    candidates.push({
      ...made,
      tokens: made.tokens + opening,
      ...(group !== undefined && { group: `calls-${group + offset}` }),
      pinned,
      message,
    });
  }
  const tokens = candidates.reduce((sum, candidate) => sum + candidate.tokens, 0);
  const tokenizer =
    options.countTokens === undefined ? ESTIMATE : `given: ${options.countTokens.name || 'countTokens'}`;
  const query = lastUser < 0 ? '' : candidates.findLast(({ role }) => role === 'user')?.content;
  return { format, candidates, tokens, ...(query && { query }), tokenizer, unmapped };
}

function candidateOf(view: MessageView, index: number, format: MessageFormat, options: MessageOptions) {
  const content = view.texts.filter((text) => text !== '').join('\n');
  const { countImage = (image: ImagePart) => imageTokens(image, format) } = options;
  let tokens = MESSAGE_TOKENS + FILE_TOKENS * view.files;
  for (const text of [...view.texts, ...view.counted]) tokens += count(text, options);
  for (const image of view.images) tokens += checked(countImage(image), 'countImage');
  return { id: `${view.role}-${index}`, index, role: view.role, content, tokens, format };
}

const count = (text: string, { countTokens }: MessageOptions): number =>
  countTokens === undefined ? estimateTokens(text) : checked(countTokens(text), 'countTokens');

function checked(tokens: unknown, name: string): number {
  if (typeof tokens === 'number' && tokens >= 0 && tokens < Number.POSITIVE_INFINITY) return tokens;
  const message = `${name} returned ${describeValue(tokens)}; expected a number of at least 0`;
  throw new AssizeError([{ code: 'ASZ533', message }]);
}
