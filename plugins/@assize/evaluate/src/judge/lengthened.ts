/** A sentence that adds nothing to any text. */
export const NEUTRAL_SENTENCE =
  'This is the end of the text, and this sentence only says that nothing follows and that nothing was added.';

/** A text with a neutral sentence after it. */
export const lengthened = (text: string): string => `${text}\n${NEUTRAL_SENTENCE}`;
