import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { defineReport, defineScorer, defineSignal, type RunFacts, z } from 'assize/sdk';
import { eventually } from '../eventually.js';
import { messageOf } from '../properties/ranked.js';
import { gate } from './units.js';

const none = { summary: 'Waits for ever.', params: z.strictObject({}) };
const reached: string[] = [];

/** Never ready; records that it was called, and whether it was aborted. */
const waits =
  (name: string) =>
  async (_params: object, { abort }: RunFacts): Promise<never> => {
    reached.push(name);
    return new Promise((_, reject) => abort.addEventListener('abort', () => reject(new Error(`${name} was told`))));
  };

class WaitingScorer {
  static readonly meta = defineScorer(none);
  prepare(params: object, run: RunFacts): Promise<never> {
    return waits('scorer')(params, run);
  }
}
class WaitingReport {
  static readonly meta = defineReport(none);
  prepare(params: object, run: RunFacts): Promise<never> {
    return waits('report')(params, run);
  }
}
class WaitingSignal {
  static readonly meta = defineSignal(none);
  prepare(params: object, run: RunFacts): Promise<never> {
    return waits('signal')(params, run);
  }
}

const units = { WaitingSignal, WaitingScorer, WaitingReport };
const stages: [string, ProfileInput][] = [
  ['signal', { signals: [{ id: 's', class: 'WaitingSignal', retries: 3 }] }],
  ['scorer', { tier2_scorers: [{ id: 's', class: 'WaitingScorer', on_error: 0.5 }] }],
  ['report', { report: [{ id: 'r', class: 'WaitingReport' }] }],
];

describe('AbortSignal', () => {
  test.each(stages)('stops a run inside prepare, for any on_error: %s', async (name, profile) => {
    const pipeline = await createPipeline(profile, { units });
    const abort = new AbortController();
    const before = reached.length;
    const run = pipeline.rank([{}], {}, { signal: abort.signal });
    await eventually(() => expect(reached).toHaveLength(before + 1));
    abort.abort(new Error('stopped'));
    expect(await messageOf(run)).toBe('Error: stopped');
    expect(reached.slice(before)).toEqual([name]);
  });

  test('that is already aborted prevents the run from starting', async () => {
    const pipeline = await createPipeline({ signals: [{ id: 's', class: 'WaitingSignal' }] }, { units });
    const before = reached.length;
    expect(await messageOf(pipeline.rank([{}], {}, { signal: AbortSignal.abort(new Error('never')) }))).toBe(
      'Error: never',
    );
    expect(reached).toHaveLength(before);
  });

  test('stops between stages: no later unit is called', async () => {
    const abort = new AbortController();
    const { opened, open } = gate();
    const asked: string[] = [];
    class First {
      static readonly meta = defineScorer(none);
      async prepare() {
        await opened;
        asked.push('first');
        abort.abort(new Error('enough'));
        return () => 1;
      }
    }
    class Second {
      static readonly meta = defineScorer(none);
      prepare() {
        asked.push('second');
        return () => 1;
      }
    }
    const profile = { measures: [{ id: 'a', class: 'First' }], tier2_scorers: [{ id: 'b', class: 'Second' }] };
    const pipeline = await createPipeline(profile, { units: { First, Second } });
    const run = pipeline.rank([{}], {}, { signal: abort.signal });
    open();
    expect(await messageOf(run)).toBe('Error: enough');
    expect(asked).toEqual(['first']);
  });

  test('leaves no listener registered', async () => {
    const abort = new AbortController();
    let listeners = 0;
    const { signal } = abort;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    class Ready {
      static readonly meta = defineScorer(none);
      prepare() {
        return () => 1;
      }
    }
    const pipeline = await createPipeline({ tier2_scorers: [{ id: 'a', class: 'Ready' }] }, { units: { Ready } });
    for (let k = 0; k < 5; k++) await pipeline.rank([{}], {}, { signal });
    expect(listeners).toBe(0);
  });
});
