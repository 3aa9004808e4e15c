import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { AssizeError, createPipeline, type ProfileInput } from 'assize';
import { temporaryFolder } from '../temporary-folder.js';
import { defineScorer, defineSignal, type Run, type Score, z } from 'assize/sdk';

interface Repo {
  readonly id?: string;
  readonly stars?: number;
  readonly archived?: boolean;
  readonly keep?: boolean;
}

const none = z.strictObject({});

const profile: ProfileInput = {
  name: 'repos',
  candidate: { pinned: 'candidate.?keep.orValue(false)' },
  tier1_scorers: [{ id: 'archived', expr: 'candidate.?archived.orValue(false)' }],
  measures: [{ id: 'half', expr: 'candidate.stars / 2' }],
  tier2_scorers: [
    { id: 'stars', expr: 'candidate.stars / 10', on_absent: 'refuse' },
    { id: 'halves', expr: 'measures.half', when: 'context.mode == "both"' },
    { id: 'rare', expr: 'candidate.rare' },
  ],
  adjustments: [{ id: 'seven', when: 'candidate.stars == 7', add: 1 }],
};

const repos = (count: number): Repo[] =>
  Array.from({ length: count }, (_, i) => ({
    ...(i % 3 !== 0 && { id: `repo-${i}` }),
    ...(i % 5 !== 4 && { stars: i % 11 }),
    archived: i % 7 === 6,
    keep: i % 13 === 12,
    ...(i % 17 === 0 && { rare: 1 }),
  }));

async function* later<T>(items: readonly T[], waits: (i: number) => boolean = () => false): AsyncGenerator<T> {
  for (const [i, item] of items.entries()) {
    if (waits(i)) await tick();
    yield item;
  }
}

const all = async <R>(rows: AsyncIterable<R>): Promise<R[]> => {
  const read: R[] = [];
  for await (const row of rows) read.push(row);
  return read;
};

