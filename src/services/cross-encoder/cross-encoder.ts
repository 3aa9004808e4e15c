import { type ServiceToken, serviceToken } from '../../contract/index.js';
import type { Reranker } from '../reranker.js';

/** A profile's settings of a cross-encoder. */
export interface CrossEncoderSettings {
  /** The model, by the name its library knows it by. */
  readonly name: string;
  /** The type of the model's numbers: `fp32`, `q8` …; the library's default when not given. */
  readonly dtype?: string | undefined;
  /** An absolute path: a folder of models, used instead of the network. */
  readonly folder?: string | undefined;
  /** The milliseconds without any data after which a load fails. */
  readonly timeout?: number | undefined;
  /** Settings that only the library has. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** Makes cross-encoders: models that read a query and a text together. */
export interface CrossEncoders {
  /**
   * Gives the same cross-encoder for the same settings. Loads nothing: the first text does. Its scores are logits, of any
   * sign; a text has the same one whatever it is scored with.
   *
   * @throws Error where a setting is not what it should be
   */
  open(settings: CrossEncoderSettings): Reranker;
}

/** The token for units that ask a cross-encoder: `@inject(CROSS_ENCODERS)`. */
export const CROSS_ENCODERS: ServiceToken<CrossEncoders> = serviceToken<CrossEncoders>('cross encoders');
