import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NoveltyScorer } from '../../../plugins/core/nearest-neighbour.js';
import type { VectorMemory } from 'assize/sdk';
import { EmbedderRegistry, embedderToken } from '../../../src/services/embedder/embedder-registry.js';
import { LexicalProvider } from '../../../src/services/embedder/lexical-embedder.js';
import { TransformersProvider } from '../../../src/services/transformers/models.js';
import { explained } from './ask.js';
import { noGraphs, runOn } from './similarity-run.js';

const providers = new Map<symbol, unknown>([
  [embedderToken('lexical'), new LexicalProvider()],
  [embedderToken('transformers'), new TransformersProvider()],
]);
const embedders = new EmbedderRegistry((token) => providers.get(token));
const novelty = runOn(() => new NoveltyScorer(embedders, noGraphs), NoveltyScorer.meta);
const text = { text: 'text', embedder: 'lexical' };

describe('NoveltyScorer', () => {
  it('scores each candidate against all before it: nothing, a repetition, a different text', async () => {
    const candidates = ['the quick fox', 'the quick fox', 'stock prices fell'].map((said) => ({ text: said }));
    const { values } = await novelty(text, candidates);
    expect(values[0]).toBeUndefined();
    expect(values[1]).toBeCloseTo(0, 6);
    expect(values[2]).toBeGreaterThan(0.8);
  });

  it('one batch and single calls give the same scores, and the same memory', async () => {
    const candidates = Array.from({ length: 40 }, (_, i) => ({ text: `step ${i % 7} of ${i % 5}, ${i} times` }));
    const whole = await novelty({ ...text, max_elements: 9 }, candidates);
    let memory: VectorMemory | undefined;
    const values: unknown[] = [];
    for (const candidate of candidates) {
      // oxlint-disable-next-line no-await-in-loop -- the order matters
      const one = await novelty({ ...text, max_elements: 9 }, [candidate], { memory });
      values.push(...one.values);
      memory = one.memory;
    }
    expect(values).toEqual(whole.values);
    const after = await Promise.all([memory, whole.memory].map((each) => novelty(text, candidates, { memory: each })));
    expect(after[0]!.values).toEqual(after[1]!.values);
    expect(memory!.size()).toBe(9);
  });

  it('does not modify its input: the same memory gives the same scores again', async () => {
    const candidates = Object.freeze(['a b', 'b c', 'c d'].map((said) => Object.freeze({ text: said })));
    const { memory } = await novelty(text, candidates);
    const again = [await novelty(text, candidates, { memory }), await novelty(text, candidates, { memory })];
    expect(again[1]!.values).toEqual(again[0]!.values);
    expect(memory.size()).toBe(3);
  });

  it('forgets after the time to live, by the time of the run', async () => {
    const params = { ...text, ttl: '1h' };
    const { memory } = await novelty(params, [{ text: 'a b' }], { now: 0 });
    expect((await novelty(params, [{ text: 'a b' }], { now: 3_600_000, memory })).values[0]).toBeCloseTo(0, 6);
    expect((await novelty(params, [{ text: 'a b' }], { now: 3_600_001, memory })).values[0]).toBeUndefined();
  });

  it('fails as a whole if the embedder fails', async () => {
    const broken = runOn(
      () =>
        new NoveltyScorer(
          { open: () => ({ name: 'x', dimensions: 1, embed: () => Promise.reject(new Error('no model')) }) },
          noGraphs,
        ),
      NoveltyScorer.meta,
    );
    await expect(broken({ text: 'text' }, [{ text: 'a' }])).rejects.toThrow('no model');
    expect((await broken({ text: 'text' }, [{}])).values).toEqual([undefined]);
    await expect(novelty({ text: 'text', embedder: 'nobody' }, [{ text: 'a' }])).rejects.toThrow(
      "no embedder is called 'nobody'",
    );
  });

  it('reports the reason', async () => {
    const candidates = [{ text: 'a b' }, { text: 'a b' }, {}];
    const { score } = await novelty(text, candidates);
    const notes = candidates.map((candidate, i) => explained(score, candidate, i).notes);
    expect(notes).toEqual([[['first']], [['seen', { similarity: expect.closeTo(1, 6), seen: 1 }]], [['absent']]]);
  });
});

const folder = resolve(process.env['ASSIZE_SHARED'] ?? '../shared', 'models');
const real = existsSync(join(folder, 'Xenova/all-MiniLM-L6-v2/config.json'));

describe.skipIf(!real)(
  `NoveltyScorer with a real model (in ${folder}${real ? '' : ', which does not exist: skipped'})`,
  () => {
    it('recognises a paraphrase', async () => {
      const params = { text: 'text', embedder: { name: 'transformers', dtype: 'q8', folder } };
      const sentences = ['a cat sits', 'stock prices fell', 'a kitten is sitting'];
      const { values } = await novelty(
        params,
        sentences.map((said) => ({ text: said })),
      );
      expect(values[1]).toBeGreaterThan(0.8);
      expect(values[2]).toBeLessThan(0.3);
    });
  },
);
