import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPipeline, type Pipeline, type ProfileInput } from 'assize';
import {
  defineGenerator,
  defineReport,
  defineScorer,
  defineSelector,
  defineSignal,
  defineVeto,
  type Run,
  type Score,
  z,
} from 'assize/sdk';
import { gate, type Item, SlowReport, SlowScorer, SlowSignal } from './units.js';
import { temporaryFolder } from '../temporary-folder.js';

const facts = { summary: 'Waits.', params: z.strictObject({}) };

/** Returns a promise that nothing awaits: if it were not handled, the process would warn. */
class Late {
  prepare(): Promise<never> {
    return Promise.reject(new Error('nobody was told'));
  }
}

class LateSignal extends Late {
  static readonly meta = defineSignal(facts);
}
class LateGenerator extends Late {
  static readonly meta = defineGenerator(facts);
}
class LateVeto extends Late {
  static readonly meta = defineVeto(facts);
}
class LateScorer extends Late {
  static readonly meta = defineScorer(facts);
}
class LateSelector extends Late {
  static readonly meta = defineSelector(facts);
}
class LateReport extends Late {
  static readonly meta = defineReport(facts);
}
const late = { LateSignal, LateGenerator, LateVeto, LateScorer, LateSelector, LateReport };

const item = (id: string): Item => ({ id, at: 0, n: 1 });
const items = [item('a'), item('b')];

function thrownBy(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  throw new Error('nothing was thrown');
}

const open = (profile: ProfileInput, units: Readonly<Record<string, unknown>> = late): Promise<Pipeline<Item>> =>
  createPipeline<Item>(profile, { units });

describe('rankSync', () => {
  const stages: [stage: string, entry: string, profile: ProfileInput][] = [
    ['signals', 'late', { signals: [{ id: 'late', class: 'LateSignal', on_error: 'skip', retries: 2 }] }],
    ['veto', 'late', { tier1_scorers: [{ id: 'late', class: 'LateVeto', on_error: 'pass' }] }],
    ['measure', 'late', { measures: [{ id: 'late', class: 'LateScorer' }] }],
    ['score', 'late', { tier2_scorers: [{ id: 'late', class: 'LateScorer', on_error: 0.5, timeout: '1s' }] }],
    ['place', 'LateSelector', { select: { place: { class: 'LateSelector' } } }],
    ['report', 'late', { report: [{ id: 'late', class: 'LateReport' }] }],
    [
      'score',
      'outer',
      {
        tier2_scorers: [
          { id: 'outer', class: 'CompositeScorer', params: { scorers: [{ class: 'LateScorer', weight: 1 }] } },
        ],
      },
    ],
  ];

  test.each(stages)('names the entry that waits, whatever its on_error: %s %s', async (stage, entry, profile) => {
    const pipeline = await open(profile);
    expect(thrownBy(() => pipeline.rankSync(items))).toContain(
      `rankSync is synchronous, but the ${stage} entry ${entry} is not`,
    );
  });

  test('names the strategy that waits', async () => {
    const pipeline = await open({ strategies: [{ id: 'ask', focus: { class: 'LateGenerator' } }] });
    expect(thrownBy(() => pipeline.rankSync())).toContain('the generate entry ask is not');
    expect(pipeline.rankSync(items).ranked).toHaveLength(2);
  });

  test('reports the place in the profile and a hint', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'profile.yaml');
    await writeFile(file, 'tier2_scorers:\n  - id: late\n    class: LateScorer\n');
    const pipeline = await createPipeline<Item>(file, { units: late });
    const message = thrownBy(() => pipeline.rankSync(items));
    expect(message).toContain('ASZ516');
    expect(message).toContain('profile.yaml:2:5');
    expect(message).toContain('await rank()');
  });

  test('reports every entry that always waits, before anything runs', async () => {
    let asked = 0;
    const Counting = class {
      static readonly meta = defineScorer(facts);
      prepare(): Score<Item> {
        asked += 1;
        return () => 1;
      }
    };
    const profile: ProfileInput = {
      signals: [{ id: 'signal', class: 'SlowSignal' }],
      tier2_scorers: [
        { id: 'counting', class: 'Counting' },
        { id: 'slow', class: 'SlowScorer' },
        { id: 'scaled', class: 'ScaledScorer', params: { scorer: { class: 'SlowScorer' } } },
      ],
      report: [{ id: 'report', class: 'SlowReport' }],
    };
    const pipeline = await open(profile, { Counting, SlowSignal, SlowScorer, SlowReport });
    const message = thrownBy(() => pipeline.rankSync(items));
    for (const id of ['signal', 'slow', 'scaled', 'report']) expect(message).toContain(`entry ${id} is not`);
    expect(asked).toBe(0);
  });

  test('ranks if the entry that waits does not take part in the run', async () => {
    const pipeline = await open(
      {
        tier2_scorers: [
          { id: 'n', expr: 'candidate.n' },
          { id: 'slow', class: 'SlowScorer', when: 'context.slow' },
        ],
      },
      { SlowScorer },
    );
    expect(pipeline.rankSync(items, { slow: false }).ranked).toHaveLength(2);
    expect(thrownBy(() => pipeline.rankSync(items, { slow: true }))).toContain('the score entry slow');
  });

  test('rejects a memory in a file', async () => {
    const folder = temporaryFolder();
    const params = { vector: 'v' };
    const memory = join(folder, 'seen.bin');
    const pipeline = await open({ tier2_scorers: [{ id: 'novelty', class: 'NoveltyScorer', params, memory }] });
    expect(thrownBy(() => pipeline.rankSync(items))).toContain('the memory of novelty is not: it is stored in a file');
  });

  test('distinguishes a failing entry from one that waits', async () => {
    const Failing = class {
      static readonly meta = defineScorer(facts);
      prepare(): Score<Item> {
        throw new Error('boom');
      }
    };
    const pipeline = await open({ tier2_scorers: [{ id: 'failing', class: 'Failing', on_error: 0.5 }] }, { Failing });
    const { ranked, degraded } = pipeline.rankSync(items);
    expect(ranked.map(({ score }) => score)).toEqual([0.5, 0.5]);
    expect(degraded).toMatchObject([{ entry: 'failing', cause: 'boom' }]);
  });
});

