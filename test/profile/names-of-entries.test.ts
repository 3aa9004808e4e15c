import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from '../../src/index.js';
import { defineSignal, z } from '../../src/sdk.js';
import { messageOf, rankBy, scoresOf } from '../properties/ranked.js';

const nothing = { summary: 'Nothing.', params: z.strictObject({}) };

class SomeSignal {
  static readonly meta = defineSignal(nothing);
  prepare(): number {
    return 1;
  }
}

describe('names of entries, and what refers to them', () => {
  test('before: phase puts a rule before the one that phase_profiles makes', async () => {
    const profile: ProfileInput = {
      phases: { early: {} },
      phase_profiles: { early: { s: 0.5 } },
      adjustments: [{ id: 'first', set: 4, before: 'phase' }],
    };
    expect(scoresOf(await rankBy(profile, [{ id: 'x', strategy: { id: 's' } }]))).toEqual({ x: 2 });
  });

  test.each<[string, ProfileInput]>([
    ['before names nothing', { tier2_scorers: [{ id: 'a', expr: '1.0', before: 'nope' }] }],
    ['a signal is named phase, and there are phases', { phases: { a: {} }, signals: [{ id: 'phase', class: 'Some' }] }],
    [
      'a measure and a scorer have one id',
      { measures: [{ id: 'm', expr: '7.0' }], tier2_scorers: [{ id: 'm', expr: '1.0' }] },
    ],
  ])('nothing is ignored in silence: %s', async (_, profile) => {
    expect(await messageOf(createPipeline(profile, { units: { Some: SomeSignal } }))).toContain('AssizeError');
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
