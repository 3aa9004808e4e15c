import { type ServiceToken, serviceToken } from '../../contract/index.js';

/** One vector for each text. */
export type Embeddings = readonly Float32Array[];

/** Turns texts into vectors: similar texts into vectors of similar directions. */
export interface Embedder {
  /** The model and all else that determines its numbers: `transformers:Xenova/all-MiniLM-L6-v2:q8`, `lexical:512`. */
  readonly name: string;
  /** How many numbers a vector has; undefined until that is known. */
  readonly dimensions: number | undefined;
  /** Why it cannot embed at present, where that is known already: its model could not be loaded a moment ago. */
  readonly unusable?: Error | undefined;
  /**
   * One vector for each text, in order; a promise where it has to wait. Texts embedded together get the numbers that
   * each gets alone.
   *
   * @param abort stops the work between two texts, with its reason
   */
  embed(texts: readonly string[], abort?: AbortSignal): Embeddings | Promise<Embeddings>;
}

/** A profile's settings of an embedder. The provider decides which it takes beside the name. */
export interface EmbedderSettings {
  /** The provider's name. */
  readonly name: string;
  /** The model, by the name its provider knows it by. */
  readonly model?: string | undefined;
  /** The type of the model's numbers: `fp32`, `q8` …; the provider's default when not given. */
  readonly dtype?: string | undefined;
  /** An absolute path: a folder of models, used instead of the network. */
  readonly folder?: string | undefined;
  /** The milliseconds without any data after which a load fails. */
  readonly timeout?: number | undefined;
  /** How many numbers a vector has. */
  readonly dimensions?: number | undefined;
  /** Settings that only this provider has. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** Makes the embedders of one kind. */
export interface EmbedderProvider {
  /** Gives the same embedder for the same settings. Loads nothing: the first text does. */
  open(settings: EmbedderSettings): Embedder;
}

/** The token under which the provider of a name is bound; a plugin binds its own in its export `services`. */
export const embedderToken = (name: string): ServiceToken<EmbedderProvider> =>
  serviceToken<EmbedderProvider>(`embedder:${name}`);

/** Finds embedders by a profile's settings. */
export interface Embedders {
  /** @throws Error where no provider has that name, or the provider refuses a setting */
  open(settings: EmbedderSettings): Embedder;
}

/** The token for units that embed: `@inject(EMBEDDERS)`. */
export const EMBEDDERS: ServiceToken<Embedders> = serviceToken<Embedders>('embedders');

/** Looks providers up among the bound services, by their tokens. */
export class EmbedderRegistry implements Embedders {
  /** The embedders by their settings: an entry's are looked up in every run. */
  readonly #opened = new WeakMap<EmbedderSettings, Embedder>();

  /** @param lookup gives what is bound to a token; undefined where nothing is */
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
