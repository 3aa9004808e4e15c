import { AssizeError, describeValue, estimateTokens } from '../../../src/unit-sdk.js';
import { FILE_TOKENS, imageTokens } from './images.js';
import type { ImagePart, MessageFormat, MessageView } from './message.js';

/** How tokens are counted. */
export interface TokenOptions {
  /** Counts the tokens of a text with the model's tokenizer. Default: an estimate, a token for three bytes of UTF-8. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** The tokens of an image. Default: the formula that the provider documents, by size and detail. */
  readonly countImage?: ((image: ImagePart) => number) | undefined;
}

/** The tokens of a message besides its content: its role, and the marks of its beginning and end. */
export const MESSAGE_TOKENS = 4;

/** The name of the default count. */
export const ESTIMATE = 'estimate: 1 token per 3 bytes of UTF-8';

/** @throws AssizeError (ASZ533) if a count is not a number of at least 0 */
export function messageTokens(view: MessageView, format: MessageFormat, options: TokenOptions): number {
  const { countImage = (image: ImagePart) => imageTokens(image, format) } = options;
  let tokens = MESSAGE_TOKENS + FILE_TOKENS * view.files;
  for (const text of [...view.texts, ...view.counted]) tokens += textTokens(text, options);
  for (const image of view.images) tokens += checked(countImage(image), 'countImage');
  return tokens;
}

export const textTokens = (text: string, { countTokens }: TokenOptions): number =>
  countTokens === undefined ? estimateTokens(text) : checked(countTokens(text), 'countTokens');

function checked(tokens: unknown, name: string): number {
  if (typeof tokens === 'number' && tokens >= 0 && tokens < Number.POSITIVE_INFINITY) return tokens;
  const message = `${name} returned ${describeValue(tokens)}; expected a number of at least 0`;
  throw new AssizeError([{ code: 'ASZ533', message }]);
}
