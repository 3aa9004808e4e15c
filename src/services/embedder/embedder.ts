import { type ServiceToken, serviceToken } from '../../contract/index.js';

/** One vector for each text. */
export type Embeddings = readonly Float32Array[];

/** Turns texts into vectors: similar texts into vectors of similar directions. */
export interface Embedder {
  /** The model and all else that determines its numbers: `transformers:Xenova/all-MiniLM-L6-v2:q8`, `lexical:512`. */
  readonly name: string;
  /** How many numbers a vector has; undefined until that is known. */
  readonly dimensions: number | undefined;
  /**
   * What its vectors are kept by, so that no text is embedded twice: embedders with the same object share them, as those
   * that two pipelines open of one model. The embedder itself when not given.
   */
  readonly space?: object | undefined;
  /** Why it cannot embed at present, where that is known already: its model could not be loaded a moment ago. */
  readonly unusable?: Error | undefined;
  /**
   * One vector for each text, in order; a promise where it has to wait. Texts embedded together get the numbers that
   * each gets alone, and the same text the same numbers every time: they are kept.
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
