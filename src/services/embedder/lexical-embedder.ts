import type { Embedder, EmbedderProvider, EmbedderSettings, Embeddings } from './embedder.js';
import { hashedFeatures } from './hashed-features.js';

const DEFAULT_DIMENSIONS = 512;

/**
 * Embeds by wording: words and n-grams of words, hashed into a fixed width. Needs no model, takes microseconds and
 * gives the same numbers on every machine.
 *
 * It finds repetitions, edits, other endings, other order and typing errors similar, in any script. It knows no
 * meaning: synonyms, translations and paraphrases are as different as any two texts.
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
      // A feature that occurs twice is not twice as important. With a sign, collisions cancel out on average.
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

/** By width: the space of all pipelines of this process. */
const spaces = new Map<number, object>();

/**
 * Provides `lexical`. Its only setting is `dimensions`, 512 when not given: more of them separate long texts better.
 */
export class LexicalProvider implements EmbedderProvider {
  open({ name, dimensions = DEFAULT_DIMENSIONS, ...others }: EmbedderSettings): Embedder {
    const unknown = Object.entries(others).find(([, value]) => value !== undefined);
    if (unknown) throw new Error(`embedder ${name} has no setting '${unknown[0]}', only 'dimensions'`);
    const space = spaces.get(dimensions) ?? {};
    spaces.set(dimensions, space);
    return new LexicalEmbedder(dimensions, space);
  }
}
