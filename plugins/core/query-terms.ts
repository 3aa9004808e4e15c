import type { Term } from './text-analysis.js';

/** A term of a query, by the places of what is counted for it. */
export interface QueryTerm {
  /** The places of its words: one, or those of a name. */
  readonly words: readonly number[];
  /** The place of a name as a whole. */
  readonly whole: number | undefined;
  /** How often the query says it. */
  readonly frequency: number;
}

/** What a query asks for. */
export interface QueryTerms {
  readonly terms: readonly QueryTerm[];
  /** What is counted in the texts, in order. */
  readonly vocabulary: readonly string[];
  /** Where it stands in that order. */
  readonly indexes: ReadonlyMap<string, number>;
}

/** The different terms of a query, and what has to be counted for them. */
export function queryTerms(query: readonly Term[]): QueryTerms {
  const indexes = new Map<string, number>();
  const placeOf = (word: string): number => {
    const place = indexes.get(word) ?? indexes.size;
    indexes.set(word, place);
    return place;
  };
  const terms = new Map<string, QueryTerm>();
  for (const term of query) {
    const name = typeof term !== 'string';
    const key = name ? term.words.join(' ') : term;
    const frequency = (terms.get(key)?.frequency ?? 0) + 1;
    const words = name ? term.words.map(placeOf) : [placeOf(term)];
    terms.set(key, { words, whole: name ? placeOf(term.whole) : undefined, frequency });
  }
  return { terms: [...terms.values()], vocabulary: [...indexes.keys()], indexes };
}
