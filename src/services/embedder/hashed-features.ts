import { isUnspaced, wordRuns } from '../../text/index.js';

/** The lengths of the n-grams of a word. */
const [MIN_LENGTH, MAX_LENGTH] = [3, 5];

/** FNV-1a over character codes, continued from a state; each kind of feature starts from another. */
const fnvStep = (state: number, unit: number): number => Math.imul(state ^ unit, 0x01000193);
const [WORD, NGRAM, BIGRAM] = [0x811c9dc5, 0x2f0b4a27, 0x5bd1e995] as const;
const EDGE = 0x20; // a space before and after each word: no word contains one

/** Mixes the high bits of FNV into the others (the last step of murmur3). */
function murmurFinish(state: number): number {
  let hash = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * The features of a text, as hashes with their counts: its words, and their n-grams of three to five characters, edges
 * included; of scripts without spaces the bigrams. Width, compatibility forms and case are ignored.
 */
export function hashedFeatures(text: string): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  const count = (state: number) => {
    const feature = murmurFinish(state);
    counts.set(feature, (counts.get(feature) ?? 0) + 1);
  };
  for (const run of wordRuns(text)) {
    if (isUnspaced(run)) addBigramFeatures(run, count);
    else addWordFeatures(run, count);
  }
  return counts;
}

function addWordFeatures(run: string, count: (state: number) => void): void {
  const unitAt = (i: number) => (i < 0 || i >= run.length ? EDGE : run.charCodeAt(i));
  let whole: number = WORD;
  for (let i = 0; i < run.length; i++) whole = fnvStep(whole, run.charCodeAt(i));
  count(whole);
  // From each place on, one pass gives the n-grams of every length.
  for (let from = -1; from <= run.length + 1 - MIN_LENGTH; from++) {
    let state: number = NGRAM;
    for (let n = 1; n <= MAX_LENGTH && from + n <= run.length + 1; n++) {
      state = fnvStep(state, unitAt(from + n - 1));
      if (n >= MIN_LENGTH) count(state);
    }
  }
}

function addBigramFeatures(run: string, count: (state: number) => void): void {
  const characters = Array.from(run);
  const of = (i: number) => {
    let state: number = BIGRAM;
    for (const unit of (characters[i] ?? '') + (characters[i + 1] ?? '')) state = fnvStep(state, unit.codePointAt(0)!);
    return state;
  };
  for (let i = 0; i < Math.max(1, characters.length - 1); i++) count(of(i));
}
