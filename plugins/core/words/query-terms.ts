import type { Term } from './text-analysis.js';

/** A term of a query, by indexes into its vocabulary. */
export interface QueryTerm {
  /** Its words: one, or those of a name. */
  readonly words: readonly number[];
  /** A name as one word; undefined for a single word. */
  readonly whole: number | undefined;
  /** How often it occurs in the query. */
  readonly frequency: number;
}

/** The terms of a query and their vocabulary. */
export interface QueryTerms {
  readonly terms: readonly QueryTerm[];
  /** The words to count in texts. */
  readonly vocabulary: readonly string[];
}

/** Collects the different terms of a query, and the words to count for them. */
export function queryTerms(query: readonly Term[]): QueryTerms {
  const indexes = new Map<string, number>();
  const indexOf = (word: string): number => {
    const index = indexes.get(word) ?? indexes.size;
    indexes.set(word, index);
    return index;
  };
  const terms = new Map<string, QueryTerm>();
  for (const term of query) {
    const isName = typeof term !== 'string';
    const key = isName ? term.words.join(' ') : term;
    const frequency = (terms.get(key)?.frequency ?? 0) + 1;
    const words = isName ? term.words.map(indexOf) : [indexOf(term)];
    terms.set(key, { words, whole: isName ? indexOf(term.whole) : undefined, frequency });
  }
  return { terms: [...terms.values()], vocabulary: [...indexes.keys()] };
}
