import { describe, expect, it } from 'vitest';
import { readVectors } from './interview/vectors.js';
import { compareGroup, GROUPS } from './interview.js';

const fixture = new URL('../fixtures/interview/vectors.json', import.meta.url).pathname;

const CASES: Readonly<Record<string, number>> = {
  scorers: 132,
  engine: 11,
  selection: 8,
  pipelines: 6,
  generators: 7,
  phases: 11,
  chains: 5,
  similarities: 12,
  informationRates: 6,
};

describe('the pack interview agrees with the service', () => {
  it.each(Object.keys(GROUPS))('on %s', async (group) => {
    const tally = await compareGroup(group, await readVectors(fixture));
    expect(tally).toEqual({ passed: CASES[group], failed: [], skipped: [] });
  });
});
