import { type ServiceToken, serviceToken } from '../../contract/service.js';

/** A JSON Schema, as `answerSchema` makes it. */
export type AnswerSchema = Readonly<Record<string, unknown>>;

/** One question to a language model. */
export interface LanguageModelQuestion {
  /** What it is to do: the system message. No word of anybody else belongs here. */
  readonly instructions: string;
  /**
   * What it is to look at: the user message, as JSON. Other people's words go here and nowhere else: inside a JSON
   * string they cannot end the place where they stand.
   */
  readonly material: unknown;
  /** The shape of the answer, with a name (letters, digits, `_`). */
  readonly answer: { readonly name: string; readonly schema: AnswerSchema };
  /** The most tokens that the answer may have. */
  readonly maxTokens: number;
}

/** What came back. */
export interface LanguageModelAnswer {
  /** The JSON of the answer. Nobody has held it to the schema yet: a model may lie. */
  readonly value: unknown;
  /** The model that answered, as the endpoint names it. */
  readonly model: string;
  /** How many tokens question and answer took: the endpoint's count, else an estimate. */
  readonly tokens: number;
}

/** Asks one model at one endpoint. */
export interface LanguageModel {
  /**
   * Asks once. Trying again is for the caller: in a profile, the signal's `retries`.
   *
   * @throws AssizeError ASZ525 when it cannot be asked (no package, no key, no tokens left), ASZ526 when it does not
   *   answer (no network, time, errors), ASZ527 when what it answered cannot be used (refused, cut off, no JSON);
   *   the abort's reason when that came first
   */
  ask(question: LanguageModelQuestion, abort?: AbortSignal): Promise<LanguageModelAnswer>;
}

/** What a profile says about the model that it wants. */
export interface LanguageModelSettings {
  /** The model, as its endpoint names it. */
  readonly name: string;
  /** The endpoint; OpenAI's own when not given. */
  readonly baseUrl?: string | undefined;
  /** The environment variable that holds the key; none is sent to a `baseUrl` for which none is named. */
  readonly apiKeyEnv?: string | undefined;
  /** How many milliseconds a question may take. */
  readonly timeout?: number | undefined;
  /** How many tokens all questions together may take, as long as the pipeline lives. */
  readonly totalTokens?: number | undefined;
  /** Further fields of the request, for what only this endpoint or model knows. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** Finds language models by what a profile says about them. */
export interface LanguageModels {
  /** The same model for the same settings: questions share its budget. Loads and asks nothing yet. */
  open(settings: LanguageModelSettings): LanguageModel;
}

/** The token for units that ask a language model: `@inject(LANGUAGE_MODELS)`. Bind another to replace the client. */
export const LANGUAGE_MODELS: ServiceToken<LanguageModels> = serviceToken<LanguageModels>('language-models');
