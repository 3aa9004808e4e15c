import { AsyncLocalStorage } from 'node:async_hooks';
import { NEVER } from '../../engine/index.js';
import { type Embedder, EmbeddingCache, type Embeddings } from '../../services/index.js';
import { yieldToEventLoop } from '../../stream/chunks.js';
import { keyOf, type TextVectors } from './text-vectors.js';

/** How many texts are embedded at a time, so that others have their turn in between. */
const BATCH = 32;

/** Thrown in place of vectors that are not known: the work is done again when they are. */
class NotEmbeddedYet extends Error {
  override readonly name = 'NotEmbeddedYet';
}

/** The texts that some work asks vectors for: those whose vectors are known, and those that are to be embedded. */
export class AskedTexts {
  readonly #missing = new Map<string, { readonly embedder: Embedder; readonly texts: Set<string> }>();
  /** Of every text that was asked for, and is known. */
  readonly found = new Map<string, Float32Array>();
  /** Of those among them that were embedded here. */
  readonly made = new Map<string, Float32Array>();

  /** @param waits whether the work waits while a text is embedded: else it fails, and is done again */
  constructor(
    private readonly known: TextVectors,
    private readonly waits: boolean,
  ) {}

  /** @throws NotEmbeddedYet where one is not known, and the work does not wait */
  vectorsOf(embedder: Embedder, texts: readonly string[], abort?: AbortSignal): Embeddings | Promise<Embeddings> {
    let isWhole = true;
    for (const text of texts) isWhole = this.#find(embedder, text) && isWhole;
    const vectors = (): Embeddings => texts.map((text) => this.found.get(keyOf(embedder.name, text))!.slice());
    if (isWhole) return vectors();
    if (!this.waits) throw new NotEmbeddedYet('it is not embedded yet');
    return this.embedMissing(abort).then(vectors);
  }

  /** Embeds what is missing; says whether anything was. */
  async embedMissing(abort?: AbortSignal): Promise<boolean> {
    const missing = [...this.#missing.values()];
    this.#missing.clear();
    for (const { embedder, texts } of missing) {
      const all = [...texts];
      for (let from = 0; from < all.length; from += BATCH) {
        const batch = all.slice(from, from + BATCH);
        // oxlint-disable-next-line no-await-in-loop -- some at a time
        const vectors = await embedder.embed(batch, abort);
        if (vectors.length !== batch.length)
          throw new Error(`${embedder.name} gave ${vectors.length} vectors for ${batch.length} texts`);
        for (const [k, text] of batch.entries()) this.#keep(keyOf(embedder.name, text), vectors[k]!);
        // oxlint-disable-next-line no-await-in-loop
        await yieldToEventLoop(abort ?? NEVER);
      }
    }
    return missing.length > 0;
  }

  #keep(key: string, vector: Float32Array): void {
    this.found.set(key, vector);
    this.made.set(key, vector);
  }

  #find(embedder: Embedder, text: string): boolean {
    const key = keyOf(embedder.name, text);
    const vector = this.found.get(key) ?? this.known.get(key);
    if (vector) {
      this.found.set(key, vector);
      return true;
    }
    const missing = this.#missing.get(embedder.name) ?? { embedder, texts: new Set<string>() };
    this.#missing.set(embedder.name, missing);
    missing.texts.add(text);
    return false;
  }
}

/**
 * The vectors that the embedders of a pipeline give, in the place of its cache: during some work, they are those of
 * `AskedTexts`.
 */
export class VectorStore extends EmbeddingCache {
  readonly #asked = new AsyncLocalStorage<AskedTexts>();

  /** Does work whose embedders give vectors of these texts. */
  during<R>(asked: AskedTexts, work: () => Promise<R>): Promise<R> {
    return this.#asked.run(asked, work);
  }

  override embed(embedder: Embedder, texts: readonly string[], abort?: AbortSignal): Embeddings | Promise<Embeddings> {
    const asked = this.#asked.getStore();
    return asked ? asked.vectorsOf(embedder, texts, abort) : super.embed(embedder, texts, abort);
  }
}
