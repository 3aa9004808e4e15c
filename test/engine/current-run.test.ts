import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPipeline, type Pipeline, type ProfileInput, explanationParts } from 'assize';
import {
  child,
  type Child,
  defineReport,
  defineScorer,
  defineSelector,
  defineSignal,
  defineVeto,
  expression,
  type ExpressionParam,
  type Live,
  type Note,
  type ReportRun,
  type Run,
  type RunFacts,
  type Score,
  type SelectorFunction,
  type SelectorRun,
  z,
} from 'assize/sdk';

// Units are compiled once per pipeline and read the current run. Each run must read its own context, regardless of runs
// inside, during or after it: `factor` in the context identifies the run.

interface Item {
  readonly id: string;
  readonly n?: number;
  /** Whether scoring it starts another run of the same pipeline. */
  readonly starts?: boolean;
}

const none = z.strictObject({});

/** Starts another run; set when the pipeline exists, and disabled inside the run that it starts. */
let startOther: () => void = () => {};

const factorOf = (live: Live): number => Number(live.context()['factor']);

/** Starts another run between two reads of its own context: NaN if they differ. */
function betweenReads(live: Live, item: Item): number {
  const before = factorOf(live);
  if (item.starts) startOther();
  return before === factorOf(live) ? before : Number.NaN;
}

class Starter {
  static readonly meta = defineScorer({ summary: 'Starts a run.', params: none, reasons: { ran: '{factor}' } });
  compile(_params: object, live: Live): Score<Item> {
    return (item, _index, note?: Note) => {
      const factor = betweenReads(live, item);
      note?.('ran', { factor });
      return factor;
    };
  }
}

class StarterVeto {
  static readonly meta = defineVeto({ summary: 'Starts a run.', params: none });
  compile(_params: object, live: Live): Score<Item, boolean> {
    return (item) => Number.isNaN(betweenReads(live, item));
  }
}

/** Scores its child after a wait, outside all runs. */
class LaterScorer {
  static readonly meta = defineScorer({
    summary: 'Waits, then scores.',
    scope: 'set',
    params: z.strictObject({ scorer: child() }),
  });
  async prepare({ scorer }: { scorer: Child }, run: Run<Item>): Promise<Score<Item>> {
    const score = run.child(scorer);
    const before = run.candidates.map((item, i) => score(item, i));
    await turn();
    const after = run.candidates.map((item, i) => score(item, i));
    return (_item, i) => (before[i] === after[i] ? after[i] : Number.NaN);
  }
}

/** Starts another run in its prepare, before and after it waits. */
class StartingPrepare {
  static readonly meta = defineScorer({
    summary: 'Starts runs.',
    scope: 'set',
    params: z.strictObject({ scorer: child() }),
  });
  async prepare({ scorer }: { scorer: Child }, run: Run<Item>): Promise<Score<Item>> {
    const score = run.child(scorer) as Score<Item>;
    if (run.candidates.some(({ starts }) => starts)) startOther();
    await turn();
    if (run.candidates.some(({ starts }) => starts)) startOther();
    return score;
  }
}

class LaterSignal {
  static readonly meta = defineSignal({ summary: 'Waits.', params: none });
  async prepare(_params: object, { context }: RunFacts): Promise<unknown> {
    await turn();
    return context['factor'];
  }
}

/** Reads values of candidates after a wait, while other runs continued. */
class LaterReport {
  static readonly meta = defineReport({ summary: 'Waits, then reads.', params: none });
  async prepare(_params: object, run: ReportRun): Promise<{ value: unknown }> {
    await turn();
    return { value: run.ranked.map((row) => run.value(row, 'own')) };
  }
}

/** Throws or waits, depending on the `factor` of its run. */
class Faulty {
  static readonly meta = defineScorer({ summary: 'Fails.', scope: 'set', params: none });
  prepare(_params: object, run: Run<Item>): Score<Item> | Promise<Score<Item>> {
    const factor = run.context['factor'];
    if (factor === FAILS_LATER) return () => Number.NaN;
    if (factor === WAITS) return turn((): number => 1);
    if (factor === HANGS) return new Promise(() => {});
    throw new Error('it fails');
  }
}

/** Keeps the rows whose expression is true, evaluated before and after a wait. */
class LaterPack {
  static readonly meta = defineSelector({ summary: 'Waits.', params: z.strictObject({ keep: expression() }) });
  async prepare({ keep }: { keep: ExpressionParam }, run: SelectorRun): Promise<SelectorFunction> {
    const isKept = run.expression(keep);
    await turn();
    return (rows) => {
      const kept = rows.filter(({ candidate, index, pinned }) => isKept(candidate, index) === true || pinned);
      return { kept, left: rows.filter((row) => !kept.includes(row)).map(({ index }) => ({ index, reason: 'no' })) };
    };
  }
}

