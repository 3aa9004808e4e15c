import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { missedOfReal, vectorIndex } from './vector-index.js';

const readme = readFileSync(new URL('../../plugins/core/README.md', import.meta.url), 'utf8');
/** The first table's row. */
const told = (efSearch: number): readonly number[] =>
  (new RegExp(`^\\| ${efSearch} \\|(.*)\\|$`, 'm').exec(readme)?.[1] ?? '').split('|').map(Number);

describe('the evaluation of the index', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it('says when the vectors are not there', async () => {
    vi.stubEnv('ASSIZE_SHARED', '/nowhere');
    const lines: string[] = [];
    for await (const line of vectorIndex.run({ models: undefined })) lines.push(line);
    expect(lines).toEqual([expect.stringContaining('Not evaluated: the vectors are not there: /nowhere/data/traces/')]);
    expect(missedOfReal(64)).toBeUndefined();
  });

  const found = missedOfReal(64);
  it.skipIf(found === undefined)('comes out as the README says', () => {
    // Rounded to 16 bits by another kind of processor, a few of the nearest change places.
    const [first, ten, mean] = told(64);
    expect(found?.first).toBeCloseTo(first ?? Number.NaN, 2);
    expect(found?.ten).toBeCloseTo(ten ?? Number.NaN, 2);
    expect(found?.mean).toBeCloseTo(mean ?? Number.NaN, 2);
  });
});
