import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageWithCauses, toError } from '../../diagnostics/index.js';
import type { Progress } from '../../contract/index.js';
import { withFetchInterceptor } from './fetch-interceptor.js';
import { LoadProgress } from './load-progress.js';
import { ModelDownload } from './model-download.js';
import type { Extractor, TransformersLibrary } from './transformers-library.js';

/** A model and its source. */
export interface ModelSource {
  readonly model: string;
  readonly dtype: string | undefined;
  /** A folder of models on this machine, used instead of the network. */
  readonly folder: string | undefined;
  /** The hub to use in place of the library's. */
  readonly remoteHost: string | undefined;
  readonly cacheDir: string | undefined;
  readonly revision: string | undefined;
}

/** Embeds one text: the mean of its tokens, of length 1. */
export type EmbedText = (text: string) => Promise<Float32Array>;

/**
 * Loads a model and its tokenizer.
 *
 * @param idleTimeoutMs the milliseconds of silence from the network after which the load fails
 * @param progress      receives the bytes that came
 */
export async function loadModel(
  lib: TransformersLibrary,
  source: ModelSource,
  idleTimeoutMs: number,
  progress: Progress,
): Promise<EmbedText> {
  const loading = new LoadProgress(source.model, progress);
  const download = new ModelDownload(idleTimeoutMs, loading.onDownloadProgress);
  const atHost = redirectHost(lib.env.remoteHost, source.remoteHost);
  try {
    const extract = await withFetchInterceptor(
      lib.env,
      (original, input, init) => download.fetch(original, ...atHost(input, init)),
      () => loadParts(lib, source, download),
    );
    return async (text) => Float32Array.from((await extract(text, { pooling: 'mean', normalize: true })).data);
  } catch (cause) {
    const place = source.folder ?? source.remoteHost ?? lib.env.remoteHost;
    const why = `${messageWithCauses(toError(cause))}${localFilesHint(source)}`;
    throw new Error(`the model ${source.model} cannot be loaded from ${place}: ${why}`, { cause });
  } finally {
    loading.end();
  }
}

async function loadParts(lib: TransformersLibrary, source: ModelSource, download: ModelDownload): Promise<Extractor> {
  // With its path as its id, a local model needs no settings that are global to the library.
  const id = source.folder === undefined ? source.model : join(source.folder, source.model);
  // The library caches for good which files it didn't find: it is not called where one is missing.
  for (const file of source.folder === undefined ? [] : ['config.json', 'tokenizer_config.json']) {
    if (!existsSync(join(id, file))) throw new Error(`${join(id, file)} is missing`);
  }
  const options = {
    ...(source.dtype === undefined ? {} : { dtype: source.dtype }),
    ...(source.cacheDir === undefined ? {} : { cache_dir: source.cacheDir }),
    ...(source.revision === undefined ? {} : { revision: source.revision }),
    local_files_only: source.folder !== undefined,
  };
  const part = (kind: { from_pretrained(id: string, options: object): Promise<object> }, more: object = {}) =>
    kind.from_pretrained(id, { ...options, ...more }).catch((error: unknown) => {
      throw download.stop(toError(error)); // the other part is of no use now
    });
  const config = await part(lib.AutoConfig);
  const loading = [part(lib.AutoTokenizer), part(lib.AutoModel, { config })] as const;
  await Promise.allSettled(loading); // no request may be open when the library's fetch is restored
  const [tokenizer, model] = await Promise.all(loading);
  return new lib.FeatureExtractionPipeline({ task: 'feature-extraction', tokenizer, model });
}

/** Lists the files of a local model: most often the dtype is another. */
function localFilesHint({ folder, model }: ModelSource): string {
  const onnx = folder === undefined ? '' : join(folder, model, 'onnx');
  return existsSync(onnx) ? `; ${onnx} holds ${readdirSync(onnx).join(', ') || 'nothing'} (see the setting dtype)` : '';
}

type FetchArguments = [input: string | URL, init: RequestInit];

/** Redirects requests from one host to another, without the token for the first. */
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
