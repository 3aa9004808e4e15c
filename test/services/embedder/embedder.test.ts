import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  EmbedderRegistry,
  type EmbedderProvider,
  embedderParam,
  embedderToken,
} from '../../../src/services/embedder/embedder-registry.js';
import { LexicalProvider } from '../../../src/services/embedder/lexical-embedder.js';

describe('EmbedderRegistry', () => {
  it('finds a provider by its name', () => {
    const mine: EmbedderProvider = {
      open: (settings) => ({ name: `mine:${settings.model}`, dimensions: 1, embed: async () => [] }),
    };
    const bound = new Map<symbol, unknown>([
      [embedderToken('lexical'), new LexicalProvider()],
      [embedderToken('mine'), mine],
    ]);
    const registry = new EmbedderRegistry((token) => bound.get(token));
    expect(registry.open({ name: 'lexical' }).name).toBe('lexical:512');
    expect(registry.open({ name: 'mine', model: 'x' }).name).toBe('mine:x');
  });

  it('an unknown name is an error with a hint', () => {
    const registry = new EmbedderRegistry(() => undefined);
    expect(() => registry.open({ name: 'minilm' })).toThrow(
      /no embedder is called 'minilm'.*npm install.*lexical.*embedderToken\('minilm'\)/s,
    );
  });
});

describe('embedderParam', () => {
  const param = z.strictObject({ embedder: embedderParam() });

  it('is a name, settings, or the default', () => {
    expect(param.parse({})).toEqual({ embedder: { name: 'transformers' } });
    expect(z.strictObject({ e: embedderParam('lexical') }).parse({})).toEqual({ e: { name: 'lexical' } });
    expect(param.parse({ embedder: 'lexical' })).toEqual({ embedder: { name: 'lexical' } });
    expect(
      param.parse({ embedder: { name: 'transformers', dtype: 'q8', timeout: '2s', options: { revision: 'main' } } }),
    ).toEqual({
      embedder: { name: 'transformers', dtype: 'q8', timeout: 2000, options: { revision: 'main' } },
    });
  });

  it.each([
    { name: 'lexical', dimension: 3 },
    { name: 'lexical', dimensions: 0 },
    { name: '' },
    { model: 'x' },
    7,
    '',
    { name: 'x', timeout: 'soon' },
  ])('rejects %j', (embedder) => {
    expect(param.safeParse({ embedder }).success).toBe(false);
  });

  it('describes every key to an editor', () => {
    const { properties } = z.toJSONSchema(param, { io: 'input' });
    expect(properties?.['embedder']).toMatchObject({ default: 'transformers' });
    const settings = z.toJSONSchema(embedderParam(), { io: 'input' }).anyOf?.[1]?.properties ?? {};
    expect(Object.keys(settings)).toEqual(['name', 'model', 'dtype', 'folder', 'timeout', 'dimensions', 'options']);
    for (const value of Object.values(settings))
      expect(value).toMatchObject({ description: expect.stringMatching(/\.$/) });
  });
});
