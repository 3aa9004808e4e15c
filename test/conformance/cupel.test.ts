import { describe, expect, it } from 'vitest';
import { oracle } from './cupel-oracle.js';
import { scoring } from './cupel-vectors.js';

const fixture = (name: string): string => new URL(`../fixtures/cupel/${name}`, import.meta.url).pathname;

describe('the pack cupel agrees with Cupel', () => {
  it('on its conformance vectors of single scorers', async () => {
    expect(await scoring(fixture('scoring'))).toEqual({ passed: 26, failed: [], skipped: [] });
  });

  it('on random trees of scorers, and on which of them are invalid', async () => {
    expect(await oracle(fixture('oracle.jsonl'))).toEqual({ passed: 80, failed: [], skipped: [] });
  });
});
