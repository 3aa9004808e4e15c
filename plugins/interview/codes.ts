/** The codes of problems in the answer of a language model. */
export const codes = {
  ASZ528: 'A signal is not what it was to be.',
} as const;
