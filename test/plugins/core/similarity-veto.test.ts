import { describe, expect, it } from 'vitest';
import { SimilarityVeto } from '../../../plugins/core/nearest-neighbour.js';
import { EmbedderRegistry, embedderToken } from '../../../src/services/embedder/embedder-registry.js';
import { LexicalProvider } from '../../../src/services/embedder/lexical-embedder.js';
import { explained, problems } from './ask.js';
import { noGraphs, runOn } from './similarity-run.js';

const bound = new Map<symbol, unknown>([[embedderToken('lexical'), new LexicalProvider()]]);
const embedders = new EmbedderRegistry((token) => bound.get(token));
const veto = runOn(() => new SimilarityVeto(embedders, noGraphs), SimilarityVeto.meta);
const at = (degrees: number) => ({ v: [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)] });

describe('SimilarityVeto', () => {
  it('refuses a candidate that is too similar to an earlier one, and accepts the rest', async () => {
    const texts = ['Found SQL injection in handler.ts', 'found sql injection in HANDLER.ts', 'stock prices fell'];
    const { values, memory } = await veto(
      { text: 'text', embedder: 'lexical' },
      texts.map((text) => ({ text })),
    );
    expect(values).toEqual([false, true, false]);
    expect(memory.size()).toBe(2);
  });

  it('remembers only accepted candidates: a slow drift is not refused for ever', async () => {
    const params = { vector: 'v', threshold: Math.cos((10.001 * Math.PI) / 180) };
    const { values } = await veto(params, [0, 6, 12, 18, 24].map(at));
    expect(values).toEqual([false, true, false, true, false]);
  });

  it('finds repetitions with a threshold of 1, despite rounding', async () => {
    const candidates = Array.from({ length: 200 }, (_, i) => at(i * 1.7)).flatMap((one) => [one, one]);
    const { values } = await veto({ vector: 'v', threshold: 1 }, candidates);
    expect(values).toEqual(candidates.map((_, i) => i % 2 === 1));
  });

  it('remembers between runs, up to the configured number and time', async () => {
    const params = { vector: 'v', max_elements: 2, ttl: 1000 };
    const { memory } = await veto(params, [0, 90, 180].map(at));
    expect((await veto(params, [180, 90, 0].map(at), { memory, now: 1000 })).values).toEqual([true, true, false]);
    expect((await veto(params, [at(180)], { memory, now: 1001 })).values).toEqual([false]);
  });

  it('abstains without a text, and reports the reason', async () => {
    const candidates = [at(0), at(1), at(60), {}];
    const { score } = await veto({ vector: 'v', threshold: 0.9 }, candidates);
    expect(candidates.map((candidate, i) => explained(score, candidate, i))).toEqual([
      { value: false, notes: [['first']] },
      { value: true, notes: [['alike', { similarity: expect.closeTo(0.99985, 4), threshold: 0.9 }]] },
      { value: false, notes: [['unlike', { similarity: expect.closeTo(0.5, 6), threshold: 0.9 }]] },
      { value: undefined, notes: [['absent']] },
    ]);
  });

  it('accepts a threshold above 0 and up to 1', () => {
    for (const threshold of [0, 1.1, -0.5]) expect(problems(SimilarityVeto, { text: 'a', threshold })).toHaveLength(1);
    expect(problems(SimilarityVeto, { text: 'a', threshold: 1 })).toEqual([]);
    expect(SimilarityVeto.meta.params.parse({ text: 'a' })).toMatchObject({ threshold: 0.95 });
  });
});
