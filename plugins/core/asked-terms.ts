import type { Term } from './words.js';

/** A term of a query, by the places of what is counted for it. */
export interface AskedTerm {
  /** The places of its words: one, or those of a name. */
  readonly words: readonly number[];
  /** The place of a name as a whole. */
  readonly whole: number | undefined;
  /** How often the query says it. */
  readonly times: number;
}

/** What a query asks for. */
export interface Asked {
  readonly terms: readonly AskedTerm[];
  /** What is counted in the texts, in order. */
  readonly counted: readonly string[];
  /** Where it stands in that order. */
  readonly places: ReadonlyMap<string, number>;
}

/** The different terms of a query, and what has to be counted for them. */
export function askedTerms(query: readonly Term[]): Asked {
  const places = new Map<string, number>();
  const placeOf = (word: string): number => {
    const place = places.get(word) ?? places.size;
    places.set(word, place);
    return place;
  };
  const terms = new Map<string, AskedTerm>();
  for (const term of query) {
    const name = typeof term !== 'string';
    const key = name ? term.words.join(' ') : term;
    const times = (terms.get(key)?.times ?? 0) + 1;
    const words = name ? term.words.map(placeOf) : [placeOf(term)];
    terms.set(key, { words, whole: name ? placeOf(term.whole) : undefined, times });
  }
  return { terms: [...terms.values()], counted: [...places.keys()], places };
}