describe('scoreStream', () => {
  test.each<[string, ProfileInput, object]>([
    ['one expression a scorer', { tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] }, {}],
    ['rules, measures, vetoes and pins', profile, { mode: 'both' }],
    ['every reason', { ...profile, veto_on_first: false }, { mode: 'one' }],
  ])('has the rows of a ranking, in the order of the input: %s', async (_, written, context) => {
    const pipeline = await createPipeline<Repo>(written);
    const candidates = repos(2500);
    const { ranked, refused, selected } = await pipeline.rank(candidates, { ...context, now: 0 });
    const expected = [
      ...ranked.map(({ rank: _rank, ...row }) => row),
      ...refused,
      ...selected.filter(({ because }) => because).map(({ rank: _rank, ...row }) => row),
    ].toSorted((a, b) => a.index - b.index);
    const plain = (rows: readonly object[]): unknown => JSON.parse(JSON.stringify(rows));
    const sources = [candidates, later(candidates), later(candidates, (i) => i % 700 === 3)];
    for (const source of sources) {
      const rows = await all(pipeline.scoreStream(source, { ...context, now: 0 }));
      expect(plain(rows)).toEqual(plain(expected));
    }
  });

  test('has the parts of each score if requested', async () => {
    const pipeline = await createPipeline<Repo>(profile);
    const candidates = repos(2500);
    const context = { mode: 'both', now: 0 };
    const ranking = await pipeline.rank(candidates, context);
    const rows = await all(pipeline.scoreStream(later(candidates), context, { terms: true }));
    expect(ranking.ranked.length).toBeGreaterThan(1000);
    for (const { index } of ranking.ranked) expect(rows[index]).toMatchObject(ranking.terms({ index }) ?? {});
    const [refused] = ranking.refused;
    expect(rows[refused?.index ?? -1]).not.toHaveProperty('scores');
  });

  test('is one run: a signal is computed once, and all candidates have the same time', async () => {
    let asked = 0;
    class Asked {
      static readonly meta = defineSignal({ summary: 'Counts.', params: none });
      prepare(): number {
        return ++asked;
      }
    }
    const pipeline = await createPipeline<object>(
      {
        signals: [{ id: 'asked', class: 'Asked' }],
        tier2_scorers: [{ id: 'asked_now', expr: 'signals.asked + now' }],
      },
      { units: { Asked } },
    );
    const rows = await all(pipeline.scoreStream(repos(3000)));
    expect(asked).toBe(1);
    expect(new Set(rows.map((row) => ('score' in row ? row.score : undefined))).size).toBe(1);
  });

  test('lists an entry that cannot be prepared once, with the count over all parts', async () => {
    class Broken {
      static readonly meta = defineScorer({ summary: 'Breaks.', params: none, scope: 'candidate' });
      prepare(_params: object, { candidates }: Run<Repo>): Score<Repo> {
        if (candidates.length > 0) throw new Error('the model is gone');
        return () => 1;
      }
    }
    const written: ProfileInput = {
      tier2_scorers: [{ id: 'broken', class: 'Broken', on_error: 0.5 }],
    };
    const pipeline = await createPipeline<Repo>(written, { units: { Broken } });
    const stream = pipeline.scoreStream(repos(5000));
    expect((await all(stream)).length).toBe(5000);
    expect(stream.degraded).toEqual([
      { entry: 'broken', stage: 'score', cause: 'the model is gone', count: 5000, instead: 0.5 },
    ]);
  });

  test('prepares units of scope candidate part by part', async () => {
    const sizes: number[] = [];
    class Prepared {
      static readonly meta = defineScorer({ summary: 'Prepares.', scope: 'candidate', params: none });
      prepare(_params: object, { candidates }: Run<Repo>): Score<Repo> {
        sizes.push(candidates.length);
        return (candidate, index) => Number(candidates[index] === candidate);
      }
    }
    const pipeline = await createPipeline<Repo>(
      { tier2_scorers: [{ id: 'prepared', class: 'Prepared' }] },
      { units: { Prepared } },
    );
    const rows = await all(pipeline.scoreStream(repos(2500)));
    expect(sizes.reduce((sum, size) => sum + size)).toBe(2500);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1024);
    expect(rows.every((row) => 'score' in row && row.score === 1)).toBe(true);
  });

  test('reads no faster than its rows are consumed', async () => {
    let read = 0;
    let closed = false;
    async function* endless(): AsyncGenerator<Repo> {
      try {
        for (;;) yield { stars: read++ };
      } finally {
        closed = true;
      }
    }
    const pipeline = await createPipeline<Repo>({ tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] });
    let taken = 0;
    for await (const row of pipeline.scoreStream(endless())) {
      expect(row.index).toBe(taken++);
      expect(read - taken).toBeLessThanOrEqual(1025);
      if (taken === 5000) break;
    }
    await tick();
    expect(closed).toBe(true);
  });

  test('returns available rows before it waits for more', async () => {
    const pipeline = await createPipeline<Repo>({ tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] });
    let more = (): void => {};
    async function* slow(): AsyncGenerator<Repo> {
      yield { stars: 1 };
      yield { stars: 2 };
      await new Promise<void>((resolve) => {
        more = resolve;
      });
      yield { stars: 3 };
    }
    const rows = pipeline.scoreStream(slow())[Symbol.asyncIterator]();
    expect((await rows.next()).value).toMatchObject({ score: 1 });
    expect((await rows.next()).value).toMatchObject({ score: 2 });
    more();
    expect((await rows.next()).value).toMatchObject({ score: 3 });
    expect((await rows.next()).done).toBe(true);
  });

  test.each([0, 3])(
    'fails if its source fails, after the rows of earlier candidates: %d ticks later',
    async (ticks) => {
      const pipeline = await createPipeline<Repo>({ tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] });
      async function* broken(): AsyncGenerator<Repo> {
        yield { stars: 1 };
        yield { stars: 2 };
        for (let i = 0; i < ticks; i++) await tick();
        throw new Error('the disk is gone');
      }
      const scores: unknown[] = [];
      const reading = async (): Promise<void> => {
        for await (const row of pipeline.scoreStream(broken())) scores.push('score' in row && row.score);
      };
      await expect(reading()).rejects.toThrow('the disk is gone');
      expect(scores).toEqual([1, 2]);
    },
  );

  test('stops on abort, also while it waits', async () => {
    const pipeline = await createPipeline<Repo>({ tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] });
    const controller = new AbortController();
    async function* waiting(): AsyncGenerator<Repo> {
      yield { stars: 1 };
      await new Promise(() => {});
    }
    const rows = pipeline.scoreStream(waiting(), {}, { signal: controller.signal })[Symbol.asyncIterator]();
    await rows.next();
    const next = rows.next();
    controller.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
  });

  test.each([
    ['a list', (items: readonly Repo[]) => items],
    ['a stream', (items: readonly Repo[]) => later(items)],
  ])('returns no row after an abort, even if rows are scored: %s', async (_, source) => {
    const pipeline = await createPipeline<Repo>({ tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] });
    const controller = new AbortController();
    const seen: unknown[] = [];
    const reading = async (): Promise<void> => {
      for await (const row of pipeline.scoreStream(source(repos(3000)), {}, { signal: controller.signal })) {
        seen.push(row);
        if (seen.length === 5) controller.abort(new Error('enough'));
      }
    };
    await expect(reading()).rejects.toThrow('enough');
    expect(seen).toHaveLength(5);
  });

  test('reports failures, and fields that no candidate had', async () => {
    const pipeline = await createPipeline<Repo>({
      tier2_scorers: [
        { id: 'stars', expr: 'candidate.stars' },
        { id: 'forks', expr: 'candidate.fokrs' },
        { id: 'late', expr: 'candidate.late' },
      ],
    });
    const candidates = [
      ...Array.from({ length: 1500 }, () => ({ stars: 1, forks: 2 })),
      { stars: 'many', late: 1 } as unknown as Repo,
    ];
    const stream = pipeline.scoreStream(candidates);
    expect((await all(stream)).at(-1)).toMatchObject({ id: '@1500', kind: 'error', by: 'stars' });
    expect(stream.degraded).toMatchObject([{ entry: 'stars', stage: 'score', count: 1, instead: 'refused' }]);
    expect(stream.warnings).toMatchObject([
      { code: 'ASZ712', message: 'forks: no candidate has fokrs', hint: 'did you mean forks?' },
    ]);
  });

  test('names the candidate that failed the run by its position in the stream', async () => {
    const pipeline = await createPipeline<Repo>({
      tier2_scorers: [{ id: 'stars', expr: 'candidate.stars', on_error: 'fail' }],
    });
    const candidates: unknown[] = [...repos(1300).map(() => ({ stars: 1 })), { stars: 'many' }];
    await expect(all(pipeline.scoreStream(candidates as Repo[]))).rejects.toThrow('failed on @1300');
    await expect(all(pipeline.scoreStream([...repos(1), null as unknown as Repo]))).rejects.toThrow(
      'candidate 1 is null; expected an object',
    );
  });

  describe('with a memory', () => {
    const novelty = { id: 'novelty', class: 'NoveltyScorer', params: { vector: 'v' }, on_absent: 1 };
    const remembering: ProfileInput = {
      tier1_scorers: [{ id: 'same', class: 'SimilarityVeto', params: { vector: 'v', threshold: 0.999 } }],
      tier2_scorers: [novelty],
    };
    const traces = Array.from({ length: 1500 }, (_, i) => ({
      ...(i % 4 !== 0 && { id: `trace-${i % 700}` }),
      v: [Math.sin(i * i), Math.cos(i * 7), Math.sin(i / 3)],
    }));
    const scoresOf = (rows: readonly object[]): unknown => rows.map((row) => ('score' in row ? row.score : undefined));

    test('scores like one ranking, chunk by chunk, and then has the same memory', async () => {
      const [ranked, streamed] = [await createPipeline<object>(remembering), await createPipeline<object>(remembering)];
      const { ranked: rows } = await ranked.rank(traces);
      const expected = traces.map((_, i) => rows.find(({ index }) => index === i)?.score);
      expect(new Set(expected).size).toBeGreaterThan(100);
      expect(scoresOf(await all(streamed.scoreStream(later(traces))))).toEqual(expected);
      const more = traces.slice(0, 50).map(({ v }) => ({ v: v.toReversed() }));
      const next = async (pipeline: typeof ranked) => (await pipeline.rank(more)).ranked.map(({ score }) => score);
      expect(await next(streamed)).toEqual(await next(ranked));
    });

    test('does not update it if the caller does not want that', async () => {
      const pipeline = await createPipeline<object>({ tier2_scorers: [novelty] });
      const copies = Array.from({ length: 1200 }, () => ({ v: [1, 0] }));
      const scores = scoresOf(await all(pipeline.scoreStream(copies, {}, { updateMemory: false })));
      expect(scores).toEqual([1, ...Array.from({ length: 1199 }, () => 0)]);
      expect((await pipeline.rank([{ v: [1, 0] }])).ranked[0]?.score).toBe(1);
    });

    test('shares it with rankings and other streams, also in a file', async () => {
      const folder = temporaryFolder('stream-memory-');
      const written: ProfileInput = { tier2_scorers: [{ ...novelty, memory: './seen.bin' }] };
      const open = () => createPipeline<object>(written, { folder });
      const [one, two] = [await open(), await open()];
      const [first, second] = [one, two].map((pipeline, k) =>
        pipeline.scoreStream(
          later(
            traces.map(({ v }, i) => ({ id: `${k}-${i}`, v })),
            (i) => i % 100 === k,
          ),
        ),
      );
      const rows = await Promise.all([all(first!), all(second!), one.rank([{ v: [1, 0, 0] }])]);
      expect([rows[0].length, rows[1].length]).toEqual([1500, 1500]);
      // Of two equal traces, one has seen the other.
      for (let i = 0; i < traces.length; i++) {
        const both = [rows[0][i], rows[1][i]].map((row) => (row && 'score' in row ? (row.score ?? 1) : 1));
        expect(Math.min(...both)).toBeCloseTo(0, 9);
      }
    });

    test('stores the candidates of the rows that were read before an abort', async () => {
      const pipeline = await createPipeline<object>({ tier2_scorers: [novelty] });
      const controller = new AbortController();
      const rows = pipeline.scoreStream(
        later(traces, (i) => i === 10),
        {},
        { signal: controller.signal },
      );
      const reading = async (): Promise<void> => {
        for await (const { index } of rows) if (index === 9) controller.abort(new Error('enough'));
      };
      await expect(reading()).rejects.toThrow('enough');
      const [first] = traces;
      expect((await pipeline.rank([{ v: first!.v }])).ranked[0]?.score).toBeCloseTo(0, 12);
    });
  });

  test('is rejected if an entry without a memory needs all candidates', async () => {
    const pipeline = await createPipeline<Repo>({
      tier2_scorers: [
        { id: 'stars', expr: 'candidate.stars' },
        { id: 'scaled', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.stars' } } },
        { id: 'novelty', class: 'NoveltyScorer', params: { vector: 'vector' } },
      ],
    });
    expect(pipeline.needsAll).toEqual(['scaled', 'novelty']);
    expect(() => pipeline.scoreStream([])).toThrow(AssizeError);
    expect(() => pipeline.scoreStream([])).toThrow(
      'profile profile cannot score a stream: its entry scaled needs all candidates at once',
    );
  });
});
