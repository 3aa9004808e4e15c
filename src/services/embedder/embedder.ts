import * as z from 'zod';
import { type ServiceToken, serviceToken } from '../../sdk/index.js';
import { filePath, outside, serviceOptions, duration } from '../../expression/index.js';

/** One vector for each text. */
export type Embeddings = readonly Float32Array[];

/** Converts texts to vectors. Similar texts have vectors with similar directions. */
export interface Embedder {
  /** The model and everything else that determines its numbers: `transformers:Xenova/all-MiniLM-L6-v2:q8`, `lexical:512`. */
  readonly name: string;
  /** The length of a vector; undefined until it is known. */
  readonly dimensions: number | undefined;
  /**
   * The key of its vectors in the cache. Embedders with the same object share cached vectors, such as embedders of one
   * model in two pipelines. Defaults to the embedder itself.
   */
  readonly space?: object | undefined;
  /** The reason why it cannot embed now, if it is known: for example, a recent load of its model failed. */
  readonly unusable?: Error | undefined;
  /**
   * Returns one vector for each text, in order, or a promise if it must wait. The vector of a text must not depend on
   * the other texts or on the time, because vectors are cached.
   *
   * @param abort stops the work between two texts, with its reason
   */
  embed(texts: readonly string[], abort?: AbortSignal): Embeddings | Promise<Embeddings>;
}

/** A profile's settings of an embedder. The provider decides which settings it accepts besides the name. */
export interface EmbedderSettings {
  /** The provider's name. */
  readonly name: string;
  /** The provider's name for the model. */
  readonly model?: string | undefined;
  /** The type of the model's numbers: `fp32`, `q8` and others. Defaults to the provider's default. */
  readonly dtype?: string | undefined;
  /** The absolute path of a folder of models, which replaces the network. */
  readonly folder?: string | undefined;
  /** The milliseconds without data after which a load fails. */
  readonly timeout?: number | undefined;
  /** The length of a vector. */
  readonly dimensions?: number | undefined;
  /** Settings of this provider. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** Creates the embedders of one kind. */
export interface EmbedderProvider {
  /** Returns the same embedder for the same settings. The first text loads the model. */
  open(settings: EmbedderSettings): Embedder;
}

/** The token of a provider. A plugin binds its own providers in its export `services`. */
export const embedderToken = (name: string): ServiceToken<EmbedderProvider> =>
  serviceToken<EmbedderProvider>(`embedder:${name}`);

/** Finds embedders by a profile's settings. */
export interface Embedders {
  /** @throws Error if no provider has this name, or the provider rejects a setting */
  open(settings: EmbedderSettings): Embedder;
}

/** The token for units that embed: `@inject(EMBEDDERS)`. */
export const EMBEDDERS: ServiceToken<Embedders> = serviceToken<Embedders>('embedders');

/** Four times the dimensions of any known model. */
const MAX_DIMENSIONS = 16_384;

const settings = z.strictObject({
  name: z.string().min(1).describe('The embedder: transformers, lexical, or one from a plugin.'),
  model: z.string().min(1).optional().describe('The name of the model in the embedder.'),
  dtype: z.string().min(1).optional().describe('The type of the model’s numbers: fp32, fp16, q8, q4 and others.'),
  folder: filePath()
    .optional()
    .describe('A folder of models, relative to the profile. If it is set, nothing is loaded from the network.'),
  timeout: duration().optional().describe('The maximum time without progress while the model loads.'),
  dimensions: z.int().positive().max(MAX_DIMENSIONS).optional().describe('The number of dimensions of a vector.'),
  options: serviceOptions().optional().describe('Options that are specific to this embedder.'),
});

/** The embedder that compares wording, in this process and without a model. */
const IN_PROCESS = 'lexical';

/** A param that chooses an embedder: its name, or a map of its settings. */
export function embedderParam(defaultName = 'transformers') {
  // The default may be unused, so it counts as an outside model only when a unit opens it.
  const providerOf = (chosen: string | z.output<typeof settings>): symbol | undefined => {
    const name = typeof chosen === 'string' ? chosen : chosen.name;
    return name === IN_PROCESS || chosen === defaultName ? undefined : embedderToken(name);
  };
  return outside('model', z.union([z.string().min(1), settings]), providerOf)
    .transform((value): EmbedderSettings => (typeof value === 'string' ? { name: value } : value))
    .prefault(defaultName)
    .describe(
      'The embedder: its name (transformers, lexical, one from a plugin), or a map: name, model, dtype, folder, timeout, dimensions, options.',
    );
}

/** A decorator of an embedder. Subclasses wrap `embed`. */
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
