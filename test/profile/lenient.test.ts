import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from '../../src/index.js';
import { defineScorer, defineSignal, z } from '../../src/sdk.js';

class Old {
  static readonly meta = defineScorer({
    summary: 'Has a param of the past.',
    params: z.strictObject({ size: z.number().default(1), method: z.unknown().optional().meta({ deprecated: true }) }),
  });
  compile({ size }: { size: number }) {
    return () => size;
  }
}

class Mood {
  static readonly meta = defineSignal({ summary: 'A mood.', params: z.strictObject({}) });
  prepare(): string {
    return 'good';
  }
}

const warned = async (profile: ProfileInput): Promise<readonly (readonly [string | undefined, string])[]> =>
  (await createPipeline(profile, { units: { Old } })).warnings.map(({ path, message }) => [path, message] as const);

describe('what existing configurations say is taken, with a warning', () => {
  test('a param that its class marks as deprecated', async () => {
    const of = (params: Readonly<Record<string, unknown>>): ProfileInput => ({
      tier2_scorers: [{ id: 's', class: 'Old', params }],
    });
    expect(await warned(of({ size: 2 }))).toEqual([]);
    expect(await warned(of({ method: 'cosine' }))).toEqual([
      ['tier2_scorers[0].params.method', 'Old takes the param method, and does nothing with it'],
    ]);
  });

  test('a factor for a strategy that there is not, unless the caller brings the candidates', async () => {
    const phases: ProfileInput = { phases: { a: {} }, phase_profiles: { a: { deepen: 1, brodaen: 2 } } };
    expect(await warned(phases)).toEqual([]);
    const strategies = [{ id: 'deepen', enabled: false }, { id: 'broaden' }];
    expect(await warned({ ...phases, strategies })).toEqual([
      ['phase_profiles.a.brodaen', 'the factor for brodaen is never used: there is no such strategy'],
    ]);
  });
});

test('a signal that is disabled is absent, and what reads it need not be written anew', async () => {
  const profile = (enabled: boolean): ProfileInput => ({
    signals: [{ id: 'mood', class: 'Mood', enabled }],
    phases: { calm: { when: 'signals.?mood.orValue("good") == "good"' }, other: {} },
    tier2_scorers: [{ id: 's', expr: 'has(signals.mood) ? 1 : 2' }],
  });
  const score = async (enabled: boolean) =>
    (await (await createPipeline(profile(enabled), { units: { Mood } })).rank([{}])).ranked[0]?.score;
  expect(await score(true)).toBe(1);
  expect(await score(false)).toBe(2);
});
