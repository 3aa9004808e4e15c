import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, readdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { timerMs, type Progress } from '../../sdk/index.js';
import { messageWithCauses, toError } from '../../base/index.js';
import { hasParts, importOptional, type OptionalPackage } from '../optional-package.js';
import type { Fetch } from '../requests.js';

/** A model and its tokenizer. */
interface LoadedModel<M extends object> {
  readonly tokenizer: Tokenizer;
  readonly model: M;
}

/**
 * Loads a model and its tokenizer.
 *
 * @param kind the library's class of such models
 * @param idleTimeoutMs the milliseconds without data after which the load fails
 * @param progress called with the number of received bytes
 */
export async function loadModel<M extends object>(
  lib: TransformersLibrary,
  kind: PretrainedLoader<M>,
  source: ModelSource,
  idleTimeoutMs: number,
  progress: Progress,
): Promise<LoadedModel<M>> {
  const loading = new LoadProgress(source.model, progress);
  const download = new ModelDownload(idleTimeoutMs, loading.onDownloadProgress);
  const atHost = redirectHost(lib.env.remoteHost, source.remoteHost);
  try {
    return await withFetchInterceptor(
      lib.env,
      (original, input, init) => download.fetch(original, ...atHost(input, init)),
      () => loadParts(lib, kind, source, download),
    );
  } catch (cause) {
    const place = source.folder ?? source.remoteHost ?? lib.env.remoteHost;
    const why = `${messageWithCauses(toError(cause))}${localFilesHint(source)}`;
    throw new Error(`the model ${source.model} cannot be loaded from ${place}: ${why}`, { cause });
  } finally {
    loading.end();
  }
}

async function loadParts<M extends object>(
  lib: TransformersLibrary,
  kind: PretrainedLoader<M>,
  source: ModelSource,
  download: ModelDownload,
): Promise<LoadedModel<M>> {
  // Use the path as the id of a local model. Otherwise global settings of the library would have to change.
  const id = source.folder === undefined ? source.model : join(source.folder, source.model);
  // The library caches missing files permanently, so it must not be called if a file is missing.
  for (const file of source.folder === undefined ? [] : ['config.json', 'tokenizer_config.json']) {
    if (!existsSync(join(id, file))) throw new Error(`${join(id, file)} is missing`);
  }
  const options = {
    ...(source.dtype === undefined ? {} : { dtype: source.dtype }),
    ...(source.cacheDir === undefined ? {} : { cache_dir: source.cacheDir }),
    ...(source.revision === undefined ? {} : { revision: source.revision }),
    local_files_only: source.folder !== undefined,
  };
  const part = <P extends object>(loader: PretrainedLoader<P>, more: object = {}): Promise<P> =>
    loader.from_pretrained(id, { ...options, ...more }).catch((error: unknown) => {
      throw download.stop(toError(error)); // Stops loading the other part.
    });
  const config = await part(lib.AutoConfig);
  const loading = [part(lib.AutoTokenizer), part(kind, { config })] as const;
  await Promise.allSettled(loading); // No request may be open when the library's fetch is restored.
  const [tokenizer, model] = await Promise.all(loading);
  return { tokenizer, model };
}

/** Lists the files of a local model, because the most common cause is a wrong dtype. */
function localFilesHint({ folder, model }: ModelSource): string {
  const onnx = folder === undefined ? '' : join(folder, model, 'onnx');
  return existsSync(onnx) ? `; ${onnx} holds ${readdirSync(onnx).join(', ') || 'nothing'} (see the setting dtype)` : '';
}

type FetchArguments = [input: string | URL, init: RequestInit];

/** Redirects requests from one host to another, without the authorization for the first. */
function redirectHost(
  from: string,
  to: string | undefined,
): (input: string | URL, init?: RequestInit) => FetchArguments {
  return (input, init = {}) => {
    const url = String(input);
    if (to === undefined || !url.startsWith(from)) return [input, init];
    const headers = new Headers(init.headers);
    headers.delete('authorization');
    return [`${to.replace(/\/*$/, '/')}${url.slice(from.length)}`, { ...init, headers }];
  };
}

/** A model and its source. */
export interface ModelSource {
  readonly model: string;
  readonly dtype: string | undefined;
  /** A folder of models on this machine, used instead of the network. */
  readonly folder: string | undefined;
  /** The hub that replaces the library's default. */
  readonly remoteHost: string | undefined;
  readonly cacheDir: string | undefined;
  readonly revision: string | undefined;
}

