import { type ServiceToken, serviceToken } from '../../contract/index.js';

/** A JSON Schema, as `answerSchema` makes it. */
export type AnswerSchema = Readonly<Record<string, unknown>>;

/** One question to a language model. */
export interface LanguageModelQuestion {
  /** The task: the system message. It must have no text of users. */
  readonly instructions: string;
  /**
   * The data: the user message, as JSON. Text of users belongs here and nowhere else: inside a JSON string it cannot
   * end that string.
   */
  readonly material: unknown;
  /** The shape of the answer, with a name (letters, digits, `_`). */
  readonly answer: { readonly name: string; readonly schema: AnswerSchema };
  /** The most tokens that the answer may have. */
  readonly maxTokens: number;
}

/** An answer, with what it used. */
export interface LanguageModelAnswer {
  /** The parsed JSON of the answer. It is not checked against the schema yet. */
  readonly value: unknown;
  /** The model that answered, as the endpoint names it. */
  readonly model: string;
  /** The tokens that question and answer used: the endpoint's count, else an estimate. */
  readonly tokens: number;
}

/** One model at one endpoint. */
export interface LanguageModel {
  /**
   * Asks one question, once. Retries are for the caller: in a profile, the signal's `retries`.
   *
   * @throws AssizeError ASZ525 when no question can be sent (no package, no key, no tokens left), ASZ526 when it does not
   *   answer (no network, time, errors), ASZ527 when what it answered cannot be used (refused, cut off, no JSON);
   *   the abort's reason when that came first
   */
  ask(question: LanguageModelQuestion, abort?: AbortSignal): Promise<LanguageModelAnswer>;
}

/** A profile's settings of a language model. */
export interface LanguageModelSettings {
  /** The model, as its endpoint names it. */
  readonly name: string;
  /** The endpoint; OpenAI's own when not given. */
  readonly baseUrl?: string | undefined;
  /** The environment variable that holds the key; none is sent to a `baseUrl` for which none is named. */
  readonly apiKeyEnv?: string | undefined;
  /** The milliseconds that a question may take. */
  readonly timeout?: number | undefined;
  /** The tokens that all questions of the pipeline together may use. */
  readonly totalTokens?: number | undefined;
  /** Further fields of the request, which only this endpoint or model knows. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** Finds language models by a profile's settings. */
export interface LanguageModels {
  /** Gives the same model for the same settings: questions share its budget. Loads nothing and sends no request. */
  open(settings: LanguageModelSettings): LanguageModel;
}

/** The token for units that ask a language model: `@inject(LANGUAGE_MODELS)`. Bind another to replace the client. */
export const LANGUAGE_MODELS: ServiceToken<LanguageModels> = serviceToken<LanguageModels>('language-models');
