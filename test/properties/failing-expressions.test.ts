/* Expressions that fail in a run, and other effects of a profile on a run. */
import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { defineSignal, defineVeto, z } from 'assize/sdk';
import { gate } from '../engine/units.js';
import { messageOf, rankBy } from './ranked.js';

const nothing = { summary: 'Nothing.', params: z.strictObject({}) };

class FailingVeto {
  static readonly meta = defineVeto(nothing);
  prepare(): never {
    throw new Error('no model');
  }
}

describe('an expression that fails in a run is an AssizeError that names the entry', () => {
  const one = { id: 'a', expr: '1.0' };
  const broken: [string, ProfileInput][] = [
    ['select.duplicates', { select: { duplicates: 'candidate.odd + 1' } }],
    ['select.ties', { select: { ties: ['candidate.odd + 1'] } }],
    ['when', { tier2_scorers: [{ ...one, when: 'context.odd > 1' }] }],
    ['weight', { tier2_scorers: [{ ...one, weight: 'context.odd * 2' }] }],
    ['phases.early', { phases: { early: { n_turns: 1, when: 'context.odd > 1' }, late: {} } }],
    ['fallback', { select: { top: 0 }, fallback: [{ when: 'context.odd > 1', use: 'x' }] }],
  ];

  test.each(broken)('%s', async (name, profile) => {
    // Either the run continues without it and reports it, or it is rejected with a message that names the place.
    const outcome = await rankBy(profile, [{ odd: true }], { odd: 'text' }).then(
      (ranking) => JSON.stringify(ranking.degraded),
      (error: Error) => `${error.name}: ${error.message}`,
    );
    expect(outcome).not.toContain('ExpressionEvaluationError');
    expect(outcome).toContain(name.split('.').at(-1) === 'when' ? 'a' : name.split('.').at(-1));
  });
});

test('reports a veto that could not be prepared once, with the count of its candidates', async () => {
  const profile = { tier1_scorers: [{ id: 'v', class: 'Failing' }] };
  const ranking = await rankBy(profile, [{}, {}, {}], {}, { units: { Failing: FailingVeto } });
  expect(ranking.degraded).toMatchObject([{ entry: 'v', stage: 'veto', cause: 'no model', count: 3 }]);
});

test('a queued run that is aborted is rejected immediately', async () => {
  const params = { vector: 'v' };
  const slow = { id: 'slow', class: 'Slow' };
  const { opened, open } = gate();
  class SlowSignal {
    static readonly meta = defineSignal(nothing);
    prepare(): Promise<void> {
      return opened;
    }
  }
  const profile = { signals: [slow], tier2_scorers: [{ id: 'n', class: 'NoveltyScorer', params }] };
  const pipeline = await createPipeline(profile, { units: { Slow: SlowSignal } });
  const first = pipeline.rank([{ v: [1] }]);
  const abort = new AbortController();
  const second = pipeline.rank([{ v: [1] }], {}, { signal: abort.signal });
  abort.abort(new Error('stopped'));
  expect(await messageOf(second)).toBe('Error: stopped'); // and the first has not ended
  open();
  await first;
});
