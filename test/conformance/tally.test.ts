import { describe, expect, it } from 'vitest';
import { report } from './report.js';
import { compare, skip, sum } from './tally.js';

const expected = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, score: 0.5 }));

describe('a conformance report', () => {
  it('distinguishes numbers that agree, that differ and that are missing', () => {
    const tally = compare(expected, [0.5, 0.5 + 1e-13, 0.6, undefined, Number.NaN], 1e-12);
    expect(tally.passed).toBe(2);
    expect(tally.failed.map(({ name, found }) => [name, found])).toEqual([
      ['c', '0.6'],
      ['d', 'no score'],
      ['e', 'NaN'],
    ]);
  });

  it('prints a line per file, the first differences, and the reasons for skips', () => {
    const tally = sum(compare(expected, [], 0.1), skip('live-model-rest', 7));
    expect(report('scores.jsonl', tally)).toEqual([
      'scores.jsonl: 0 passed, 5 failed, 7 skipped',
      '  a: expected 0.5 ± 0.1, found no score',
      '  b: expected 0.5 ± 0.1, found no score',
      '  c: expected 0.5 ± 0.1, found no score',
      '  and 2 more',
      expect.stringContaining('  skipped 7, live-model-rest: '),
    ]);
  });
});
