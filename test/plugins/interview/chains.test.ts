import { describe, expect, test } from 'vitest';
import { chainDepthOf } from '../../../plugins/interview/signals.js';

describe('chainDepthOf', () => {
  test('a cycle has no start, and one that starts at an attribute is followed once', () => {
    const edges = [
      { source: 'a', target: 'b' },
      { source: 'b', target: 'a' },
    ];
    const none = { max_chain_length: 0, avg_chain_length: 0, chain_count: 0, complete_chains: 0 };
    expect(chainDepthOf([], edges)).toEqual(none);
    expect(chainDepthOf([{ id: 'a', type: 'attribute' }], edges)).toEqual(none);
  });

  test('returns as many chains as exist', () => {
    const edges = Array.from({ length: 150_000 }, (_, i) => ({ source: `${i}`, target: 'value' }));
    expect(chainDepthOf([{ id: 'value', type: 'terminal_value' }], edges)).toEqual({
      max_chain_length: 1,
      avg_chain_length: 1,
      chain_count: 150_000,
      complete_chains: 150_000,
    });
  });
});
