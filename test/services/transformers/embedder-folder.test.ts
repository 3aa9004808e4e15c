import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EmbedderSettings } from '../../../src/services/embedder/embedder-registry.js';
import { TransformersProvider } from '../../../src/services/transformers/models.js';
import type { ProgressStep } from '../../../src/sdk/trace.js';
import { dot, FILES, open, openModels, SHARED } from '../embedder/models.js';
import { TINY_WIDTH, tinyModel } from '../tiny/embedder-model.js';
import { writeModel } from '../tiny/write-model.js';

const { hub, scratch, inFolder } = await openModels();
const real = existsSync(join(SHARED, 'Xenova/all-MiniLM-L6-v2/config.json'));

describe('the embedder transformers, from a folder', () => {
  it('embeds by meaning, in vectors of length 1, and knows their width after loading', async () => {
    const embedder = open(inFolder());
    expect(embedder.name).toBe('transformers:lab/tiny:fp32');
    expect(embedder.dimensions).toBeUndefined();
    const [a, b, c] = await embedder.embed(['fast laptop', 'Quick notebook', 'apple banana']);
    expect(embedder.dimensions).toBe(TINY_WIDTH);
    expect(dot(a!, a!)).toBeCloseTo(1, 5);
    expect(dot(a!, b!)).toBeGreaterThan(0.9);
    expect(dot(a!, c!)).toBeLessThan(0.5);
    expect(await embedder.embed([])).toEqual([]);
  });

  it('reports progress of loading and embedding', async () => {
    const steps: ProgressStep[] = [];
    const provider = new TransformersProvider(undefined, (step) => steps.push(step));
    await provider.open(inFolder()).embed(['laptop', 'apple']);
    const loading = steps.filter(({ task }) => task === 'loading lab/tiny');
    expect(loading[0]).toMatchObject({ unit: 'bytes', done: 0, total: undefined });
    expect(loading.at(-1)?.done).toBe(loading.at(-1)?.total);
    expect(loading.slice(0, -1).every(({ done, total }) => done !== total)).toBe(true);
    expect(steps.filter(({ task }) => task === 'embedding')).toEqual([
      { task: 'embedding', unit: 'texts', done: 1, total: 2 },
      { task: 'embedding', unit: 'texts', done: 2, total: 2 },
    ]);
  });

  it('does not use the network, and names the searched path', async () => {
    const folder = join(scratch, 'nothing');
    const embedder = open({ name: 'transformers', model: 'lab/none', folder, options: { remote_host: hub.url } });
    await expect(embedder.embed(['a'])).rejects.toThrow(`lab/none cannot be loaded from ${folder}`);
    expect(hub.requests).toEqual([]);
  });

  it('lists the existing files if the needed one is missing', async () => {
    const settings = { ...inFolder(), dtype: 'q8' };
    const holds = `${join(settings.folder, 'lab/tiny/onnx')} holds model.onnx (see the setting dtype)`;
    await expect(open(settings).embed(['a'])).rejects.toThrow(holds);
  });

  it.each(['config.json', 'tokenizer_config.json'])(
    'finds a %s that was added to the folder after a failure',
    async (late) => {
      const settings = inFolder();
      const file = join(settings.folder, settings.model, late);
      rmSync(file);
      let now = 0;
      const embedder = open(settings, () => now);
      await expect(embedder.embed(['a'])).rejects.toThrow(`${file} is missing`);
      writeModel(join(settings.folder, settings.model), FILES);
      await expect(embedder.embed(['a'])).rejects.toThrow(`${file} is missing`);
      now = 60_000;
      expect((await embedder.embed(['laptop']))[0]).toHaveLength(TINY_WIDTH);
    },
  );

  it('distinguishes two folders with models of the same name, also if loaded concurrently', async () => {
    const [one, other] = [inFolder(), inFolder()];
    writeModel(join(other.folder, other.model), tinyModel([['laptop', 'apple']]));
    const vectors = await Promise.all([one, other].map(async (settings) => open(settings).embed(['laptop', 'apple'])));
    const [apart, alike] = vectors.map(([a, b]) => dot(a!, b!));
    expect(alike).toBeGreaterThan(apart! + 0.3);
  });

  it('checks the expected width', async () => {
    const embedder = open({ ...inFolder(), dimensions: 384 });
    await expect(embedder.embed(['a'])).rejects.toThrow('16 dimensions, 384 were expected');
  });

  it('can be aborted between two texts', async () => {
    const embedder = open(inFolder());
    const stop = new AbortController();
    const texts = Array.from({ length: 3 }, () => 'laptop');
    Object.defineProperty(texts, 1, { get: () => (stop.abort(new Error('enough')), 'laptop') });
    await expect(embedder.embed(texts, stop.signal)).rejects.toThrow('enough');
    await expect(embedder.embed(['a'], stop.signal)).rejects.toThrow('enough');
  });

  it('opens the same embedder for the same settings', () => {
    const [provider, settings] = [new TransformersProvider(), inFolder()];
    expect(provider.open({ ...settings })).toBe(provider.open(settings));
    expect(provider.open({ ...settings, dtype: 'q8' })).not.toBe(provider.open(settings));
  });

  it('rejects unknown settings', () => {
    const provider = new TransformersProvider();
    expect(() => provider.open({ name: 'transformers', folder: 'models' })).toThrow("'models' is not absolute");
    expect(() => provider.open({ name: 'transformers', options: { host: 'x' } })).toThrow('host');
    expect(() => provider.open({ name: 'transformers', dtype: 'q9' })).toThrow(
      "no dtype is called 'q9', only auto, fp32",
    );
  });
});

describe.skipIf(!real)(`a real model (in ${SHARED}${real ? '' : ', which does not exist: skipped'})`, () => {
  const settings: EmbedderSettings = { name: 'transformers', dtype: 'q8', folder: SHARED };

  it('knows synonyms', async () => {
    const embedder = open(settings);
    const [cat, kitten, stocks] = await embedder.embed(['a cat sits', 'a kitten is sitting', 'stock prices fell']);
    expect(embedder.dimensions).toBe(384);
    expect(dot(cat!, kitten!)).toBeGreaterThan(0.7);
    expect(dot(cat!, stocks!)).toBeLessThan(0.2);
  });

  it('gives a text the same numbers in any batch', async () => {
    const embedder = open(settings);
    const [alone] = await embedder.embed(['a cat sits']);
    const [, among] = await embedder.embed(['something else altogether, and much longer', 'a cat sits', '']);
    expect(among).toEqual(alone);
    expect((await embedder.embed([' a cat  sits ']))[0]).toEqual(alone); // it ignores spaces
  });
});
