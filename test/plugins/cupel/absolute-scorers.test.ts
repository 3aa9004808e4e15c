import { describe, expect, it } from 'vitest';
import {
  KindScorer,
  MetadataKeyScorer,
  MetadataTrustScorer,
  ReflexiveScorer,
  TagScorer,
} from '../../../plugins/cupel/absolute-scorers.js';
import { compiled, explained, problems } from '../core/ask.js';

const { NaN: NAN, POSITIVE_INFINITY: INF, NEGATIVE_INFINITY: MINUS_INF } = Number;

describe('KindScorer', () => {
  const score = compiled(KindScorer, {});
  const of = (kind: unknown, params: object = {}) => compiled(KindScorer, params)({ kind }, 0);

  it('returns the weight of the kind, or 0 for a kind without one', () => {
    const kinds = ['SystemPrompt', 'Memory', 'ToolOutput', 'Document', 'Message', 'Other'];
    expect(kinds.map((kind) => score({ kind }, 0))).toEqual([1, 0.8, 0.6, 0.4, 0.2, 0]);
  });

  it('treats an item without a kind as a message, or as configured', () => {
    expect(score({}, 0)).toBe(0.2);
    expect(score({ kind: null }, 0)).toBe(0.2);
    expect(of(undefined, { default_kind: 'Memory' })).toBe(0.8);
  });

  it('ignores the case of ASCII letters, and does not trim', () => {
    expect(of('sYSTEMpROMPT')).toBe(1);
    expect(of(' Message ')).toBe(0);
    expect(of('É', { weights: { é: 1 } })).toBe(0);
    expect(of('\u212aey', { weights: { Key: 1 } })).toBe(0);
  });

  it('replaces the defaults by the weights of a profile, without a limit', () => {
    expect(of('Note', { weights: { note: 2.5 } })).toBe(2.5);
    expect(of('Memory', { weights: { note: 2.5 } })).toBe(0);
    expect(of('Memory', { weights: {} })).toBe(0);
    expect(of('constructor')).toBe(0);
  });

  it('reports the kind', () => {
    expect(explained(score, { kind: 'memory' }).notes).toEqual([['known', { kind: 'memory' }]]);
    expect(explained(score, { kind: 'other' }).notes).toEqual([['unknown', { kind: 'other' }]]);
  });

  it('rejects invalid weights, and two for one kind', () => {
    for (const weight of [-1, NAN, INF]) expect(problems(KindScorer, { weights: { a: weight } })).toHaveLength(1);
    expect(problems(KindScorer, { weights: { Message: 1, message: 1 } })).toEqual([
      'weights.message: message is the same kind as Message: case does not matter',
    ]);
    expect(problems(KindScorer, { weights: { a: 0, b: -0 } })).toEqual([]);
    expect(() => of(7)).toThrow('kind: expected a string, found the number 7');
  });
});

describe('TagScorer', () => {
  const weights = { x: 1, y: 3 };
  const of = (tags: unknown, params: object = { weights }) => compiled(TagScorer, params)({ tags }, 0);

  it('returns the share of all weight, counting repeats, and at most 1', () => {
    expect(of(['y'])).toBe(0.75);
    expect(of(['x', 'x'])).toBe(0.5);
    expect(of(['y', 'y', 'z'])).toBe(1);
  });

  it('returns 0 without tags and without weights; abstains without a list', () => {
    expect([of([]), of(['z']), of(undefined)]).toEqual([0, 0, undefined]);
    expect(of(['x'], { weights: {} })).toBe(0);
    expect(of(['x'], { weights: { x: 0 } })).toBe(0);
  });

  it('is case-sensitive unless configured', () => {
    expect(of(['X'])).toBe(0);
    expect(of(['X', 'Y'], { weights, case_sensitive: false })).toBe(1);
    expect(of(['\u212a'], { weights: { k: 1 }, case_sensitive: false })).toBe(0);
  });

  it('returns a value if weights overflow, like the reference', () => {
    const huge = { a: Number.MAX_VALUE, b: Number.MAX_VALUE };
    expect(of(['a'], { weights: huge })).toBe(0);
    expect(of(['a', 'b'], { weights: huge })).toBe(1);
  });

  it('reports the tags', () => {
    const score = compiled(TagScorer, { weights });
    expect(explained(score, { tags: ['y', 'z'] }).notes).toEqual([['matched', { weight: 3, total: 4, tags: ['y'] }]]);
    expect(explained(score, { tags: ['z'] }).notes).toEqual([['unmatched', { weight: 0, total: 4, tags: [] }]]);
    expect(explained(score, { tags: [] }).notes).toEqual([['untagged', { weight: 0, total: 4, tags: [] }]]);
    expect(explained(score, {}).notes).toEqual([['absent', { field: 'tags' }]]);
  });

  it('rejects invalid weights, and two for one tag', () => {
    for (const weight of [-1, NAN, INF]) expect(problems(TagScorer, { weights: { a: weight } })).toHaveLength(1);
    expect(problems(TagScorer, { weights: { a: 1, A: 1 } })).toEqual([]);
    expect(problems(TagScorer, { weights: { a: 1, A: 1 }, case_sensitive: false })).toEqual([
      'weights.A: A is the same tag as a where case does not matter',
    ]);
    expect(problems(TagScorer, {})).toHaveLength(1);
    expect(() => of('x')).toThrow('tags: expected a list of strings');
  });
});

