import { describe, expect, test } from 'vitest';
import type { ProfileInput } from '../../src/index.js';
import { rankBy, scoresOf } from '../properties/ranked.js';

describe('names of entries, and what refers to them', () => {
  test('before: phase puts a rule before the one that phase_profiles makes', async () => {
    const profile: ProfileInput = {
      phases: { early: {} },
      phase_profiles: { early: { s: 0.5 } },
      adjustments: [{ id: 'first', set: 4, before: 'phase' }],
    };
    expect(scoresOf(await rankBy(profile, [{ id: 'x', strategy: { id: 's' } }]))).toEqual({ x: 2 });
  });

  test('before puts a rule that goes before another one of them there, too', async () => {
    const profile: ProfileInput = {
      phases: { early: {} },
      phase_profiles: { early: { s: 0.5 } },
      adjustments: [
        { id: 'second', add: 1, before: 'phase' },
        { id: 'last', add: 1 },
        { id: 'first', set: 3, before: 'second' },
      ],
    };
    expect(scoresOf(await rankBy(profile, [{ id: 'x', strategy: { id: 's' } }]))).toEqual({ x: 3 });
  });

  test('before holds in a file on its own', async () => {
    const profile: ProfileInput = {
      adjustments: [
        { id: 'second', multiply: 2 },
        { id: 'first', set: 3, before: 'second' },
      ],
    };
    expect(scoresOf(await rankBy(profile, [{ id: 'x' }]))).toEqual({ x: 6 });
  });
});
