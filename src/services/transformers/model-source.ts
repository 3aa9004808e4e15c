import { isAbsolute } from 'node:path';
import * as z from 'zod';

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

/** A profile's settings of a model. */
export interface ModelSettings {
  readonly model: string;
  readonly dtype?: string | undefined;
  readonly folder?: string | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** The dtypes of the library: it silently replaces any other by its default. */
const DTYPES = 'auto fp32 fp16 q8 int8 uint8 q4 q4f16 q2 q2f16 q1 q1f16 bnb4'.split(' ');

const optionsSchema = z.strictObject({
  remote_host: z.url().optional().describe('The hub to ask, in place of https://huggingface.co/.'),
  cache_dir: z.string().optional().describe('Where downloads are kept, in place of the library’s own cache.'),
  revision: z.string().optional().describe('The branch, tag or commit of the model.'),
});

/**
 * The source that settings name.
 *
 * @param title what wants it, as messages begin
 * @throws Error where a setting is not what it should be
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
