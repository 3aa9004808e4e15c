import { join, resolve } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import type { Embedder, EmbedderSettings } from '../../../src/services/embedder/embedder-registry.js';
import { TransformersProvider } from '../../../src/services/transformers/models.js';
import { PATIENCE_MS } from '../../patience.js';
import { openHub } from '../transformers/hub.js';
import { tinyModel } from '../tiny/embedder-model.js';
import { writeModel } from '../tiny/write-model.js';
import { temporaryFolder } from '../../temporary-folder.js';

/** The files of the tiny model that the tests load. */
export const FILES = tinyModel([
  ['laptop', 'notebook'],
  ['fast', 'quick'],
  ['apple', 'banana'],
]);

/** The folder of real models next to the repository, if it exists. */
export const SHARED = resolve(process.env['ASSIZE_SHARED'] ?? '../shared', 'models');

export const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/** An embedder of a separate provider. */
export const open = (settings: EmbedderSettings, now = () => 0): Embedder =>
  new TransformersProvider({ now }).open(settings);

/**
 * A folder and a hub for the tests of one file, removed after them, and models there. Each test has separate models,
 * because loads are shared by the whole process.
 */
export async function openModels() {
  let models = 0;
  const scratch = temporaryFolder();
  const hub = await openHub((model) => (model === 'lab/unknown' ? undefined : FILES));
  afterEach(() => {
    hub.manners = undefined;
    hub.requests.length = 0;
  });
  afterAll(async () => {
    await hub.close();
  });

  const fromHub = (more: Partial<EmbedderSettings> = {}): EmbedderSettings => ({
    name: 'transformers',
    model: `lab/tiny-${models++}`,
    dtype: 'fp32',
    timeout: PATIENCE_MS,
    ...more,
    options: { remote_host: hub.url, cache_dir: join(scratch, `cache-${models}`), ...more.options },
  });
  const inFolder = () => {
    const [folder, model] = [join(scratch, `models-${models++}`), 'lab/tiny'] as const;
    writeModel(join(folder, model), FILES);
    return { name: 'transformers', model, dtype: 'fp32', folder };
  };
  return { scratch, hub, fromHub, inFolder };
}
