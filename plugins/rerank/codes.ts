/** The codes of what goes wrong with a model that is asked about candidates. */
export const codes = {
  ASZ610: 'A reranker cannot be asked, or no more.',
  ASZ611: 'A reranker does not answer.',
  ASZ612: 'The answer of a reranker cannot be used.',
} as const;