/** A memory that is updated synchronously. */
const Seen = class {
  static readonly meta = defineScorer({ ...facts, scope: 'sequence', memory: { empty: () => 0 } });
  prepare(_params: object, { candidates }: Run<Item>, memory: number) {
    const score: Score<Item> = (_candidate, index) => memory + index;
    return { score, memory: memory + candidates.length };
  }
};
const remembering: ProfileInput = { tier2_scorers: [{ id: 'seen', class: 'Seen' }] };

describe('a memory', () => {
  test('is updated by each rankSync, except by one that fails or must not update', async () => {
    const pipeline = await open(
      {
        tier2_scorers: [
          { id: 'seen', class: 'Seen' },
          { id: 'strict', expr: '1 / candidate.n', on_error: 'fail' },
        ],
      },
      { Seen },
    );
    const best = () => pipeline.rankSync([item('x')], {}, { updateMemory: false }).matrix.column('seen').values[0];
    pipeline.rankSync(items);
    expect(best()).toBe(2);
    expect(thrownBy(() => pipeline.rankSync([{ id: 'zero', at: 0, n: 0 }]))).toContain('strict failed');
    expect(best()).toBe(2);
    pipeline.rankSync(items);
    expect(best()).toBe(4);
  });

  test('of an active run makes rankSync fail, and is complete afterwards', async () => {
    const { opened, open: release } = gate();
    const Sometimes = class {
      static readonly meta = defineScorer({ ...facts, scope: 'sequence', memory: { empty: () => 0 } });
      prepare(params: object, run: Run<Item>, memory: number) {
        const seen = new Seen().prepare(params, run, memory);
        return run.context['waits'] === true ? opened.then(() => seen) : seen;
      }
    };
    const pipeline = await open(remembering, { Seen: Sometimes });
    const over = pipeline.rank(items);
    expect(pipeline.rankSync(items).ranked[0]?.score).toBe(3); // the first had nothing to wait for
    const underWay = pipeline.rank(items, { waits: true });
    const queued = pipeline.rank(items);
    expect(thrownBy(() => pipeline.rankSync(items))).toContain('ASZ517');
    release();
    await Promise.all([over, underWay, queued]);
    expect(pipeline.rankSync(items).ranked[0]?.score).toBe(9);
  });
});

describe('a run that is started inside another', () => {
  test('updates memories after it', async () => {
    const inner: Promise<unknown>[] = [];
    const asking: { pipeline?: Pipeline<Item> } = {};
    const Asking = class {
      static readonly meta = defineScorer(facts);
      prepare(_params: object, { context }: Run<Item>): Score<Item> {
        if (context['outer'] === true && asking.pipeline) inner.push(asking.pipeline.rank([item('inner')]));
        return () => 0;
      }
    };
    const entries = [
      { id: 'seen', class: 'Seen' },
      { id: 'asking', class: 'Asking', weight: 0 },
    ];
    const pipeline = await open({ tier2_scorers: entries }, { Seen, Asking });
    asking.pipeline = pipeline;
    await pipeline.rank(items, { outer: true });
    expect(await Promise.all(inner)).toMatchObject([{ ranked: [{ score: 2 }] }]);
  });
});

describe('scorers', () => {
  test('all start to prepare before any is awaited', async () => {
    const { opened, open: release } = gate();
    const begun: string[] = [];
    const beginning = (name: string) =>
      class {
        static readonly meta = defineScorer(facts);
        async prepare(): Promise<Score<Item>> {
          begun.push(name);
          await opened;
          return () => 1;
        }
      };
    const pipeline = await open(
      {
        tier2_scorers: [
          { id: 'one', class: 'One' },
          { id: 'other', class: 'Other' },
        ],
      },
      { One: beginning('one'), Other: beginning('other') },
    );
    const run = pipeline.rank(items);
    expect(begun).toEqual(['one', 'other']);
    release();
    expect((await run).ranked).toHaveLength(2);
  });
});

describe('scoreSync', () => {
  test('returns the row that score returns', async () => {
    const pipeline = await open({
      tier1_scorers: [{ id: 'no', expr: 'candidate.id == "no"' }],
      tier2_scorers: [{ id: 'n', expr: 'candidate.n / 2' }],
    });
    for (const one of [item('yes'), item('no')]) {
      expect(pipeline.scoreSync(one, {}, { among: [item('other')] })).toEqual(
        await pipeline.score(one, {}, { among: [item('other')] }),
      );
      expect(pipeline.scoreSync(one)).toEqual(await pipeline.score(one));
    }
  });

  test('names the entry that waits', async () => {
    const pipeline = await open({ tier2_scorers: [{ id: 'late', class: 'LateScorer' }] });
    expect(thrownBy(() => pipeline.scoreSync(item('a'), {}, { among: [] }))).toContain('scoreSync is synchronous');
  });

  test('does not wait for entries that only a ranking needs', async () => {
    const pipeline = await open({
      tier2_scorers: [{ id: 'n', expr: 'candidate.n' }],
      select: { place: { class: 'LateSelector' } },
    });
    expect(pipeline.scoreSync(item('a'))).toMatchObject({ id: 'a', score: 1 });
  });
});
