import * as z from 'zod';
import { type ServiceToken, serviceToken } from '../../sdk/index.js';
import { environmentName, outside, serviceOptions, url, duration } from '../../expression/index.js';

/** A JSON Schema, as `answerSchema` makes it. */
export type AnswerSchema = Readonly<Record<string, unknown>>;

/** One request to a language model. */
export interface LanguageModelQuestion {
  /** The task, sent as the system message. Must not contain text of users. */
  readonly instructions: string;
  /**
   * The data, sent as the user message in JSON. Put text of users only here: inside a JSON string it cannot end that
   * string.
   */
  readonly material: unknown;
  /** The schema of the answer, and its name (letters, digits, `_`). */
  readonly answer: { readonly name: string; readonly schema: AnswerSchema };
  /** The maximum number of tokens of the answer. */
  readonly maxTokens: number;
}

/** An answer and the tokens that it used. */
export interface LanguageModelAnswer {
  /** The parsed JSON of the answer, not yet checked against the schema. */
  readonly value: unknown;
  /** The model that answered, as the endpoint names it. */
  readonly model: string;
  /** The tokens of request and answer: the endpoint's count, or an estimate. */
  readonly tokens: number;
}

/** One model at one endpoint. */
export interface LanguageModel {
  /**
   * Sends one request, without retries. The caller retries: in a profile, with the signal's `retries`.
   *
   * @throws AssizeError ASZ525 if no request can be sent (no package, no key, no tokens left); ASZ526 if there is no
   *   answer (no network, timeout, errors); ASZ527 if the answer cannot be used (refused, cut off, not JSON); the
   *   reason of `abort` if it was aborted first
   */
  ask(question: LanguageModelQuestion, abort?: AbortSignal): Promise<LanguageModelAnswer>;
}

/** A profile's settings of a language model. */
export interface LanguageModelSettings {
  /** The endpoint's name for the model. */
  readonly name: string;
  /** The endpoint. Default: OpenAI's. */
  readonly baseUrl?: string | undefined;
  /** The environment variable with the key. Default: `OPENAI_API_KEY` without `baseUrl`, otherwise no key is sent. */
  readonly apiKeyEnv?: string | undefined;
  /** The timeout of a request in milliseconds. */
  readonly timeout?: number | undefined;
  /** The maximum number of tokens of all requests of the pipeline together. */
  readonly totalTokens?: number | undefined;
  /** Further fields of the request, specific to the endpoint or model. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** Finds language models by a profile's settings. */
export interface LanguageModels {
  /** Returns the same model for the same settings, so that requests share its budget. Does not load or send anything. */
  open(settings: LanguageModelSettings): LanguageModel;
}

/** The token for units that call a language model: `@inject(LANGUAGE_MODELS)`. Bind another service to replace the client. */
export const LANGUAGE_MODELS: ServiceToken<LanguageModels> = serviceToken<LanguageModels>('language-models');

/** The fields of the request that `options` must not override. */
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
 * Keywords to remove from schemas. Strict endpoints reject or ignore them, so the reader of an answer checks them. Many
 * endpoints do not show descriptions to the model, so explain keys in the instructions.
 */
const OMITTED_KEYWORDS = 'default description minimum maximum minLength maxLength minItems maxItems pattern'.split(' ');

/**
 * The JSON Schema of an answer, in the subset that all endpoints with strict answers accept: all keys are required (the
 * reader of an answer applies defaults), and other keys are not allowed.
 */
export function answerSchema(answer: z.ZodObject): AnswerSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(answer, {
    override: ({ jsonSchema }) => {
      for (const keyword of OMITTED_KEYWORDS) delete jsonSchema[keyword];
    },
  });
  return schema;
}