/** A profile's settings of a model. */
interface ModelSettings {
  readonly model: string;
  readonly dtype?: string | undefined;
  readonly folder?: string | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** The dtypes of the library. Checked here, because the library silently replaces unknown ones by its default. */
const DTYPES = 'auto fp32 fp16 q8 int8 uint8 q4 q4f16 q2 q2f16 q1 q1f16 bnb4'.split(' ');

const optionsSchema = z.strictObject({
  remote_host: z.url().optional().describe('The hub to load from, instead of https://huggingface.co/.'),
  cache_dir: z.string().optional().describe('The folder for downloads, instead of the library’s own cache.'),
  revision: z.string().optional().describe('The branch, tag or commit of the model.'),
});

/**
 * Reads the source of a model from settings.
 *
 * @param title the start of messages
 * @throws Error if a setting is invalid
 */
export function modelSource(title: string, { model, dtype, folder, options = {} }: ModelSettings): ModelSource {
  if (folder !== undefined && !isAbsolute(folder)) throw new Error(`${title}: '${folder}' is not absolute`);
  if (dtype !== undefined && !DTYPES.includes(dtype)) {
    throw new Error(`${title}: no dtype is called '${dtype}', only ${DTYPES.join(', ')}`);
  }
  const { data, error } = optionsSchema.safeParse(options);
  if (!data) throw new Error(`${title}, options: ${z.prettifyError(error)}`);
  const { remote_host: remoteHost, cache_dir: cacheDir, revision } = data;
  return { model, dtype, folder, remoteHost, cacheDir, revision };
}

/** Sums up the received bytes of all files of one model. A model in a folder has none. */
class LoadProgress {
  readonly #files = new Map<string, { readonly loaded: number; readonly total: number }>();
  readonly #task: string;

  constructor(
    model: string,
    private readonly progress: Progress,
  ) {
    this.#task = `loading ${model}`;
    this.#report(undefined);
  }

