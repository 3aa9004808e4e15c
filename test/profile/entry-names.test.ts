import { describe, expect, test } from 'vitest';
import type { ProfileInput } from 'assize';
import { rankBy, scoresOf } from '../properties/ranked.js';

describe('names of entries, and their references', () => {
  test('before: phase puts a rule before that of phase_profiles', async () => {
    const profile: ProfileInput = {
      phases: { early: {} },
      phase_profiles: { early: { s: 0.5 } },
      adjustments: [{ id: 'first', set: 4, before: 'phase' }],
    };
    expect(scoresOf(await rankBy(profile, [{ id: 'x', strategy: { id: 's' } }]))).toEqual({ x: 2 });
  });

  test('before follows chains of rules', async () => {
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

  test('before works within one file', async () => {
    const profile: ProfileInput = {
      adjustments: [
        { id: 'second', multiply: 2 },
        { id: 'first', set: 3, before: 'second' },
      ],
    };
    expect(scoresOf(await rankBy(profile, [{ id: 'x' }]))).toEqual({ x: 6 });
  });
});
