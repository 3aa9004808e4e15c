import * as z from 'zod';
import { type ServiceToken, serviceToken } from '../../sdk/index.js';
import { environmentName, outside, serviceOptions, url, duration } from '../../expression/index.js';

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
  /** The endpoint. Defaults to OpenAI's. */
  readonly baseUrl?: string | undefined;
  /** The environment variable that holds the key; none is sent to a `baseUrl` for which none is named. */
  readonly apiKeyEnv?: string | undefined;
  /** The timeout of a question in milliseconds. */
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

/** The token for units that use a language model: `@inject(LANGUAGE_MODELS)`. Bind another service to replace the client. */
export const LANGUAGE_MODELS: ServiceToken<LanguageModels> = serviceToken<LanguageModels>('language-models');

/** The fields of the request that are the question itself. */
const RESERVED_FIELDS = ['messages', 'model', 'n', 'response_format', 'stream', 'tools'];

const settings = z.strictObject({
  name: z.string().min(1).describe('The name of the model at its endpoint.'),
  base_url: url({ protocol: /^https?$/, error: 'expected a URL such as http://localhost:11434/v1' })
    .refine((address) => !address.includes('@'), 'expected a URL without a password: see api_key_env')
    .optional()
    .describe('The endpoint, with OpenAI’s chat completions API. Default: OpenAI.'),
  api_key_env: environmentName()
    .optional()
    .describe('The environment variable with the key. Default without base_url: OPENAI_API_KEY.'),
  timeout: duration()
    .refine((ms) => ms > 0, 'expected more than 0')
    .optional()
    .describe('The time limit of one request. Default: 20s.'),
  total_tokens: z
    .int()
    .positive()
    .optional()
    .describe('The maximum number of tokens of all requests of the pipeline together.'),
  options: serviceOptions()
    .superRefine((fields, ctx) => {
      for (const name of RESERVED_FIELDS.filter((field) => field in fields)) {
        ctx.addIssue({
          code: 'custom',
          path: [name],
          message: `expected no ${name}, because it is the request itself`,
        });
      }
    })
    .optional()
    .describe('Further fields of the request, such as reasoning_effort; they override the default fields.'),
});

/** A param that chooses a language model: its name at OpenAI, or a map of its settings. */
export const languageModelParam = () =>
  outside('model', z.union([z.string().min(1), settings]), () => LANGUAGE_MODELS)
    .transform((value): LanguageModelSettings => {
      if (typeof value === 'string') return { name: value };
      const { name, timeout, options } = value;
      const { base_url: baseUrl, api_key_env: apiKeyEnv, total_tokens: totalTokens } = value;
      return { name, baseUrl, apiKeyEnv, timeout, totalTokens, options };
    })
    .describe('The language model: its name at OpenAI, or an object with its settings.');

/**
 * Keywords that strict endpoints refuse or ignore: the reader of an answer checks them. And descriptions, which many
 * endpoints do not show to the model: the meaning of a key belongs in the instructions.
 */
const OMITTED_KEYWORDS = 'default description minimum maximum minLength maxLength minItems maxItems pattern'.split(' ');

/**
 * The JSON Schema of an answer, in the part of the language that every endpoint with strict answers takes: each key is
 * required (the reader of an answer applies defaults), and no other key is allowed.
 */
export function answerSchema(answer: z.ZodObject): AnswerSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(answer, {
    override: ({ jsonSchema }) => {
      for (const keyword of OMITTED_KEYWORDS) delete jsonSchema[keyword];
    },
  });
  return schema;
}
