import * as z from 'zod';
import { type ServiceToken, serviceToken } from '../../contract/index.js';
import { duration, filePath, outside, serviceOptions } from '../../expression/index.js';

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

/** Four times as many as any model gives. */
const MAX_DIMENSIONS = 16_384;

const settings = z.strictObject({
  name: z.string().min(1).describe('Which embedder: transformers, lexical, or one that a plugin brings.'),
  model: z.string().min(1).optional().describe('The model, as its embedder names it.'),
  dtype: z.string().min(1).optional().describe('The type of the model’s numbers: fp32, fp16, q8, q4 and others.'),
  folder: filePath()
    .optional()
    .describe('A folder of models, from this profile’s folder; nothing is then asked from the network.'),
  timeout: duration().optional().describe('How long a load may be silent before it fails.'),
  dimensions: z.int().positive().max(MAX_DIMENSIONS).optional().describe('How many numbers a vector has.'),
  options: serviceOptions().optional().describe('What only this embedder knows.'),
});

/** Compares wording, in this process and without a model. */
const IN_PROCESS = 'lexical';

/** A param that chooses an embedder: its name, or a map of its settings. */
export function embedderParam(defaultName = 'transformers') {
  // The default may be of no use: whether it reaches outside is found where a unit opens it.
  const providerOf = (chosen: string | z.output<typeof settings>): symbol | undefined => {
    const name = typeof chosen === 'string' ? chosen : chosen.name;
    return name === IN_PROCESS || chosen === defaultName ? undefined : embedderToken(name);
  };
  return outside('model', z.union([z.string().min(1), settings]), providerOf)
    .transform((value): EmbedderSettings => (typeof value === 'string' ? { name: value } : value))
    .prefault(defaultName)
    .describe(
      'The embedder: its name (transformers, lexical, one that a plugin brings), or a map: name, model, dtype, folder, timeout, dimensions, options.',
    );
}

/** An embedder that does something around another, whose vectors it gives: in all else it is that one. */
export abstract class EmbedderAround implements Embedder {
  constructor(protected readonly embedder: Embedder) {}

  get name(): string {
    return this.embedder.name;
  }

  get dimensions(): number | undefined {
    return this.embedder.dimensions;
  }

  get space(): object {
    return this.embedder.space ?? this.embedder;
  }

  get unusable(): Error | undefined {
    return this.embedder.unusable;
  }

  abstract embed(texts: readonly string[], abort?: AbortSignal): Embeddings | Promise<Embeddings>;
}