const [FAILS, FAILS_LATER, WAITS, HANGS] = [99, 98, 97, 96];
const units = { Starter, StarterVeto, LaterScorer, StartingPrepare, LaterSignal, LaterReport, Faulty, LaterPack };
const items: readonly Item[] = [
  { id: 'a', n: 1 },
  { id: 'b', n: 2, starts: true },
  { id: 'c', n: 3 },
];
const others: readonly Item[] = [
  { id: 'x', n: 1 },
  { id: 'y', n: 1 },
];

async function pipelineOf(profile: ProfileInput, start: (pipeline: Pipeline<Item>) => void): Promise<Pipeline<Item>> {
  const pipeline = await createPipeline<Item>(profile, { units });
  let inside = false;
  startOther = () => {
    if (inside) return;
    inside = true;
    try {
      start(pipeline);
    } finally {
      inside = false;
    }
  };
  return pipeline;
}

const rankedSync = (pipeline: Pipeline<Item>): void => {
  const other = pipeline.rankSync(others, { factor: 99 });
  expect(other.ranked.map(({ id }) => id)).toEqual(['x', 'y']);
  expect(other.explain('y')).toBeDefined();
};

const started = (pipeline: Pipeline<Item>): void => void pipeline.rank(others, { factor: 99 });

const compiled: ProfileInput = {
  tier1_scorers: [{ id: 'veto', class: 'StarterVeto' }],
  tier2_scorers: [
    { id: 'own', class: 'Starter' },
    { id: 'expr', expr: 'context.factor' },
  ],
};

test.each<[string, ProfileInput]>([
  ['in the fused pass', compiled],
  [
    'in the staged pass',
    { ...compiled, measures: [{ id: 'm', class: 'Starter' }], combine: { formula: 'own + expr + measures.m - own' } },
  ],
  ['in a formula', { ...compiled, combine: { formula: '(own + expr) / 2' } }],
  [
    'in a rule',
    {
      ...compiled,
      adjustments: [{ id: 'rule', when: 'scores.own > 0', set: 'scores.own + scores.expr - context.factor' }],
    },
  ],
])('a run that a unit starts inside another does not change it: %s', async (_, profile) => {
  const pipeline = await pipelineOf(profile, rankedSync);
  const ranking = pipeline.rankSync(items, { factor: 3 });
  const expected = pipeline.rankSync(items.map(({ id, n }) => ({ id, n })) as Item[], { factor: 3 });
  expect(ranking.ranked.map(({ id, score }) => [id, score])).toEqual(
    expected.ranked.map(({ id, score }) => [id, score]),
  );
  expect(ranking.ranked).toHaveLength(3);
  expect(ranking.degraded).toEqual([]);
  expect([...ranking.matrix.column('own').values]).toEqual([3, 3, 3]);
});

test.each<[string, ProfileInput['tier2_scorers']]>([
  [
    'a child that is scored after a wait',
    [{ id: 'own', class: 'LaterScorer', params: { scorer: { class: 'Starter' } } }],
  ],
  ['a prepare', [{ id: 'own', class: 'StartingPrepare', params: { scorer: { class: 'Starter' } } }]],
  [
    'scorers that are prepared side by side',
    [
      {
        id: 'own',
        class: 'LaterScorer',
        params: { scorer: { class: 'StartingPrepare', params: { scorer: { class: 'Starter' } } } },
      },
      {
        id: 'two',
        class: 'StartingPrepare',
        params: { scorer: { class: 'LaterScorer', params: { scorer: { class: 'Starter' } } } },
      },
      { id: 'expr', expr: 'context.factor' },
    ],
  ],
])('also in %s', async (_, scorers) => {
  const pipeline = await pipelineOf(
    {
      signals: [{ id: 'later', class: 'LaterSignal' }],
      tier2_scorers: scorers ?? [],
      report: [{ id: 'values', class: 'LaterReport' }],
    },
    started,
  );
  const [ranking, beside] = await Promise.all([
    pipeline.rank(items, { factor: 3 }),
    pipeline.rank(items, { factor: 5 }),
  ]);
  for (const [one, factor] of [
    [ranking, 3],
    [beside, 5],
  ] as const) {
    expect(one.degraded).toEqual([]);
    expect(one.ranked.map(({ score }) => score)).toEqual([factor, factor, factor]);
    expect(one.report['values']).toEqual([factor, factor, factor]);
    expect([...one.matrix.column('own').values]).toEqual([factor, factor, factor]);
    expect(explanationParts(one.explain('b')).scorers[0]?.value).toBe(factor);
  }
});

