import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import {
  type Embedder,
  EMBEDDING_CACHE,
  EmbeddingCache,
  type EmbedderProvider,
  embedderToken,
  type ServiceBinding,
} from 'assize/sdk';
import { SHARED } from './models.js';

/** A vector that depends on every letter. */
function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(4);
  for (let i = 0; i < text.length; i++) vector[i % 4]! += text.charCodeAt(i);
  return vector;
}

/** An embedder that records its texts; each call waits until it is released. */
function counting({ name = 'counting', space, sync = false }: { name?: string; space?: object; sync?: boolean } = {}) {
  const asked: string[] = [];
  let fails: Error | undefined;
  const answer = (texts: readonly string[]) => texts.map(vectorOf);
  const later = async (texts: readonly string[], abort?: AbortSignal) => {
    const failure = fails;
    await wait(1);
    abort?.throwIfAborted();
    if (failure) throw failure;
    return answer(texts);
  };
  const embedder: Embedder = {
    name,
    dimensions: 4,
    space,
    embed(texts, abort) {
      asked.push(...texts);
      return sync ? answer(texts) : later(texts, abort);
    },
  };
  return { asked, embedder, fail: (error: Error | undefined) => void (fails = error) };
}

/** Registers an embedder as a user does, with a separate cache. */
const registered = (embedder: Embedder, cache: EmbeddingCache): readonly ServiceBinding[] => {
  const provider: EmbedderProvider = { open: () => embedder };
  return [
    { token: embedderToken('mine'), value: provider },
    { token: EMBEDDING_CACHE, value: cache },
  ];
};

const meaning = { id: 'meaning', class: 'SemanticSimilarityScorer', params: { text: 'title', embedder: 'mine' } };
const profile: ProfileInput = {
  tier2_scorers: [meaning, { id: 'novelty', class: 'NoveltyScorer', params: { text: 'title', embedder: 'mine' } }],
};
const titles = [{ title: 'a red lamp' }, { title: 'a blue lamp' }, { title: 'a red lamp' }];

describe('texts are embedded once', () => {
  it('by all entries, runs, what-ifs and pipelines that share a cache', async () => {
    const { asked, embedder } = counting();
    const cache = new EmbeddingCache();
    const services = registered(embedder, cache);
    const first = await createPipeline(profile, { services });
    const ranking = await first.rank(titles, { query: 'lamp' });
    expect([...asked].sort()).toEqual(['a blue lamp', 'a red lamp', 'lamp']);
    await first.rank(titles, { query: 'lamp' });
    await ranking.whatIf({ weights: { meaning: 3 } });
    await ranking.whatIf({ params: { novelty: { max_elements: 5 } } });
    await (await createPipeline({ tier2_scorers: [meaning] }, { services })).rank(titles, { query: 'lamp' });
    expect(asked).toHaveLength(3);
    expect(cache.counts).toMatchObject({ texts: 3, misses: 3 });
    expect(cache.counts.hits).toBeGreaterThan(6);
    await first.rank([{ title: 'a vase' }], { query: 'lamp' });
    expect(asked.slice(3)).toEqual(['a vase']);
  });

  it('gives the same as embedding again, even if almost nothing is kept', async () => {
    const text = fc.constantFrom('a', 'bb', 'ccc', 'dddd', 'é', '');
    const call = fc.array(text, { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 5 }), fc.nat(600), fc.boolean(), async (calls, maxBytes, sync) => {
        const cache = new EmbeddingCache({ maxBytes });
        const { embedder } = counting({ sync });
        const given = await Promise.all(calls.map(async (texts) => cache.embed(embedder, texts)));
        expect(given).toEqual(calls.map((texts) => texts.map(vectorOf)));
        expect(cache.counts.bytes).toBeLessThanOrEqual(maxBytes);
      }),
      { numRuns: 100 },
    );
  });

  it('is synchronous if the embedder is, or if all texts are cached', async () => {
    const cache = new EmbeddingCache();
    expect(cache.embed(counting({ sync: true }).embedder, ['a'])).toEqual([vectorOf('a')]);
    const { embedder } = counting();
    const promised = cache.embed(embedder, ['a']);
    expect(promised).toBeInstanceOf(Promise);
    await promised;
    expect(cache.embed(embedder, ['a', 'a'])).toEqual([vectorOf('a'), vectorOf('a')]);
  });
});

