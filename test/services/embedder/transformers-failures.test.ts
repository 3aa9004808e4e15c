import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { TransformersProvider } from '../../../src/services/transformers/models.js';
import type { Manners } from './hub.js';
import { open, openModels } from './models.js';
import { TINY_WIDTH } from '../tiny/embedder-model.js';

const { hub, scratch, fromHub } = await openModels();

/** A hub that sends half of the model, and then either ends the connection or says nothing more. */
const half =
  (end: boolean): Manners =>
  (file, response, content) => {
    if (file !== 'onnx/model.onnx' || content === undefined) return false;
    response.writeHead(200, { 'content-length': content.length });
    response.write(content.subarray(0, content.length / 2), () => end && response.destroy());
    return true;
  };

describe('the embedder transformers, from a hub that is not well', () => {
  it.each(['config.json', 'tokenizer_config.json', 'tokenizer.json', 'onnx/model.onnx'])(
    'fails when the hub is silent about %s',
    async (silent) => {
      hub.manners = (file) => file === silent;
      const embedder = open(fromHub({ timeout: 300 }));
      await expect(embedder.embed(['a'])).rejects.toThrow(`${hub.url.slice(0, -1)} was silent for 0.3 s`);
    },
  );

  it('fails when a file stops in the middle, whether the connection ends or stays', async () => {
    const settings = fromHub();
    hub.manners = half(true);
    await expect(open(settings).embed(['a'])).rejects.toThrow('cannot be loaded');
    hub.manners = half(false);
    await expect(open({ ...settings, timeout: 300 }).embed(['a'])).rejects.toThrow('was silent');
    // Nothing of the halves was kept: once the hub is well, the model is too.
    hub.manners = undefined;
    expect((await open(settings).embed(['laptop']))[0]).toHaveLength(TINY_WIDTH);
  });

  it('says which file is not there', async () => {
    const embedder = open(fromHub({ model: 'lab/unknown' }));
    await expect(embedder.embed(['a'])).rejects.toThrow(
      /lab\/unknown cannot be loaded from http.*Could not locate file.*config\.json/s,
    );
  });

  it('says that the hub cannot be reached', async () => {
    const embedder = open(fromHub({ options: { remote_host: 'http://127.0.0.1:1/' } }));
    await expect(embedder.embed(['a'])).rejects.toThrow(/fetch failed \(.*(ECONNREFUSED|bad port)/);
  });

  it('remembers a failure for a minute, each provider for itself', async () => {
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
  ] as const)('keeps no process alive when the hub is %s', async (_, timeout, manners, printed) => {
    hub.manners = manners;
    const script = join(import.meta.dirname, 'embed-once.ts');
    const args = ['--import', 'jiti/register', script, hub.url, join(scratch, 'once'), String(timeout)];
    const { stdout } = await promisify(execFile)(process.execPath, args); // never comes back if the process stays
    expect(stdout).toMatch(printed);
  });
});

describe('the package of the embedder transformers', () => {
  it('is asked for by name when it is missing', async () => {
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
