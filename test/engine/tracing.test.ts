import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput, rankFile, type TraceMessages } from 'assize';
import { defineScorer, type Run, type Score, z } from 'assize/sdk';
import { chatServer, saysJson } from '../services/language-model/chat-server.js';
import { temporaryFolder } from '../temporary-folder.js';

type Kind = keyof TraceMessages;
const KINDS: readonly Kind[] = ['run', 'stage', 'prepare', 'model'];
const EVENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

interface Seen {
  readonly kind: Kind;
  readonly event: (typeof EVENTS)[number];
  readonly message: TraceMessages[Kind];
}

/** Everything that is published from here on, in order. */
function listen(kinds: readonly Kind[] = KINDS): Seen[] {
  const seen: Seen[] = [];
  for (const kind of kinds) {
    const channel = tracingChannel<unknown, TraceMessages[Kind]>(`assize:${kind}`);
    const subscribers = Object.fromEntries(
      EVENTS.map((event) => [event, (message: TraceMessages[Kind]) => void seen.push({ kind, event, message })]),
    ) as Record<(typeof EVENTS)[number], (message: TraceMessages[Kind]) => void>;
    channel.subscribe(subscribers);
    stops.push(() => channel.unsubscribe(subscribers));
  }
  return seen;
}

const nameOf = (kind: Kind, message: TraceMessages[Kind]): string => {
  if ('call' in message) return message.call;
  if ('entry' in message) return `${kind} ${message.entry}`;
  return 'stage' in message ? message.stage : message.model;
};

/** Each event as a phrase: `veto start`. */
const lines = (seen: readonly Seen[]): string[] =>
  seen.map(({ kind, event, message }) => `${nameOf(kind, message)} ${event}`);

/** The messages of ended operations, as they are at that time. */
const ended = <K extends Kind>(seen: readonly Seen[], kind: K): TraceMessages[K][] =>
  seen
    .filter((one) => one.kind === kind && (one.event === 'asyncEnd' || (one.event === 'end' && !one.message.async)))
    .map(({ message }) => message as TraceMessages[K]);

class WaitingScorer {
  static readonly meta = defineScorer({
    summary: 'Waits.',
    params: z.strictObject({ fails: z.boolean().default(false) }),
  });
  async prepare({ fails }: { fails: boolean }, run: Run<{ n: number }>): Promise<Score<{ n: number }>> {
    await wait(1);
    if (fails) throw new Error('it is down');
    const numbers = run.candidates.map(({ n }) => n);
    return (_, index) => numbers[index];
  }
}

class BatchScorer {
  static readonly meta = defineScorer({ summary: 'Needs no wait.', params: z.strictObject({}) });
  prepare(_: object, run: Run<{ n: number }>): Score<{ n: number }> {
    const numbers = run.candidates.map(({ n }) => n);
    return (_candidate, index) => numbers[index];
  }
}

const units = { WaitingScorer, BatchScorer };
const candidates = [{ n: 1 }, { n: 2 }, { n: 3 }];
const fused: ProfileInput = {
  name: 'fused',
  tier1_scorers: [{ id: 'small', expr: 'candidate.n < 2' }],
  tier2_scorers: [{ id: 'n', expr: 'candidate.n' }],
};
const staged: ProfileInput = {
  ...fused,
  name: 'staged',
  measures: [{ id: 'twice', expr: 'candidate.n * 2' }],
  tier2_scorers: [{ id: 'batch', class: 'BatchScorer' }],
  adjustments: [{ id: 'more', add: '1' }],
};