describe('the bound of the cache', () => {
  it('evicts the least recently used', async () => {
    const { asked, embedder } = counting();
    const { bytes } = await bytesOfOne();
    const cache = new EmbeddingCache({ maxBytes: 2 * bytes });
    for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.embed(embedder, [text]);
    expect(asked).toEqual(['a', 'b', 'c', 'b']);
    expect(cache.counts).toEqual({ texts: 2, bytes: 2 * bytes, hits: 2, misses: 4 });
  });

  it('keeps nothing larger than the bound, and nothing at 0', async () => {
    const { asked, embedder } = counting();
    for (const maxBytes of [0, 50]) {
      const cache = new EmbeddingCache({ maxBytes });
      for (const text of ['a', 'a']) expect(await cache.embed(embedder, [text])).toEqual([vectorOf('a')]);
      expect(cache.counts).toMatchObject({ texts: 0, bytes: 0 });
    }
    expect(asked).toHaveLength(4);
    expect(() => new EmbeddingCache({ maxBytes: -1 })).toThrow('maxBytes is -1');
  });

  async function bytesOfOne() {
    const cache = new EmbeddingCache();
    await cache.embed(counting().embedder, ['a']);
    return cache.counts;
  }
});

describe('the owner of vectors', () => {
  it('is the embedder, whatever its name, unless it names a shared space', async () => {
    const cache = new EmbeddingCache();
    const [one, other] = [counting(), counting()];
    await cache.embed(one.embedder, ['a']);
    await cache.embed(other.embedder, ['a']);
    expect([one.asked, other.asked]).toEqual([['a'], ['a']]);
    const space = {};
    const [third, fourth] = [counting({ space }), counting({ space })];
    await cache.embed(third.embedder, ['a']);
    await cache.embed(fourth.embedder, ['a']);
    expect([third.asked, fourth.asked]).toEqual([['a'], []]);
  });

  it('a caller or an embedder can modify them without an effect on others', async () => {
    const reused = new Float32Array(2);
    const embedder: Embedder = { name: 'reused', dimensions: 2, embed: (texts) => texts.map((text) => fill(text)) };
    const fill = (text: string) => reused.fill(text.length);
    const cache = new EmbeddingCache();
    const [a] = await cache.embed(embedder, ['a']);
    a!.fill(9);
    await cache.embed(embedder, ['bb']);
    const [first, again] = await cache.embed(embedder, ['a', 'a']);
    expect(first).toEqual(new Float32Array([1, 1]));
    first!.fill(7);
    expect(again).toEqual(new Float32Array([1, 1]));
  });
});

