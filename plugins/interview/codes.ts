/** The codes of what may be wrong with the answer of a language model. */
export const codes = {
  ASZ528: 'A signal is not what it was to be.',
} as const;