describe('published messages', () => {
  test('of a fused run: one stage for the whole loop', async () => {
    const pipeline = await createPipeline(fused);
    const seen = listen();
    pipeline.rankSync(candidates);
    expect(lines(seen)).toEqual([
      'rankSync start',
      'fused start',
      'fused end',
      'select start',
      'select end',
      'rankSync end',
    ]);
    expect(ended(seen, 'run')).toEqual([
      { profile: 'fused', call: 'rankSync', candidates: 3, refused: 1, pruned: 0, degraded: [] },
    ]);
    expect(ended(seen, 'stage')[0]).toEqual({
      profile: 'fused',
      stage: 'fused',
      stages: ['veto', 'score', 'combine'],
      candidates: 3,
    });
  });

  test('of a staged run: each stage that the profile uses, and its prepared entries', async () => {
    const pipeline = await createPipeline(staged, { units });
    const seen = listen();
    pipeline.rankSync(candidates);
    expect(lines(seen).filter((line) => line.endsWith('start'))).toEqual(
      ['rankSync', 'veto', 'measure', 'score', 'prepare batch', 'adjust', 'select'].map((name) => `${name} start`),
    );
    expect(ended(seen, 'prepare')).toEqual([{ profile: 'staged', stage: 'score', entry: 'batch', candidates: 2 }]);
    expect(ended(seen, 'stage').map(({ stage, candidates: n }) => [stage, n])).toEqual([
      ['veto', 3],
      ['measure', 2],
      ['score', 2],
      ['adjust', 2],
      ['select', 2],
    ]);
  });

  test('of work that waits: end after the first step, asyncEnd after the last', async () => {
    const waiting = { ...staged, tier2_scorers: [{ id: 'slow', class: 'WaitingScorer' }] };
    const pipeline = await createPipeline(waiting, { units });
    const seen = listen(['run', 'prepare']);
    const ranking = pipeline.rank(candidates);
    expect(lines(seen)).toEqual(['rank start', 'prepare slow start', 'prepare slow end', 'rank end']);
    expect(seen.at(-1)?.message).toMatchObject({ async: true });
    expect(seen.at(-1)?.message).not.toHaveProperty('candidates');
    await ranking;
    expect(lines(seen).slice(4)).toEqual([
      'prepare slow asyncStart',
      'prepare slow asyncEnd',
      'rank asyncStart',
      'rank asyncEnd',
    ]);
  });

  test('of an entry that fails: its error, even if its rule continues without it', async () => {
    const slow = { id: 'slow', class: 'WaitingScorer', params: { fails: true }, on_error: 0.5 as const };
    const pipeline = await createPipeline({ ...staged, tier2_scorers: [slow] }, { units });
    const seen = listen();
    await pipeline.rank(candidates);
    expect(ended(seen, 'prepare')).toMatchObject([{ entry: 'slow', error: new Error('it is down') }]);
    expect(ended(seen, 'run')).toMatchObject([{ degraded: [{ entry: 'slow', stage: 'score', count: 2 }] }]);
    expect(ended(seen, 'run')[0]).not.toHaveProperty('error');
  });

  test('of a run that fails: the error that the caller gets, at each level', async () => {
    const slow = { id: 'slow', class: 'WaitingScorer', params: { fails: true } };
    const pipeline = await createPipeline({ ...staged, tier2_scorers: [slow] }, { units });
    const seen = listen();
    const thrown: unknown = await pipeline.rank(candidates).catch((error: unknown) => error);
    expect(ended(seen, 'run')[0]?.error).toBe(thrown);
    expect(lines(seen).filter((line) => line.endsWith('error'))).toEqual([
      'prepare slow error',
      'score error',
      'rank error',
    ]);
  });

  test('of a synchronous call that would wait, and of an invalid call', async () => {
    class MaybeScorer {
      static readonly meta = defineScorer({ summary: 'Waits.', params: z.strictObject({}) });
      prepare(): Promise<Score<unknown>> {
        return Promise.resolve(() => 1);
      }
    }
    const pipeline = await createPipeline(
      { tier2_scorers: [{ id: 'maybe', class: 'MaybeScorer' }] },
      { units: { MaybeScorer } },
    );
    const seen = listen();
    expect(() => pipeline.rankSync(candidates)).toThrow('rankSync');
    expect(() => pipeline.rankSync('nothing' as unknown as object[])).toThrow('the candidates are');
    const starts = lines(seen).filter((line) => line.endsWith('start')).length;
    expect(lines(seen).filter((line) => / (?:end|asyncEnd)$/.test(line)).length).toBeGreaterThanOrEqual(starts);
    expect(ended(seen, 'run').map(({ error }) => error instanceof Error)).toEqual([true, true]);
  });
});

