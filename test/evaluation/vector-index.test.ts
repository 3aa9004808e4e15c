import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { missedOfReal, vectorIndex } from './vector-index.js';

const page = readFileSync(new URL('../bench/QUALITY.md', import.meta.url), 'utf8');
/** The first row of the table. */
const told = (efSearch: number): readonly number[] =>
  (new RegExp(`^\\| ${efSearch} \\|(.*)\\|$`, 'm').exec(page)?.[1] ?? '').split('|').map(Number);

describe('the evaluation of the index', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it('reports missing vectors', async () => {
    vi.stubEnv('ASSIZE_SHARED', '/nowhere');
    const lines: string[] = [];
    for await (const line of vectorIndex.run({ models: undefined })) lines.push(line);
    expect(lines).toEqual([expect.stringContaining('Not evaluated: the vectors are not there: /nowhere/data/traces/')]);
    expect(missedOfReal(64)).toBeUndefined();
  });

  const found = missedOfReal(64);
  it.skipIf(found === undefined)('gives the numbers of the page', () => {
    // Another kind of processor rounds to 16 bits differently, so a few of the nearest change places.
    const [first, ten, mean] = told(64);
    expect(found?.first).toBeCloseTo(first ?? Number.NaN, 2);
    expect(found?.ten).toBeCloseTo(ten ?? Number.NaN, 2);
    expect(found?.mean).toBeCloseTo(mean ?? Number.NaN, 2);
  });
});
