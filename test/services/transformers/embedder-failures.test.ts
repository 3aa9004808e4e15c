import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { TransformersProvider } from '../../../src/services/transformers/models.js';
import type { Manners } from './hub.js';
import { open, openModels } from '../embedder/models.js';
import { TINY_WIDTH } from '../tiny/embedder-model.js';

const { hub, scratch, fromHub } = await openModels();

/** A hub that sends half of the model, and then either closes the connection or stalls. */
const half =
  (end: boolean): Manners =>
  (file, response, content) => {
    if (file !== 'onnx/model.onnx' || content === undefined) return false;
    response.writeHead(200, { 'content-length': content.length });
    response.write(content.subarray(0, content.length / 2), () => end && response.destroy());
    return true;
  };

describe('the embedder transformers, with a failing hub', () => {
  it.each(['config.json', 'tokenizer_config.json', 'tokenizer.json', 'onnx/model.onnx'])(
    'fails if the hub does not answer for %s',
    async (silent) => {
      hub.manners = (file) => file === silent;
      const embedder = open(fromHub({ timeout: 300 }));
      await expect(embedder.embed(['a'])).rejects.toThrow(`${hub.url.slice(0, -1)} was silent for 0.3 s`);
    },
  );

  it('fails if a file stops in the middle, whether the connection closes or stays open', async () => {
    const settings = fromHub();
    hub.manners = half(true);
    await expect(open(settings).embed(['a'])).rejects.toThrow('cannot be loaded');
    hub.manners = half(false);
    await expect(open({ ...settings, timeout: 300 }).embed(['a'])).rejects.toThrow('was silent');
    // The halves were not cached: once the hub works, the model does too.
    hub.manners = undefined;
    expect((await open(settings).embed(['laptop']))[0]).toHaveLength(TINY_WIDTH);
  });

  it('names the missing file', async () => {
    const embedder = open(fromHub({ model: 'lab/unknown' }));
    await expect(embedder.embed(['a'])).rejects.toThrow(
      /lab\/unknown cannot be loaded from http.*Could not locate file.*config\.json/s,
    );
  });

  it('reports that the hub cannot be reached', async () => {
    const embedder = open(fromHub({ options: { remote_host: 'http://127.0.0.1:1/' } }));
    await expect(embedder.embed(['a'])).rejects.toThrow(/fetch failed \(.*(ECONNREFUSED|bad port)/);
  });

  it('caches a failure for a minute, separately for each provider', async () => {
    let now = 0;
    const [settings, provider] = [fromHub(), new TransformersProvider({ now: () => now })];
    const first = hub.requests.length;
    hub.manners = (_, response) => Boolean(response.writeHead(503).end());
    const failed = Promise.resolve(provider.open(settings).embed(['a']));
    const failure = await failed.catch((error: Error) => error.message);
    expect(failure).toContain('Service unavailable');
    const asked = hub.requests.length;
    expect(asked).toBeGreaterThan(first);
    now = 59_999;
    await expect(provider.open(settings).embed(['a'])).rejects.toThrow(failure);
    expect(hub.requests.length).toBe(asked);
    hub.manners = undefined;
    now = 60_000;
    expect((await provider.open(settings).embed(['laptop']))[0]).toHaveLength(TINY_WIDTH);
  });

  it.each([
    ['silent', 300, () => true, /was silent for 0.3 s$/m],
    ['well', 30_000, undefined, /^16 dimensions$/m],
  ] as const)('lets the process exit if the hub is %s', async (_, timeout, manners, printed) => {
    hub.manners = manners;
    const script = join(import.meta.dirname, 'embed-once.ts');
    const args = ['--import', 'jiti/register', script, hub.url, join(scratch, 'once'), String(timeout)];
    const { stdout } = await promisify(execFile)(process.execPath, args); // never returns if the process stays
    expect(stdout).toMatch(printed);
  });
});

describe('the package of the embedder transformers', () => {
  it('is named if it is missing', async () => {
    const cause = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
    const embedder = new TransformersProvider(
      { now: () => 0 },
      () => {},
      () => Promise.reject(cause),
    ).open({
      name: 'transformers',
      model: 'lab/missing',
    });
    await expect(embedder.embed(['a'])).rejects.toThrow('npm install @huggingface/transformers');
  });

  it('may be broken in other ways', async () => {
    const embedder = new TransformersProvider(
      { now: () => 0 },
      () => {},
      () => Promise.reject(new Error('wrong machine')),
    ).open({
      name: 'transformers',
      model: 'lab/broken',
    });
    await expect(embedder.embed(['a'])).rejects.toThrow('@huggingface/transformers cannot be loaded: wrong machine');
  });
});