describe('concurrent requests', () => {
  it('embed a text once', async () => {
    const { asked, embedder } = counting();
    const cache = new EmbeddingCache();
    const [one, two] = await Promise.all([
      cache.embed(embedder, ['a', 'b']),
      cache.embed(embedder, ['b', 'c', 'b']),
      cache.embed(embedder, ['c']),
    ]);
    expect(asked).toEqual(['a', 'b', 'c']);
    expect([one, two]).toEqual([
      [vectorOf('a'), vectorOf('b')],
      [vectorOf('b'), vectorOf('c'), vectorOf('b')],
    ]);
    expect(cache.counts).toMatchObject({ hits: 2, misses: 3 });
  });

  it('continue if the embedding one is aborted, and stop if they are themselves', async () => {
    const { asked, embedder } = counting();
    const cache = new EmbeddingCache();
    const [first, second] = [new AbortController(), new AbortController()];
    const aborted = cache.embed(embedder, ['a'], first.signal);
    const goesOn = cache.embed(embedder, ['a', 'b']);
    const alsoAborted = cache.embed(embedder, ['a'], second.signal);
    second.abort(new Error('no longer wanted'));
    await expect(alsoAborted).rejects.toThrow('no longer wanted');
    first.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    expect(await goesOn).toEqual([vectorOf('a'), vectorOf('b')]);
    expect(asked).toEqual(['a', 'b', 'a']);
  });

  it('fail together, and failed texts are embedded again', async () => {
    const { asked, embedder, fail } = counting();
    const cache = new EmbeddingCache();
    fail(new Error('the model is away'));
    const outcomes = await Promise.allSettled([cache.embed(embedder, ['a']), cache.embed(embedder, ['a'])]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(asked).toEqual(['a']);
    fail(undefined);
    expect(await cache.embed(embedder, ['a'])).toEqual([vectorOf('a')]);
    expect(cache.counts.texts).toBe(1);
  });

  it('fail if an embedder returns another number of vectors', async () => {
    const short: Embedder = { name: 'short', dimensions: 4, embed: () => [] };
    expect(() => new EmbeddingCache().embed(short, ['a', 'b'])).toThrow('short gave 0 vectors for 2 texts');
    const late: Embedder = { ...short, embed: async () => [vectorOf('a')] };
    await expect(new EmbeddingCache().embed(late, ['a', 'b'])).rejects.toThrow('short gave 1 vectors for 2 texts');
  });
});

describe('the service', () => {
  it('reports a wrong binding', async () => {
    const services = [{ token: EMBEDDING_CACHE, value: { get: () => 1 } }];
    const lexical = { ...meaning, params: { ...meaning.params, embedder: 'lexical' } };
    const made = createPipeline({ tier2_scorers: [lexical] }, { services });
    await expect(made).rejects.toThrow('expected an EmbeddingCache');
  });

  it('shares vectors of lexical between pipelines, by width', async () => {
    const cache = new EmbeddingCache();
    const services = [{ token: EMBEDDING_CACHE, value: cache }];
    const rankWith = async (embedder: ProfileInput['name'] | object) => {
      const params = { ...meaning.params, embedder };
      const pipeline = await createPipeline({ tier2_scorers: [{ ...meaning, params }] }, { services });
      return pipeline.rankSync(titles, { query: 'lamp' }).matrix.totals;
    };
    const first = await rankWith('lexical');
    expect(cache.counts.misses).toBe(3);
    expect(await rankWith({ name: 'lexical', dimensions: 512 })).toEqual(first);
    expect(cache.counts.misses).toBe(3);
    expect(await rankWith({ name: 'lexical', dimensions: 64 })).not.toEqual(first);
    expect(cache.counts.misses).toBe(6);
  });
});

const real = existsSync(join(SHARED, 'Xenova/all-MiniLM-L6-v2/config.json'));

describe.skipIf(!real)(`a real model (in ${SHARED}${real ? '' : ', which does not exist: skipped'})`, () => {
  it('embeds nothing again for a second pipeline, and gives the same scores', async () => {
    const cache = new EmbeddingCache();
    const embedder = { name: 'transformers', dtype: 'q8', folder: SHARED };
    const services = [{ token: EMBEDDING_CACHE, value: cache }];
    const totals = async () => {
      const params = { ...meaning.params, embedder };
      const pipeline = await createPipeline({ tier2_scorers: [{ ...meaning, params }] }, { services });
      return (await pipeline.rank(titles, { query: 'something that gives light' })).matrix.totals;
    };
    const first = await totals();
    expect(await totals()).toEqual(first);
    expect(cache.counts).toMatchObject({ texts: 3, misses: 3, hits: 3 });
  });
});
