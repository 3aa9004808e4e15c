import * as z from 'zod';
import { duration, environmentName, outside, serviceOptions, url } from '../../expression/index.js';
import { LANGUAGE_MODELS, type LanguageModelSettings } from './language-model.js';

/** The fields of the request that are the question itself. */
const RESERVED_FIELDS = ['messages', 'model', 'n', 'response_format', 'stream', 'tools'];

const settings = z.strictObject({
  name: z.string().min(1).describe('The model, as its endpoint names it.'),
  base_url: url({ protocol: /^https?$/, error: 'expected a URL such as http://localhost:11434/v1' })
    .refine((address) => !address.includes('@'), 'expected a URL without a password: see api_key_env')
    .optional()
    .describe('The endpoint, which speaks OpenAI’s chat completions; OpenAI’s own when not said.'),
  api_key_env: environmentName()
    .optional()
    .describe('The environment variable that holds the key. Without a base_url: OPENAI_API_KEY.'),
  timeout: duration()
    .refine((ms) => ms > 0, 'expected more than 0')
    .optional()
    .describe('How long one question may take, 20s when not said.'),
  total_tokens: z
    .int()
    .positive()
    .optional()
    .describe('How many tokens all questions of the pipeline together may take; then no more are asked.'),
  options: serviceOptions()
    .superRefine((fields, ctx) => {
      for (const name of RESERVED_FIELDS.filter((field) => field in fields)) {
        ctx.addIssue({ code: 'custom', path: [name], message: `expected no ${name}: that is the question itself` });
      }
    })
    .optional()
    .describe('Further fields of the request, such as reasoning_effort; they replace those that are sent.'),
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
