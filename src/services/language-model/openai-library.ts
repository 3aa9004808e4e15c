import { AssizeError } from '../../diagnostics/index.js';
import type { Fetch } from '../fetch.js';
import { importOptional, type OptionalPackage, OptionalPackageError } from '../optional-package.js';

/** The options of a client. `null` keeps it from reading the environment. */
export interface OpenAiClientOptions {
  readonly apiKey: string;
  readonly baseURL?: string;
  readonly organization?: null;
  readonly project?: null;
  readonly maxRetries: number;
  readonly timeout: number;
  readonly fetch: Fetch;
}

/** The request for a chat completion. */
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

/** What a client throws where a request got no response at all: an error of the endpoint has a status. */
export type ConnectionErrorClass = new (...args: never[]) => Error & { readonly status: undefined };

/** The part of `openai` that is used: the package, and with it its types, may be missing. */
export interface OpenAiLibrary {
  readonly OpenAI: (new (
    options: OpenAiClientOptions,
  ) => OpenAiClient) & {
    readonly APIConnectionError: ConnectionErrorClass;
  };
}

const OPENAI: OptionalPackage<OpenAiLibrary> = {
  name: 'openai',
  neededBy: 'asking a language model',
  part: 'OpenAI client',
  isLibrary: (module): module is OpenAiLibrary =>
    typeof module === 'object' &&
    module !== null &&
    'OpenAI' in module &&
    typeof module.OpenAI === 'function' &&
    'APIConnectionError' in module.OpenAI,
};

/**
 * Imports the package, which takes a tenth of a second: only with the first question.
 *
 * @throws AssizeError (ASZ525) where it cannot be used
 */
export async function importOpenAi(load: () => Promise<unknown>): Promise<OpenAiLibrary> {
  try {
    return await importOptional(OPENAI, load);
  } catch (error) {
    if (!(error instanceof OptionalPackageError)) throw error;
    throw new AssizeError([{ code: 'ASZ525', message: error.message }], error.message, { cause: error.cause });
  }
}
