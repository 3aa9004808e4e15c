import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageWithCauses, toError } from '../../diagnostics/index.js';
import type { Progress } from '../../contract/index.js';
import { withFetchInterceptor } from './fetch-interceptor.js';
import { LoadProgress } from './load-progress.js';
import { ModelDownload } from './model-download.js';
import type { ModelSource } from './model-source.js';
import type { PretrainedLoader, Tokenizer, TransformersLibrary } from './transformers-library.js';

/** A model with what makes its inputs. */
export interface LoadedModel<M extends object> {
  readonly tokenizer: Tokenizer;
  readonly model: M;
}

/**
 * Loads a model and its tokenizer.
 *
 * @param kind          the library's class of such models
 * @param idleTimeoutMs the milliseconds of silence from the network after which the load fails
 * @param progress      receives the bytes that came
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
  const part = <P extends object>(loader: PretrainedLoader<P>, more: object = {}): Promise<P> =>
    loader.from_pretrained(id, { ...options, ...more }).catch((error: unknown) => {
      throw download.stop(toError(error)); // the other part is of no use now
    });
  const config = await part(lib.AutoConfig);
  const loading = [part(lib.AutoTokenizer), part(kind, { config })] as const;
  await Promise.allSettled(loading); // no request may be open when the library's fetch is restored
  const [tokenizer, model] = await Promise.all(loading);
  return { tokenizer, model };
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
