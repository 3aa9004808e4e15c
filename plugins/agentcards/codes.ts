/** The codes of what may be wrong with the context that its units read. */
export const codes = {
  ASZ520: 'A graph in the context is malformed.',
  ASZ521: 'A list of ids is malformed.',
  ASZ522: 'A history of outcomes is malformed.',
} as const;
