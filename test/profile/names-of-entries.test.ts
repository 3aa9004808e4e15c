import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from '../../src/index.js';
import { defineSignal, z } from '../../src/sdk.js';
import { messageOf, rankBy, scoresOf } from '../properties/ranked.js';
import { told } from './broken.js';

const nothing = { summary: 'Nothing.', params: z.strictObject({}) };

class SomeSignal {
  static readonly meta = defineSignal(nothing);
  prepare(): number {
    return 1;
  }
}

describe('names of entries, and what refers to them', () => {
  test.each([[{}], [{ scorers: 'x' }]])('CompositeScorer with params %j is a problem, not a crash', async (params) => {
    const profile = { tier2_scorers: [{ id: 'c', class: 'CompositeScorer', params }] };
    expect(await messageOf(createPipeline(profile))).toContain('AssizeError');
  });

  test('a scorer that is disabled may still have its weights in the cases that a profile inherits', async () => {
    const pipeline = createPipeline({
      extends: ['knowledgepulse'],
      tier2_scorers: [{ id: 'novelty', enabled: false }],
    });
    await expect(pipeline).resolves.toBeDefined();
  });

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
});
