import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LexicalProvider } from '../../../src/services/embedder/lexical-embedder.js';

const lexical = new LexicalProvider().open({ name: 'lexical' });
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
const likeness = async (a: string, b: string) => {
  const [x, y] = await lexical.embed([a, b]);
  return dot(x!, y!);
};

describe('the embedder lexical', () => {
  it('gives the same numbers on every machine', async () => {
    const [vector] = await lexical.embed(['Straße, 東京 42!']);
    const nonzero = [...vector!.entries()]
      .filter(([, value]) => value !== 0)
      .map(([at, value]) => at * Math.sign(value));
    expect(lexical).toMatchObject({ name: 'lexical:512', dimensions: 512 });
    expect(nonzero).toMatchInlineSnapshot(`
      [
        -12,
        23,
        -39,
        48,
        81,
        -88,
        94,
        114,
        118,
        150,
        -174,
        -247,
        -268,
        -272,
        275,
        -278,
        289,
        -302,
        -474,
        -511,
      ]
    `);
  });

  it('ignores case, width, punctuation, order, endings and typing errors', async () => {
    expect(await likeness('Found ＳＱＬ in handler.ts!', 'found sql, in HANDLER ts')).toBeCloseTo(1, 6);
    expect(await likeness('the lazy dog and the quick fox', 'the quick fox and the lazy dog')).toBeCloseTo(1, 6);
    expect(await likeness('unsanitized injection vectors', 'unsanitised injection vector')).toBeGreaterThan(0.7);
    expect(await likeness('Быстрая лиса', 'быстрые лисы')).toBeGreaterThan(0.3);
    expect(await likeness('今日は天気がいいですね', '今日は天気が悪いですね')).toBeGreaterThan(0.6);
  });

  it('does not compare meaning', async () => {
    expect(Math.abs(await likeness('a quick laptop', 'one rapid notebook'))).toBeLessThan(0.2);
    expect(Math.abs(await likeness('good morning', 'おはようございます'))).toBeLessThan(0.2);
  });

  it('gives any text a vector of length 1, and one without words the vector of zeros', async () => {
    for (const vector of await lexical.embed(['', '  ', '?!…', '🙂'])) expect(vector).toEqual(new Float32Array(512));
    for (const vector of await lexical.embed(['x', '漢', '7', 'ต', 'a'.repeat(10_000)])) {
      expect(dot(vector, vector)).toBeCloseTo(1, 5);
    }
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.string({ unit: 'binary' }), async (a, b) => {
        const [x, , again] = await lexical.embed([a, b, a]);
        expect(again).toEqual(x);
        const length = dot(x!, x!);
        expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true);
      }),
    );
  });

  it('has the configured width, rejects unknown settings, and can be aborted', async () => {
    const provider = new LexicalProvider();
    const wide = provider.open({ name: 'lexical', dimensions: 1000 });
    expect([wide.name, wide.dimensions, (await wide.embed(['a']))[0]!.length]).toEqual(['lexical:1000', 1000, 1000]);
    expect(() => provider.open({ name: 'lexical', model: 'x' })).toThrow("embedder lexical has no setting 'model'");
    expect(() => wide.embed(['a'], AbortSignal.abort(new Error('enough')))).toThrow('enough');
  });
});
