import { describe, expect, test } from 'vitest';
import { type Context, createPipeline, type ProfileInput } from 'assize';
import { defineSignal, type RunFacts, scorer, z } from 'assize/sdk';
import { messageOf, rankBy, scoresOf } from '../properties/ranked.js';

const none = { summary: 'A signal.', params: z.strictObject({}) };

/** A signal class from a function of the run. */
const signal = (make: (run: RunFacts) => unknown) =>
  class {
    static readonly meta = defineSignal(none);
    prepare(_params: object, run: RunFacts): unknown {
      return make(run);
    }
  };

/** Reads one signal as a score; −1 if it is missing. */
const reading = (id: string): ProfileInput['tier2_scorers'] => [{ id: 'x', expr: `signals.${id}`, on_absent: -1 }];
const value = async (profile: ProfileInput, units: Readonly<Record<string, unknown>>, context: Context = {}) =>
  scoresOf(await rankBy(profile, [{ id: 'c' }], context, { units }))['c'];

describe('signals', () => {
  test('are computed once per run, in order, and can read earlier ones', async () => {
    let calls = 0;
    const units = { One: signal(() => ++calls), Twice: signal(({ signals }) => Number(signals['one']) * 20) };
    const signals = [
      { id: 'one', class: 'One' },
      { id: 'twice', class: 'Twice', when: 'signals.one == 1.0' },
    ];
    expect(await value({ signals, tier2_scorers: reading('twice') }, units)).toBe(20);
    expect(calls).toBe(1);
  });

  test('are retried as often as retries allows', async () => {
    let calls = 0;
    const flaky = signal(() => {
      calls += 1;
      if (calls < 3) throw new Error('not yet');
      return calls;
    });
    const profile = (retries: number): ProfileInput => ({
      signals: [{ id: 's', class: 'Flaky', retries }],
      tier2_scorers: reading('s'),
    });
    expect(await value(profile(2), { Flaky: flaky })).toBe(3);
    calls = 0;
    expect(await value(profile(1), { Flaky: flaky })).toBe(-1);
    expect(calls).toBe(2);
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('boom');
      },
      'boom',
    ],
    ['rejects', () => Promise.reject(new Error('boom')), 'boom'],
    ['is not ready in time', () => new Promise(() => {}), 'it was not ready after 20 ms (its timeout)'],
  ])('one that %s is missing and listed, or fails the run', async (_, make, cause) => {
    const units = { Bad: signal(make) };
    const signals = (on_error: 'skip' | 'fail') => [{ id: 's', class: 'Bad', timeout: 20, on_error }];
    const ranking = await rankBy(
      { signals: signals('skip'), tier2_scorers: reading('s') },
      [{ id: 'c' }],
      {},
      { units },
    );
    expect(scoresOf(ranking)).toEqual({ c: -1 });
    expect(ranking.degraded).toMatchObject([{ entry: 's', stage: 'signals', cause, count: 1 }]);
    const failing = rankBy({ signals: signals('fail') }, [{}], {}, { units });
    expect(await messageOf(failing)).toContain(`error ASZ501 the signals entry s failed: ${cause}`);
  });

  test('a signal that was not evaluated or returned nothing is missing, without a failure', async () => {
    const units = { Nothing: signal(() => undefined) };
    const signals = [{ id: 's', class: 'Nothing' }];
    const ranking = await rankBy({ signals, tier2_scorers: reading('s') }, [{ id: 'c' }], {}, { units });
    expect([scoresOf(ranking), ranking.degraded]).toEqual([{ c: -1 }, []]);
    const asked = { signals: [{ id: 's', class: 'Nothing', when: 'context.never' }], tier2_scorers: reading('s') };
    expect(await value(asked, units)).toBe(-1);
  });

  test('the phase comes last, and its conditions may read the signals', async () => {
    const units = { Mood: signal(({ signals }) => ('phase' in signals ? 'late' : 'first')) };
    const profile: ProfileInput = {
      signals: [{ id: 'mood', class: 'Mood' }],
      phases: { early: { n_turns: 9, when: 'signals.mood != "first"' }, late: {} },
      tier2_scorers: [{ id: 'x', expr: 'signals.phase == "late" ? 2.0 : 1.0' }],
    };
    expect(await value(profile, units, { turn_count: 1 })).toBe(2);
  });
});

describe('the context', () => {
  test('is a frozen copy, and the caller’s object is not changed', async () => {
    const seen: unknown[] = [];
    const units = { Writes: signal(({ context }) => void seen.push(Object.isFrozen(context), context)) };
    const given = { turn: 1, deep: { left: 'alone' } };
    const pipeline = await createPipeline({ signals: [{ id: 's', class: 'Writes' }] }, { units });
    await pipeline.rank([{}], given);
    expect(seen[0]).toBe(true);
    expect(seen[1]).not.toBe(given);
    expect(seen[1]).toEqual(given);
    expect(Object.isFrozen(given)).toBe(false);
  });

  test('has the prototype of a plain object, whatever its keys', async () => {
    const seen: unknown[] = [];
    const units = {
      Reads: signal(
        ({ context }) => void seen.push(Object.getPrototypeOf(context), Object.keys(context), context['a']),
      ),
    };
    const given = JSON.parse('{ "__proto__": { "a": 1 }, "b": 2 }') as Context;
    const pipeline = await createPipeline({ signals: [{ id: 'reads', class: 'Reads' }] }, { units });
    await pipeline.rank([], given);
    expect(seen).toEqual([Object.prototype, ['__proto__', 'b'], undefined]);
  });

  test('may have fields with inherited names, even if these cannot be assigned', async () => {
    const seen: unknown[] = [];
    const units = { Reads: signal(({ context }) => void seen.push({ ...context })) };
    const pipeline = await createPipeline({ signals: [{ id: 'reads', class: 'Reads' }] }, { units });
    const given = { constructor: 'a', toString: 'b', fixed: 'c', plain: 'd' };
    Reflect.defineProperty(Object.prototype, 'fixed', { value: 0, configurable: true }); // as if it were frozen
    try {
      await pipeline.rank([], given);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'fixed');
    }
    expect(seen).toEqual([given]);
  });

  test('may be frozen, like the candidates: no code writes to them', async () => {
    const deep = Object.freeze({ id: 'c', list: Object.freeze([1, 2]), at: 5 });
    const units = { Len: scorer<typeof deep>(({ list }) => list.length) };
    const tier2_scorers = [
      { id: 'len', class: 'Len' },
      { id: 'age', class: 'DecayScorer', params: { field: 'at', curve: { type: 'window', max_age: '1d' } } },
    ];
    const candidates = Object.freeze([deep]);
    const ranking = await rankBy({ tier2_scorers }, candidates, Object.freeze({ now: 6 }), { units });
    expect(scoresOf(ranking)).toEqual({ c: 1.5 });
    expect(ranking.ranked[0]?.candidate).toBe(deep);
  });

  test.each<[Context, string]>([
    [{}, "the context's turn_count is missing; expected int"],
    [{ turn_count: 1.5 }, "the context's turn_count is the number 1.5; expected int"],
    [{ turn_count: 1, since: 'soon' }, 'the context\'s since is the string "soon"; expected time'],
  ])('that is not what the profile declares is an error: %j', async (context, message) => {
    const profile: ProfileInput = { context: { turn_count: { type: 'int', required: true }, since: { type: 'time' } } };
    expect(await messageOf(rankBy(profile, [{}], context))).toContain(`error ASZ104 ${message}`);
  });
});
