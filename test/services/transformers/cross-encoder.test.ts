import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ProgressStep } from '../../../src/sdk/trace.js';
import { TransformersCrossEncoders } from '../../../src/services/transformers/models.js';
import { tinyCrossEncoder } from '../tiny/cross-encoder-model.js';
import { writeModel } from '../tiny/write-model.js';
import { temporaryFolder } from '../../temporary-folder.js';

const folder = temporaryFolder();
writeModel(join(folder, 'lab/pairs'), tinyCrossEncoder([['laptop', 'notebook']]));
const settings = { name: 'lab/pairs', dtype: 'fp32', folder };
const never = new AbortController().signal;

test('returns logits in the order of the texts, and reports progress', async () => {
  const steps: ProgressStep[] = [];
  const crossEncoder = new TransformersCrossEncoders(undefined, (step) => steps.push(step)).open(settings);
  const documents = ['notebook laptop', 'nothing', 'laptop'];
  expect(await crossEncoder.rerank({ query: 'laptop', documents }, never)).toEqual([1, -1, 0]);
  expect(steps.filter(({ task }) => task === 'scoring').map(({ done, total }) => [done, total])).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
  expect(await crossEncoder.rerank({ query: 'laptop', documents: [] }, never)).toEqual([]);
});

test('can be aborted between two texts', async () => {
  const stop = new AbortController();
  const documents = ['laptop', 'laptop', 'laptop'];
  Object.defineProperty(documents, 1, { get: () => (stop.abort(new Error('enough')), 'laptop') });
  const crossEncoder = new TransformersCrossEncoders().open(settings);
  await expect(crossEncoder.rerank({ query: 'laptop', documents }, stop.signal)).rejects.toThrow('enough');
});

test('reports the missing package, and retries after a minute', async () => {
  let now = 0;
  let loads = 0;
  const missing = () => {
    loads += 1;
    const error = new Error("Cannot find package '@huggingface/transformers'");
    return Promise.reject(Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' }));
  };
  const crossEncoder = new TransformersCrossEncoders({ now: () => now }, undefined, missing).open({
    ...settings,
    name: 'lab/other',
  });
  const ask = () => crossEncoder.rerank({ query: 'laptop', documents: ['laptop'] }, never);
  const message = 'a cross-encoder needs a package that is not installed: npm install @huggingface/transformers';
  await expect(ask()).rejects.toThrow(message);
  await expect(ask()).rejects.toThrow(message);
  expect(loads).toBe(1);
  now = 60_000;
  await expect(ask()).rejects.toThrow(message);
  expect(loads).toBe(2);
});

test('rejects invalid settings', () => {
  const crossEncoders = new TransformersCrossEncoders();
  expect(() => crossEncoders.open({ ...settings, folder: 'models' })).toThrow("'models' is not absolute");
  expect(() => crossEncoders.open({ ...settings, options: { host: 'x' } })).toThrow('host');
});