/** Runs that fail at some point. */
const failing: Promise<readonly PromiseSettledResult<unknown>[]>[] = [];

test.each<[string, (pipeline: Pipeline<Item>) => void]>([
  [
    'fails while it is prepared',
    (pipeline) => expect(() => pipeline.rankSync(others, { factor: FAILS })).toThrow('it fails'),
  ],
  [
    'fails on a candidate',
    (pipeline) => expect(() => pipeline.rankSync(others, { factor: FAILS_LATER })).toThrow('NaN'),
  ],
  [
    'is abandoned, because it would wait',
    (pipeline) => expect(() => pipeline.rankSync(others, { factor: WAITS })).toThrow('is synchronous'),
  ],
  [
    'is aborted, or times out',
    (pipeline) => {
      const abort = new AbortController();
      const aborted = pipeline.rank(others, { factor: HANGS }, { signal: abort.signal });
      failing.push(Promise.allSettled([aborted, pipeline.rank(others, { factor: HANGS })]));
      abort.abort(new Error('enough'));
    },
  ],
])('a run inside another that %s leaves no state behind', async (_, start) => {
  const faulty = {
    id: 'faulty',
    class: 'Faulty',
    when: 'context.factor > 90',
    on_error: 'fail',
    timeout: '1ms',
  } as const;
  const pipeline = await pipelineOf(
    {
      tier2_scorers: [
        faulty,
        { id: 'own', class: 'LaterScorer', when: 'context.factor < 90', params: { scorer: { class: 'Starter' } } },
        { id: 'sync', class: 'Starter' },
      ],
    },
    start,
  );
  const [ranking, beside] = await Promise.all([
    pipeline.rank(items, { factor: 3 }),
    pipeline.rank(items, { factor: 5 }),
  ]);
  expect(ranking.ranked.map(({ score }) => score)).toEqual([3, 3, 3]);
  expect(beside.ranked.map(({ score }) => score)).toEqual([5, 5, 5]);
  for (const { status } of (await Promise.all(failing)).flat()) expect(status).toBe('rejected');
});

test('packing, deferred scorers and late reads use the context of their own run', async () => {
  const pipeline = await pipelineOf(
    {
      candidate: { pinned: 'candidate.id == "c" && context.factor < 90' },
      tier1_scorers: [{ id: 'veto', expr: 'candidate.id == "a" && context.factor == 5' }],
      measures: [{ id: 'm', expr: 'context.factor + candidate.n' }],
      tier2_scorers: [
        { id: 'known', expr: 'candidate.n * context.factor' },
        { id: 'own', class: 'LaterScorer', params: { scorer: { class: 'Starter' } } },
      ],
      rerank: { top: 2, ask: ['own'] },
      select: {
        ties: ['-candidate.n * context.factor'],
        pack: {
          cost: 'measures.m',
          budget: 1000,
          class: 'LaterPack',
          params: { keep: 'candidate.n != context.factor - 2' },
        },
      },
    },
    started,
  );
  const more: readonly Item[] = [...items, { id: 'd', n: 4 }, { id: 'e', n: 5 }];
  const runs = await Promise.all([3, 5, 6].map((factor) => pipeline.rank(more, { factor })));
  for (const [k, ranking] of runs.entries()) {
    const factor = [3, 5, 6][k]!;
    expect(ranking.degraded).toEqual([]);
    expect(ranking.refused.map(({ id, reason }) => [id, reason])).toEqual(
      factor === 5 ? [['a', 'candidate.id == "a" && context.factor == 5']] : [],
    );
    expect(ranking.ranked.map(({ id, score }) => [id, score])).toEqual([
      ['e', (5 * factor + factor) / 2],
      ['d', (4 * factor + factor) / 2],
    ]);
    expect(explanationParts(ranking.explain('e')).scorers.map(({ value }) => value)).toEqual([5 * factor, factor]);
    expect(ranking.selected.map(({ id, cost }) => [id, cost])).toEqual([
      ['c', factor + 3],
      ['e', factor + 5],
      ...(factor === 6 ? [] : [['d', factor + 4]]),
    ]);
  }
});
