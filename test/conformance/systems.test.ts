import { readFile } from 'node:fs/promises';
import { createPipeline } from 'assize';
import { describe, expect, test } from 'vitest';
import { compareSystem, SYSTEMS } from './systems.js';

const fixture = (name: string): string => new URL(`../fixtures/systems/${name}.json`, import.meta.url).pathname;

describe('a profile computes the cases of the system’s own test table', () => {
  test.each(SYSTEMS)('%s', async (name) => {
    const { passed, failed } = await compareSystem(name, fixture(name));
    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThan(0);
  });
});

interface BoundsCase {
  readonly context: Readonly<Record<'lower' | 'upper', number> & Record<'lower_mode' | 'upper_mode', string>>;
  readonly candidates: readonly { readonly id: number; readonly s: number }[];
  readonly expected: Readonly<Record<string, number>>;
}

test('the bounds of a ScaledScorer are those of OpenSearch', async () => {
  const text = await readFile(fixture('opensearch-min-max-bounds'), 'utf8');
  const { cases } = JSON.parse(text) as { readonly cases: readonly BoundsCase[] };
  const bound = (at: number, mode: string) => ({ at, mode: mode === 'none' ? 'ignore' : mode });
  const differences = await Promise.all(
    cases.map(async ({ context: { lower, lower_mode, upper, upper_mode }, candidates, expected }) => {
      const bounds = { lower: bound(lower, lower_mode), upper: bound(upper, upper_mode) };
      const scale = { type: 'min_max', ...bounds, equal: 1, floor: 0.001 };
      const params = { scorer: { expr: 'candidate.s' }, scale };
      const pipeline = await createPipeline({ tier2_scorers: [{ id: 's', class: 'ScaledScorer', params }] });
      const { ranked } = pipeline.rankSync(candidates);
      return ranked.map(({ id, score }) => Math.abs(score - (expected[id] ?? score)));
    }),
  );
  expect(differences.flat()).toHaveLength(3 * cases.length);
  expect(Math.max(...differences.flat())).toBeLessThanOrEqual(0.001);
});
