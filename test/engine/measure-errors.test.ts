/* on_error of a measure: by default it is absent if it fails, and `fail` fails the run. */
import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { defineScorer, z } from 'assize/sdk';
import { messageOf } from '../properties/ranked.js';

interface Trace {
  readonly id: string;
  readonly tools: unknown;
  readonly old?: boolean;
}

/** Cannot be prepared. */
class Unready {
  static readonly meta = defineScorer({ summary: 'Is never ready.', params: z.strictObject({}) });
  async prepare(): Promise<never> {
    throw new Error('no connection');
  }
}

const profileOf = (measure: object, more: object = {}): ProfileInput => ({
  name: 'traces',
  candidate: { id: 'id' },
  tier1_scorers: [{ id: 'old', expr: 'candidate.old' }],
  measures: [{ id: 'tools', expr: 'sum(candidate.tools)', ...measure }],
  tier2_scorers: [{ id: 'few', expr: '1 / (1 + measures.tools)', on_absent: 0 }],
  ...more,
});

const traces: readonly Trace[] = [
  { id: 'gone', tools: [1], old: true },
  { id: 'good', tools: [1, 2] },
  { id: 'bad', tools: [1, 'two'] },
];

const rank = async (profile: ProfileInput, candidates = traces) =>
  (await createPipeline<Trace>(profile, { units: { Unready } })).rank(candidates);

describe('a measure that fails', () => {
  test.each([{}, { on_error: 'skip' }])('is absent with %j, and reported', async (measure) => {
    const { ranked, degraded } = await rank(profileOf(measure));
    expect(ranked.map(({ id, score }) => [id, score])).toEqual([
      ['good', 0.25],
      ['bad', 0],
    ]);
    expect(degraded).toMatchObject([{ entry: 'tools', stage: 'measure', count: 1, instead: 'absent' }]);
  });

  test('fails the run with on_error: fail, which names its candidate', async () => {
    expect(await messageOf(rank(profileOf({ on_error: 'fail' })))).toContain(
      'the measure entry tools failed on bad: sum() needs a list of numbers, found the string "two"',
    );
  });

  test('does not fail the run if it fails only on refused candidates', async () => {
    const candidates = traces.map((trace) => (trace.id === 'bad' ? { ...trace, old: true } : trace));
    expect((await rank(profileOf({ on_error: 'fail' }), candidates)).degraded).toEqual([]);
    const absent = await rank(profileOf({ on_error: 'fail' }), [{ id: 'empty', tools: null }]);
    expect(absent.degraded).toEqual([]);
  });

  test('in prepare, fails the run with on_error: fail and is otherwise absent', async () => {
    const unready = { expr: undefined, class: 'Unready' };
    expect((await rank(profileOf(unready))).degraded).toMatchObject([{ entry: 'tools', cause: 'no connection' }]);
    expect(await messageOf(rank(profileOf({ ...unready, on_error: 'fail' })))).toContain(
      'the measure entry tools failed: no connection',
    );
  });

  test('takes on_error from the defaults if the value is allowed', async () => {
    const failing = rank(profileOf({}, { defaults: { on_error: 'fail' } }));
    expect(await messageOf(failing)).toContain('the measure entry tools failed on bad');
    expect((await rank(profileOf({}, { defaults: { on_error: 0.5 } }))).degraded).toHaveLength(1);
  });

  test('has no other rules', async () => {
    expect(await messageOf(rank(profileOf({ on_error: 'refuse' })))).toMatch(/on_error.*(skip|fail)/s);
    expect(await messageOf(rank(profileOf({ on_error: 0 })))).toMatch(/on_error.*(skip|fail)/s);
  });

  test('names the right candidate if some were refused and it takes too many steps', async () => {
    const tools = Array.from({ length: 100 }, () => 1);
    const measure = { expr: 'candidate.tools.all(tool, tool > 0) ? 1 : 0' };
    const profile = profileOf(measure, { expression_steps: 50 });
    const candidates = [traces[0]!, { id: 'long', tools }];
    expect(await messageOf(rank(profile, candidates))).toContain('the measure entry tools failed on long');
  });
});