describe('publishing methods', () => {
  const profile: ProfileInput = { ...fused, name: 'who', select: { top: 2 } };
  const calls = async (work: (pipeline: Awaited<ReturnType<typeof createPipeline>>) => unknown): Promise<unknown[]> => {
    const pipeline = await createPipeline(profile);
    const seen = listen(['run']);
    await work(pipeline);
    return ended(seen, 'run').map(({ call, candidates: n, refused }) => [call, n, refused]);
  };

  test('rank, score and their synchronous forms, what-if', async () => {
    expect(await calls((pipeline) => pipeline.rank(candidates))).toEqual([['rank', 3, 1]]);
    expect(await calls((pipeline) => pipeline.score(candidates[0]))).toEqual([['score', 1, 1]]);
    expect(await calls((pipeline) => pipeline.scoreSync(candidates[1]))).toEqual([['scoreSync', 1, 0]]);
    const changed = { weights: { n: 2 } };
    expect(await calls(async (pipeline) => (await pipeline.rank(candidates)).whatIf(changed))).toEqual([
      ['rank', 3, 1],
      ['whatIf', 3, 1],
    ]);
  });

  test('pack, as a ranking with a budget', async () => {
    const packing = {
      ...profile,
      plugins: ['cupel'],
      select: { pack: { cost: 'candidate.n', budget: 3, class: 'GreedyPack' } },
    };
    const pipeline = await createPipeline(packing);
    const seen = listen(['run']);
    await pipeline.pack(candidates, 2);
    expect(ended(seen, 'run').map(({ call }) => call)).toEqual(['rank']);
  });

  test('streams, once for the whole', async () => {
    expect(await calls((pipeline) => pipeline.rankStream(candidates))).toEqual([['rankStream', 3, 1]]);
    const read = async (pipeline: Awaited<ReturnType<typeof createPipeline>>): Promise<void> => {
      for await (const row of pipeline.scoreStream(candidates)) expect(row.index).toBeLessThan(3);
    };
    expect(await calls(read)).toEqual([['scoreStream', 3, 1]]);
    const stop = async (pipeline: Awaited<ReturnType<typeof createPipeline>>): Promise<void> => {
      for await (const row of pipeline.scoreStream(candidates)) if (row.index === 0) break;
    };
    expect(await calls(stop)).toEqual([['scoreStream', 3, 1]]);
  });

  test('files, with the stages of each chunk in this thread', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'n.jsonl');
    writeFileSync(file, candidates.map((one) => JSON.stringify(one)).join('\n'));
    const seen = listen(['run', 'stage']);
    await rankFile(profile, file, {}, { workers: 1 });
    const [first, ...others] = lines(seen).filter((line) => line.endsWith('start'));
    expect([first, others.at(-1)]).toEqual(['rankFile start', 'select start']);
    expect(new Set(others)).toEqual(new Set(['fused start', 'select start']));
    expect(ended(seen, 'run')).toMatchObject([{ call: 'rankFile', candidates: 3, refused: 1 }]);
  });

  test('calls of a language model and of an embedder', async () => {
    const server = await chatServer(saysJson({}));
    stops.push(() => void server.close());
    const { LANGUAGE_MODELS, EMBEDDERS } = await import('assize/sdk');
    type Models = import('assize/sdk').LanguageModels;
    type Embedders = import('assize/sdk').Embedders;
    class ModelScorer {
      static readonly meta = defineScorer({ summary: 'Asks.', params: z.strictObject({}) });
      static readonly inject = [LANGUAGE_MODELS, EMBEDDERS];
      constructor(
        private readonly models: Models,
        private readonly embedders: Embedders,
      ) {}
      async prepare(): Promise<Score<unknown>> {
        await this.embedders
          .open({ name: 'lexical' })
          .embed(['a text of this test alone', 'a text of this test alone']);
        const question = { instructions: '', material: '', answer: { name: 'a', schema: {} }, maxTokens: 9 };
        await this.models.open({ name: 'tiny', baseUrl: server.url }).ask(question);
        return () => 1;
      }
    }
    const pipeline = await createPipeline(
      { tier2_scorers: [{ id: 'asks', class: 'ModelScorer' }] },
      { units: { ModelScorer } },
    );
    const seen = listen(['model', 'prepare']);
    await pipeline.rank(candidates);
    expect(ended(seen, 'model')).toEqual([
      { kind: 'embeddings', model: 'lexical:512', texts: 1 },
      { kind: 'chat', model: 'tiny', async: true, answeredBy: 'tiny-1', tokens: 900 },
    ]);
  });
});

const counts = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.map((name) => [name, names.filter((other) => other === name).length]));

describe('the asynchronous context', () => {
  test('of a run is created at its start and kept in every step, also for two concurrent runs', async () => {
    const store = new AsyncLocalStorage<{ readonly name: string }>();
    const bind = (kind: Kind): void => {
      const { start } = tracingChannel<unknown, TraceMessages[Kind]>(`assize:${kind}`);
      start.bindStore(store, (message) => ({ name: `${store.getStore()?.name ?? ''}/${nameOf(kind, message)}` }));
      stops.push(() => void start.unbindStore(store));
    };
    bind('run');
    bind('stage');
    bind('prepare');
    const seen: string[] = [];
    class StoreScorer {
      static readonly meta = defineScorer({ summary: 'Sees.', params: z.strictObject({}) });
      async prepare(): Promise<Score<unknown>> {
        seen.push(store.getStore()?.name ?? 'none');
        await wait(1);
        seen.push(store.getStore()?.name ?? 'none');
        return () => 1;
      }
    }
    const scorers = ['a', 'b'].map((id) => ({ id, class: 'StoreScorer' }));
    const pipeline = await createPipeline(
      { measures: [{ id: 'm', class: 'StoreScorer' }], tier2_scorers: scorers },
      { units: { StoreScorer } },
    );
    await Promise.all([
      store.run({ name: 'one' }, () => pipeline.rank(candidates)),
      store.run({ name: 'two' }, () => pipeline.score(candidates[0]!, {}, { among: candidates })),
    ]);
    const of = (caller: string, call: string): string[] =>
      ['measure/prepare m', 'score/prepare a', 'score/prepare b'].map((rest) => `${caller}/${call}/${rest}`);
    const expected = [...of('one', 'rank'), ...of('two', 'score')].flatMap((name) => [name, name]);
    expect(counts(seen)).toEqual(counts(expected));
    expect(store.getStore()).toBeUndefined();
  });
});

test('the result is the same with and without subscribers', async () => {
  const pipeline = await createPipeline(staged, { units });
  const plain = pipeline.rankSync(candidates).toJSON();
  listen();
  expect(pipeline.rankSync(candidates).toJSON()).toEqual(plain);
});

test('without subscribers nothing is published, and a kind without subscribers creates no message', async () => {
  const pipeline = await createPipeline(staged, { units });
  const seen = listen(['stage']);
  await pipeline.rank(candidates);
  expect(new Set(seen.map(({ kind }) => kind))).toEqual(new Set(['stage']));
});
