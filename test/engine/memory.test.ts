import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput, scorer } from 'assize';
import { defineScorer, type Run, z } from 'assize/sdk';
import { messageOf } from '../properties/ranked.js';
import { gate, type Item, rememberer } from './units.js';

const item = (id: string): Item => ({ id, at: 0, n: 0 });
const profile: ProfileInput = { tier2_scorers: [{ id: 'seen', class: 'Seen' }] };
const open = (given: ProfileInput = profile, units: Readonly<Record<string, unknown>> = { Seen: rememberer() }) =>
  createPipeline<Item>(given, { units });

const scoreOf = async (ranking: Promise<{ ranked: readonly { score: number }[] }>) => (await ranking).ranked[0]?.score;

describe('a memory', () => {
  test('grows from run to run by all candidates that its unit was prepared on', async () => {
    const pipeline = await open();
    expect(await scoreOf(pipeline.rank([item('a'), item('b')]))).toBe(0);
    expect(await scoreOf(pipeline.rank([item('c')]))).toBe(2);
    expect(await scoreOf(pipeline.rank([item('d')]))).toBe(3);
  });

  test('is separate per entry and per pipeline', async () => {
    const two = [
      { id: 'first', class: 'Seen' },
      { id: 'second', class: 'Seen', when: 'context.both' },
    ];
    const pipeline = await open({ tier2_scorers: two });
    await pipeline.rank([item('a')], { both: false });
    const { matrix } = await pipeline.rank([item('b')], { both: true });
    expect([matrix.column('first').values[0], matrix.column('second').values[0]]).toEqual([1, 0]);
    expect(await scoreOf((await open()).rank([item('a')]))).toBe(0);
  });

  test('is updated with kept candidates only', async () => {
    const pipeline = await open({ ...profile, tier1_scorers: [{ id: 'no', expr: 'candidate.id == "no"' }] });
    await pipeline.rank([item('no'), item('yes')]);
    expect(await scoreOf(pipeline.rank([item('c')]))).toBe(1);
  });

  test('is not updated by a run that fails, in any stage', async () => {
    const failing = scorer<Item>(({ id }) => {
      if (id === 'bad') throw new Error('boom');
      return 0;
    });
    const after = [
      { id: 'seen', class: 'Seen' },
      { id: 'strict', class: 'Failing', on_error: 'fail' as const, weight: 0 },
    ];
    const pipeline = await open({ tier2_scorers: after }, { Seen: rememberer(), Failing: failing });
    expect(await messageOf(pipeline.rank([item('bad')]))).toContain('strict failed');
    expect(await scoreOf(pipeline.rank([item('a')]))).toBe(0);
  });

  test('passes from the previous run to the next if a queued run between them is aborted', async () => {
    const pipeline = await open(profile, { Seen: rememberer(() => wait(30)) });
    const abort = new AbortController();
    const ended: string[] = [];
    const [first, second, third] = [
      pipeline.rank([item('a')]).finally(() => ended.push('first')),
      pipeline.rank([item('b')], {}, { signal: abort.signal }).finally(() => ended.push('second')),
      pipeline.rank([item('c')]).finally(() => ended.push('third')),
    ];
    abort.abort(new Error('stopped'));
    expect(await messageOf(second)).toBe('Error: stopped');
    expect(await scoreOf(first)).toBe(0);
    expect(await scoreOf(third)).toBe(1);
    expect(ended).toEqual(['second', 'first', 'third']);
  });

  test('is available to a synchronous call once earlier runs have ended, in any way', async () => {
    const facts = { summary: 'Waits for two.', params: z.strictObject({}), memory: { empty: () => 0 } };
    class Seen {
      static readonly meta = defineScorer(facts);
      prepare(_params: object, { candidates }: Run<Item>, memory: number) {
        const prepared = { score: () => memory, memory: memory + 1 };
        return candidates.length > 1 ? wait(5, prepared) : prepared;
      }
    }
    const failing = scorer<Item>(({ id }) => {
      if (id === 'bad') throw new Error('boom');
      return 0;
    });
    const strict = { id: 'strict', class: 'Failing', on_error: 'fail' as const, weight: 0 };
    const both = [{ id: 'seen', class: 'Seen' }, strict];
    const pipeline = await open({ tier2_scorers: both }, { Seen, Failing: failing });
    const two = (id: string): Item[] => [item(id), item('z')];
    for (const second of ['b', 'bad']) {
      const runs = [pipeline.rank(two('a')), pipeline.rank(two(second)).catch(() => {})];
      await runs[1];
      expect(pipeline.rankSync([item('c')]).ranked).toHaveLength(1);
      await Promise.all(runs);
    }
  });

  test('is not updated by an aborted run or an entry that times out', async () => {
    let { opened, open: letGo } = gate();
    const begun = gate();
    const slow = rememberer((run) => {
      begun.open();
      return run.candidates.length > 1 ? opened : undefined;
    });
    const abort = new AbortController();
    const pipeline = await open(profile, { Seen: slow });
    const stopped = pipeline.rank([item('a'), item('b')], {}, { signal: abort.signal });
    await begun.opened;
    abort.abort(new Error('stopped'));
    expect(await messageOf(stopped)).toBe('Error: stopped');
    letGo(); // the unit continues without a listener
    await wait(1);
    expect(await scoreOf(pipeline.rank([item('c')]))).toBe(0);

    const limited = { tier2_scorers: [{ id: 'seen', class: 'Seen', timeout: 20, on_error: 0.5 }] };
    const hasty = await open(limited, { Seen: slow });
    ({ opened, open: letGo } = gate());
    expect(await scoreOf(hasty.rank([item('a'), item('b')]))).toBe(0.5);
    letGo();
    await wait(1);
    expect(await scoreOf(hasty.rank([item('c')]))).toBe(0);
  });

  test('is read in the order of the calls, independent of their duration', async () => {
    let begun = 0;
    const pipeline = await open(profile, { Seen: rememberer(() => wait((begun++ * 5) % 12)) });
    const runs = Array.from({ length: 40 }, (_, k) =>
      scoreOf(pipeline.rank(k % 2 ? [item('a')] : [item('b'), item('c')])),
    );
    const expected = Array.from({ length: 40 }, (_, k) => Math.floor(k / 2) * 3 + (k % 2) * 2);
    expect(await Promise.all(runs)).toEqual(expected);
  });

  test('continues after a queued run fails', async () => {
    const pipeline = await open(profile, {
      Seen: rememberer((run) => {
        if (run.candidates[0]?.id === 'bad') throw new Error('boom');
      }),
    });
    const runs = ['a', 'bad', 'b'].map((id) => pipeline.rank([item(id)]));
    expect(await messageOf(runs[1]!)).toContain('seen failed: boom');
    expect(await scoreOf(runs[2]!)).toBe(1);
  });

  test('of a unit inside another one is also kept', async () => {
    const params = { scorers: [{ class: 'Seen' }] };
    const pipeline = await open({ tier2_scorers: [{ id: 'mean', class: 'CompositeScorer', params }] });
    await pipeline.rank([item('a'), item('b')]);
    expect(await scoreOf(pipeline.rank([item('c')]))).toBe(2);
  });
});
