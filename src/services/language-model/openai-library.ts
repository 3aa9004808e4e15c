import { AssizeError } from '../../diagnostics/problem.js';
import { messageWithCauses, toError } from '../error-message.js';
import type { Fetch } from '../fetch.js';

/** What a client is made with. `null` keeps it from looking into the environment. */
export interface OpenAiClientOptions {
  readonly apiKey: string;
  readonly baseURL?: string;
  readonly organization?: null;
  readonly project?: null;
  readonly maxRetries: number;
  readonly timeout: number;
  readonly fetch: Fetch;
}

/** A chat completion to be made. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: 'system' | 'user'; readonly content: string }[];
  readonly response_format: object;
  readonly [option: string]: unknown;
}

/** A client of one endpoint. */
export interface OpenAiClient {
  readonly baseURL: string;
  readonly chat: {
    readonly completions: {
      create(request: ChatRequest, options: { readonly signal: AbortSignal }): PromiseLike<unknown>;
    };
  };
}

/** The part of `openai` that is used; written down because the package is optional. */
export interface OpenAiLibrary {
  readonly OpenAI: new (options: OpenAiClientOptions) => OpenAiClient;
}

const isLibrary = (module: unknown): module is OpenAiLibrary =>
  typeof module === 'object' && module !== null && 'OpenAI' in module && typeof module.OpenAI === 'function';

/**
 * Imports the package: takes a tenth of a second, so nobody pays for it who asks no model.
 *
 * @throws AssizeError that says what to install when it is missing
 */
export async function importOpenAi(load: () => Promise<unknown>): Promise<OpenAiLibrary> {
  const module = await load().catch((cause: unknown) => {
    const message = importFailureMessage(toError(cause));
    throw new AssizeError([{ code: 'ASZ525', message }], message, { cause });
  });
  if (isLibrary(module)) return module;
  throw new AssizeError([{ code: 'ASZ525', message: 'openai is there, but of a version that has no OpenAI client' }]);
}

const importFailureMessage = (cause: Error): string =>
  'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND'
    ? 'asking a language model needs a package that is not installed: npm install openai'
    : `openai cannot be imported: ${messageWithCauses(cause)}`;
