import { describe, expect, it } from 'vitest';
import { TransformersProvider } from '../../../src/services/transformers/models.js';
import type { ProgressStep } from '../../../src/sdk/trace.js';
import { inEnoughTime } from '../../enough-time.js';
import { eventually } from '../../eventually.js';
import { messageOf } from '../../properties/ranked.js';
import { FILES, open, openModels } from '../embedder/models.js';
import { TINY_WIDTH } from '../tiny/embedder-model.js';

const { hub, fromHub, inFolder } = await openModels();

describe('the embedder transformers, from a hub', () => {
  it('downloads a model once for concurrent requests, and then uses its cache', async () => {
    const settings = fromHub();
    const all = await Promise.all(
      [open(settings), open(settings), open({ ...settings })].map(async (embedder) => embedder.embed(['laptop'])),
    );
    expect(all[1]).toEqual(all[0]);
    expect(hub.requests.filter(({ file }) => file === 'onnx/model.onnx')).toHaveLength(1);
    await open(settings).embed(['apple']);
    expect(hub.requests.filter(({ file }) => file === 'onnx/model.onnx')).toHaveLength(1);
  });

  it('reports the received and total bytes', async () => {
    const steps: ProgressStep[] = [];
    const provider = new TransformersProvider(undefined, (step) => steps.push(step));
    await provider.open(fromHub()).embed(['laptop']);
    const loading = steps.filter(({ task }) => task.startsWith('loading '));
    const bytes = [...FILES.values()].reduce((sum, { length }) => sum + length, 0);
    expect(loading.at(-1)?.done).toBe(loading.at(-1)?.total);
    expect(loading.at(-1)?.done).toBeGreaterThan(0);
    expect(loading.at(-1)?.done).toBeLessThanOrEqual(bytes);
    expect(loading.map(({ done }) => done)).toEqual(loading.map(({ done }) => done).toSorted((a, b) => a - b));
  });

  it('restores the fetch of the library, and leaves other requests unchanged', async () => {
    const { env } = await import('@huggingface/transformers');
    const { fetch, remoteHost, allowRemoteModels } = env;
    const silent = fromHub({ timeout: 300 });
    hub.manners = (file) => file === 'config.json';
    const before = hub.requests.length;
    const failing = messageOf(Promise.resolve(open(silent).embed(['a'])));
    await open(inFolder()).embed(['a']);
    await eventually(() => expect(hub.requests.slice(before).map(({ file }) => file)).toContain('config.json'));
    hub.manners = (_, response) => Boolean(response.end('mine'));
    expect(await (await env.fetch(`${hub.url}x/resolve/main/y`)).text()).toBe('mine');
    expect(await failing).toContain('was silent');
    expect(env).toMatchObject({ fetch, remoteHost, allowRemoteModels });
  });

  it('sends the token only to the hub', async () => {
    process.env['HF_TOKEN'] = 'secret';
    try {
      await open(fromHub()).embed(['a']);
    } finally {
      delete process.env['HF_TOKEN'];
    }
    expect(hub.requests.length).toBeGreaterThan(2);
    expect(hub.requests.map(({ headers }) => headers.authorization)).toEqual(hub.requests.map(() => undefined));
  });

  it('waits for a slow hub as long as data arrives', async () => {
    const embedded = await inEnoughTime(async (timeout) => {
      hub.manners = (file, response, content) => {
        if (file !== 'onnx/model.onnx' || content === undefined) return false;
        response.writeHead(200, { 'content-length': content.length });
        const step = Math.ceil(content.length / 5);
        const send = (from: number) => {
          response.write(content.subarray(from, from + step));
          if (from + step < content.length)
            setTimeout(send, timeout * 0.3, from + step); // the whole download takes longer
          else response.end();
        };
        send(0);
        return true;
      };
      const embedding = async () => open(fromHub({ timeout })).embed(['laptop']);
      return embedding().catch((error: unknown) => {
        if (!String(error).includes('was silent')) throw error;
        return undefined;
      });
    });
    expect(embedded[0]).toHaveLength(TINY_WIDTH);
  });

  it('lets one caller abort without stopping the others', async () => {
    const settings = fromHub();
    const stop = new AbortController();
    hub.manners = (file, response, content) => {
      if (file !== 'config.json') return false;
      setTimeout(() => response.end(content), 100);
      return true;
    };
    const [stopped, patient] = [open(settings).embed(['laptop'], stop.signal), open(settings).embed(['laptop'])];
    stop.abort(new Error('no time'));
    await expect(stopped).rejects.toThrow('no time');
    expect(await patient).toHaveLength(1);
  });
});
