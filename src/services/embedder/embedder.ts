import { type ServiceToken, serviceToken } from '../../contract/service.js';

/** A vector a text. */
export type Embeddings = readonly Float32Array[];

/** Turns texts into vectors: like texts into vectors that point the same way. */
export interface Embedder {
  /** Names the model and what else decides its numbers: `transformers:Xenova/all-MiniLM-L6-v2:q8`, `lexical:512`. */
  readonly name: string;
  /** How many numbers a vector has; undefined until that is known. */
  readonly dimensions: number | undefined;
  /** Why it cannot embed just now, where that is known already: a model that could not be had a moment ago. */
  readonly unusable?: Error | undefined;
  /**
   * One vector a text, in order: now, or later where it has to wait. Texts embedded together get the numbers that each
   * gets alone.
   *
   * @param abort stops the work between two texts, with its reason
   */
  embed(texts: readonly string[], abort?: AbortSignal): Embeddings | Promise<Embeddings>;
}

/** What a profile says about the embedder that it wants. Which settings there are beside the name, the provider says. */
export interface EmbedderSettings {
  /** The provider's name. */
  readonly name: string;
  /** The model, by the name its provider knows it by. */
  readonly model?: string | undefined;
  /** The type of the model's numbers: `fp32`, `q8` …; the provider decides when not given. */
  readonly dtype?: string | undefined;
  /** An absolute path: a folder of models that is asked instead of the network. */
  readonly folder?: string | undefined;
  /** How many milliseconds without any sign of life make a load fail. */
  readonly timeout?: number | undefined;
  /** How many numbers a vector has. */
  readonly dimensions?: number | undefined;
  /** What only this provider knows. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** Makes the embedders of one kind. */
export interface EmbedderProvider {
  /** The same embedder for the same settings. Loads nothing yet: that is left to the first text. */
  open(settings: EmbedderSettings): Embedder;
}

/** The token under which the provider of a name is bound; a plugin binds its own in its export `services`. */
export const embedderToken = (name: string): ServiceToken<EmbedderProvider> =>
  serviceToken<EmbedderProvider>(`embedder:${name}`);

/** Finds embedders by what a profile says about them. */
export interface Embedders {
  /** @throws Error when no provider has that name, or the provider refuses a setting */
  open(settings: EmbedderSettings): Embedder;
}

/** The token for units that embed: `@inject(EMBEDDERS)`. */
export const EMBEDDERS: ServiceToken<Embedders> = serviceToken<Embedders>('embedders');

/** Looks the provider up by its token, wherever services are bound. */
export class EmbedderRegistry implements Embedders {
  /** What was opened, by the settings: an entry's are asked for in every run. */
  readonly #opened = new WeakMap<EmbedderSettings, Embedder>();

  /** @param lookup what is bound to a token; undefined when nothing is */
  constructor(private readonly lookup: (token: symbol) => unknown) {}

  open(settings: EmbedderSettings): Embedder {
    const known = this.#opened.get(settings);
    if (known) return known;
    const opened = this.#open(settings);
    this.#opened.set(settings, opened);
    return opened;
  }

  #open(settings: EmbedderSettings): Embedder {
    const provider = this.lookup(embedderToken(settings.name));
    if (isProvider(provider)) return provider.open(settings);
    throw new Error(unknownEmbedder(settings.name));
  }
}

const isProvider = (bound: unknown): bound is EmbedderProvider =>
  typeof bound === 'object' && bound !== null && 'open' in bound && typeof bound.open === 'function';

const unknownEmbedder = (name: string): string =>
  [
    `no embedder is called '${name}'`,
    'there is transformers, a language model, which knows synonyms (npm install @huggingface/transformers)',
    'lexical, which compares wording and needs nothing',
    `and any that a plugin listed in the profile's 'plugins' brings, as ` +
      `export const services = [{ token: embedderToken('${name}'), class: … }]`,
  ].join('\n');
