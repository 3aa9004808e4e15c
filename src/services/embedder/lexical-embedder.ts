import { isUnspaced, wordRuns } from '../../base/index.js';
import type { Embedder, EmbedderProvider, EmbedderSettings, Embeddings } from './embedder-registry.js';

const DEFAULT_DIMENSIONS = 512;

/**
 * Embeds by wording: hashes words and their character n-grams into a fixed width. Needs no model, takes microseconds
 * and returns the same numbers on every machine.
 *
 * Texts are similar if they differ by repetition, edits, inflection, word order or typos, in any script. It does not
 * know meaning: synonyms, translations and paraphrases are not similar.
 */
class LexicalEmbedder implements Embedder {
  readonly name: string;

  constructor(
    readonly dimensions: number,
    readonly space: object,
  ) {
    this.name = `lexical:${dimensions}`;
  }

  embed(texts: readonly string[], abort?: AbortSignal): Embeddings {
    return texts.map((text) => {
      abort?.throwIfAborted();
      return this.#vector(text);
    });
  }

  #vector(text: string): Float32Array {
    const vector = new Float32Array(this.dimensions);
    for (const [feature, count] of hashedFeatures(text)) {
      // Logarithmic, because repeated features are less important. With random signs, collisions cancel out on average.
      const weight = 1 + Math.log(count);
      const at = (feature >>> 1) % this.dimensions;
      vector[at]! += feature & 1 ? weight : -weight;
    }
    return normalise(vector);
  }
}

function normalise(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0) return vector;
  const scale = 1 / Math.sqrt(sum);
  for (let i = 0; i < vector.length; i++) vector[i]! *= scale;
  return vector;
}

/** The spaces by width, shared by all pipelines of this process. */
const spaces = new Map<number, object>();

/** Provides `lexical`. Its only setting is `dimensions` (default 512). More dimensions separate long texts better. */
export class LexicalProvider implements EmbedderProvider {
  open({ name, dimensions = DEFAULT_DIMENSIONS, ...others }: EmbedderSettings): Embedder {
    const unknown = Object.entries(others).find(([, value]) => value !== undefined);
    if (unknown) throw new Error(`embedder ${name} has no setting '${unknown[0]}', only 'dimensions'`);
    const space = spaces.get(dimensions) ?? {};
    spaces.set(dimensions, space);
    return new LexicalEmbedder(dimensions, space);
  }
}

/** The lengths of the n-grams of a word. */
const [MIN_LENGTH, MAX_LENGTH] = [3, 5];

/** One step of FNV-1a over character codes. Each kind of feature has its own initial state. */
const fnvStep = (state: number, unit: number): number => Math.imul(state ^ unit, 0x01000193);
const [WORD, NGRAM, BIGRAM] = [0x811c9dc5, 0x2f0b4a27, 0x5bd1e995] as const;
const EDGE = 0x20; // Marks the start and end of a word with a space, which no word contains.

/** Mixes the high bits of FNV into the others (the finalizer of murmur3). */
function murmurFinish(state: number): number {
  let hash = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * The hashed features of a text, with their counts: its words, and their n-grams of three to five characters including
 * edges; for scripts without spaces the bigrams. Ignores width, compatibility forms and case.
 */
function hashedFeatures(text: string): ReadonlyMap<number, number> {
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
  // One pass from each position yields the n-grams of all lengths.
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