describe('ReflexiveScorer', () => {
  const score = compiled(ReflexiveScorer, {});
  const of = (future_relevance_hint: unknown) => score({ future_relevance_hint }, 0);

  it('returns the hint, clamped to 0 to 1', () => {
    expect([of(0.3), of(-2), of(7), of(0)]).toEqual([0.3, 0, 1, 0]);
  });

  it('returns 0 for a hint that is not finite, and abstains without one', () => {
    expect([of(NAN), of(INF), of(MINUS_INF)]).toEqual([0, 0, 0]);
    expect([of(undefined), of(null)]).toEqual([undefined, undefined]);
    expect(() => of('0.5')).toThrow('expected a number');
  });

  it('reports the hint', () => {
    const field = 'future_relevance_hint';
    expect(explained(score, { [field]: 7 }).notes).toEqual([['hinted', { field, hint: 7 }]]);
    expect(explained(score, { [field]: INF }).notes).toEqual([['not_finite', { field, hint: INF }]]);
    expect(explained(score, {}).notes).toEqual([['absent', { field }]]);
  });
});

describe('MetadataTrustScorer', () => {
  const of = (trust: unknown, params: object = {}) =>
    compiled(MetadataTrustScorer, params)({ metadata: { 'cupel:trust': trust } }, 0);

  it('returns the trust, a number or its decimal text, clamped to 0 to 1', () => {
    expect([of(0.3), of('0.3'), of('-3'), of(7), of('1e-2'), of('1e-999')]).toEqual([0.3, 0.3, 0, 1, 0.01, 0]);
    expect(['.5', '5.', '+.5', '5E-1', '-0'].map((text) => of(text))).toEqual([0.5, 1, 0.5, 0.5, -0]);
  });

  it('returns the default for values that are not decimal numbers, or not finite', () => {
    const texts = ['', ' ', ' 0.9', '0.9 ', '.', '+', '0x1', '1_0', '0,9', '٠', '0.9f', '1e', 'inf', 'Infinity', 'nan'];
    for (const trust of [...texts, '1e999', NAN, INF, true, null, {}, [1]])
      expect([trust, of(trust)]).toEqual([trust, 0.5]);
    expect(of('', { default_score: 0 })).toBe(0);
  });

  it('returns the default without a key, and without metadata', () => {
    const score = compiled(MetadataTrustScorer, { key: 'toString', default_score: 0.1 });
    expect([score({}, 0), score({ metadata: null }, 0), score({ metadata: {} }, 0)]).toEqual([0.1, 0.1, 0.1]);
    expect(() => score({ metadata: 'high' }, 0)).toThrow('metadata: expected a map');
    expect(() => score({ metadata: [] }, 0)).toThrow('metadata: expected a map');
  });

  it('reports whether it was stated', () => {
    const score = compiled(MetadataTrustScorer, { key: 'trust' });
    expect(explained(score, { metadata: { trust: '2' } }).notes).toEqual([['trusted', { key: 'trust', trust: 2 }]]);
    expect(explained(score, {}).notes).toEqual([['unstated', { key: 'trust' }]]);
  });

  it('rejects a default outside 0 to 1', () => {
    for (const default_score of [-0.1, 1.2, NAN])
      expect(problems(MetadataTrustScorer, { default_score })).toHaveLength(1);
  });
});

describe('MetadataKeyScorer', () => {
  const params = { key: 'source', value: 'tool', boost: 3 };
  const score = compiled(MetadataKeyScorer, params);
  const of = (source: unknown) => score({ metadata: { source } }, 0);

  it('returns the boost for exactly that value, otherwise 1', () => {
    expect([of('tool'), of('Tool'), of(' tool'), of(undefined), of(3)]).toEqual([3, 1, 1, 1, 1]);
    expect([score({}, 0), score({ metadata: {} }, 0)]).toEqual([1, 1]);
  });

  it('matches numbers and booleans, which differ from their texts', () => {
    const flagged = compiled(MetadataKeyScorer, { key: 'flag', value: true, boost: 0.5 });
    expect([flagged({ metadata: { flag: true } }, 0), flagged({ metadata: { flag: 'true' } }, 0)]).toEqual([0.5, 1]);
  });

  it('reports whether it matched', () => {
    const data = { key: 'source', value: 'tool' };
    expect(explained(score, { metadata: { source: 'tool' } }).notes).toEqual([['matched', data]]);
    expect(explained(score, {}).notes).toEqual([['unmatched', data]]);
  });

  it('rejects a boost that is not above 0 and finite', () => {
    for (const boost of [0, -0, -1, NAN, INF])
      expect(problems(MetadataKeyScorer, { ...params, boost })).toHaveLength(1);
    expect(problems(MetadataKeyScorer, { key: '', value: '', boost: 1e-300 })).toEqual([]);
    expect(problems(MetadataKeyScorer, { key: 'source' })).toHaveLength(2);
  });
});
