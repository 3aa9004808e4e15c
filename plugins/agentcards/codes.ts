/** The codes of problems in the context, as the units of this plugin read it. */
export const codes = {
  ASZ520: 'A graph in the context is malformed.',
  ASZ521: 'A list of ids is malformed.',
  ASZ522: 'A history of outcomes is malformed.',
} as const;