  /** Records the received bytes of a file, and its total bytes if the server sends them. */
  readonly onDownloadProgress = (file: string, loaded: number, total: number | undefined): void => {
    this.#files.set(file, { loaded, total: Math.max(loaded, total ?? 0) });
    // Another file may follow, so only `end` reports that the total is reached.
    const all = [...this.#files.values()].reduce((sum, one) => sum + one.total, 0);
    this.#report(all > this.#loaded() ? all : undefined);
  };

  /** Reports that the download has ended. */
  end(): void {
    this.#report(this.#loaded());
  }

  #loaded(): number {
    return [...this.#files.values()].reduce((sum, { loaded }) => sum + loaded, 0);
  }

  #report(total: number | undefined): void {
    this.progress({ task: this.#task, unit: 'bytes', done: this.#loaded(), total });
  }
}

/** Called with the received bytes of a response, and its length if known. */
type DownloadProgressListener = (url: string, loaded: number, length: number | undefined) => void;

/**
 * The requests of one load. The total time is not limited while data arrives. If one request receives no data for too
 * long, or the load is stopped, all current and later requests fail.
 */
class ModelDownload {
  /** The reason why the load was stopped. */
  failure: Error | undefined;
  readonly #stopped = new AbortController();

  /**
   * @param idleTimeoutMs the milliseconds without data after which the load fails
   * @param onProgress called for every part of a response
   */
  constructor(
    readonly idleTimeoutMs: number,
    private readonly onProgress: DownloadProgressListener = () => {},
  ) {}

  /** Aborts all requests. Returns the reason of the first call. */
  stop(reason: Error): Error {
    this.failure ??= reason;
    this.#stopped.abort(this.failure);
    return this.failure;
  }

  /** Wraps `fetch` with the time-out and the progress. */
  async fetch(fetch: Fetch, input: string | URL, init: RequestInit = {}): Promise<Response> {
    const { signal } = this.#stopped;
    signal.throwIfAborted();
    const response = await this.#withIdleTimeout(input, () => fetch(input, { ...init, signal }));
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    const length = Number(headers.get('content-length'));
    const body = this.#countedBody(input, response.body, length > 0 ? length : undefined);
    return new Response(body, { status, statusText, headers });
  }

  #countedBody(
    input: string | URL,
    body: ReadableStream<Uint8Array>,
    length: number | undefined,
  ): ReadableStream<Uint8Array> {
    let loaded = 0;
    const reader = body.getReader();
    return new ReadableStream({
      // The time-out runs only while a read is pending, so that a slow disk does not trigger it.
      pull: async (controller) => {
        const { done, value } = await this.#withIdleTimeout(input, () => reader.read());
        if (done) return controller.close();
        loaded += value.length;
        this.onProgress(String(input), loaded, length);
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }

  async #withIdleTimeout<T>(input: string | URL, receive: () => Promise<T>): Promise<T> {
    const silent = () => this.stop(new Error(`${new URL(input).origin} was silent for ${this.idleTimeoutMs / 1000} s`));
    const timer = setTimeout(silent, timerMs(this.idleTimeoutMs));
    try {
      return await receive();
    } catch (error) {
      throw this.failure ?? error;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The library's object with the `fetch` that all of its loads share. */
interface FetchHolder {
  fetch: Fetch;
}

/** Handles a request; may call the library's own `fetch`. */
type FetchInterceptor = (original: Fetch, input: string | URL, init?: RequestInit) => Promise<Response>;

const interceptors = new AsyncLocalStorage<FetchInterceptor>();
const installed = new WeakMap<FetchHolder, { users: number; remove: () => void }>();

/**
 * Runs work and passes only its own requests to `intercept`. The library's `fetch` is global, so concurrent work is
 * told apart by its asynchronous context. Restores the library's `fetch` afterwards.
 */
async function withFetchInterceptor<T>(
  holder: FetchHolder,
  intercept: FetchInterceptor,
  work: () => Promise<T>,
): Promise<T> {
  const install = installed.get(holder) ?? installInterceptor(holder);
  install.users++;
  try {
    return await interceptors.run(intercept, work);
  } finally {
    if (--install.users === 0) install.remove();
  }
}

function installInterceptor(holder: FetchHolder) {
  const original = holder.fetch;
  const ours: Fetch = (input, init) => {
    const intercept = interceptors.getStore();
    return intercept === undefined ? original(input, init) : intercept(original, input, init);
  };
  holder.fetch = ours;
  const install = {
    users: 0,
    remove: () => {
      installed.delete(holder);
      if (holder.fetch === ours) holder.fetch = original; // Otherwise another caller has replaced it.
    },
  };
  installed.set(holder, install);
  return install;
}

/** Loads a part of a model. */
interface PretrainedLoader<T extends object = object> {
  from_pretrained(model: string, options: object): Promise<T>;
}

export interface Tensor {
  readonly data: ArrayLike<number>;
  readonly dims: readonly number[];
}

/** Embeds one text, without copying the result. */
type Extractor = (
  text: string,
  options: { readonly pooling: 'mean'; readonly normalize: true },
) => Promise<Pick<Tensor, 'data'>>;

/** Creates the input of a model from a pair of texts. */
type Tokenizer = (text: string, options: { readonly text_pair: string; readonly truncation: true }) => object;

/** Returns a logit for each label. */
type Classifier = (input: object) => Promise<{ readonly logits?: Tensor }>;

/** The used part of `@huggingface/transformers`. Declared here because the package and its types may be missing. */
interface TransformersLibrary {
  readonly env: FetchHolder & { readonly remoteHost: string };
  readonly AutoConfig: PretrainedLoader;
  readonly AutoTokenizer: PretrainedLoader<Tokenizer>;
  readonly AutoModel: PretrainedLoader;
  readonly AutoModelForSequenceClassification: PretrainedLoader<Classifier>;
  readonly FeatureExtractionPipeline: new (parts: { task: string; tokenizer: object; model: object }) => Extractor;
}

const library = (neededBy: string): OptionalPackage<TransformersLibrary> => ({
  name: '@huggingface/transformers',
  neededBy,
  part: 'FeatureExtractionPipeline',
  isLibrary: hasParts<TransformersLibrary>('FeatureExtractionPipeline', 'env'),
});

/**
 * Imports the package. Called only when a model is used, because it takes tenths of a second.
 *
 * @param neededBy the subject of messages
 * @throws OptionalPackageError
 */
export const importTransformers = (neededBy: string, load: () => Promise<unknown>): Promise<TransformersLibrary> =>
  importOptional(library(neededBy), load);
