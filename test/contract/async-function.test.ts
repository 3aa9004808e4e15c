import { getEventListeners } from 'node:events';
import * as fc from 'fast-check';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { AssizeError, createPipeline, type ProfileInput, scorer, veto, explanationParts } from 'assize';

interface Page {
  readonly id: string;
  readonly text: string;
}

const pages = (count: number): Page[] => Array.from({ length: count }, (_, k) => ({ id: `p${k}`, text: `t${k}` }));
const profile: ProfileInput = { tier2_scorers: [{ id: 'review', class: 'Review', on_error: 0.25, on_absent: 0.5 }] };
const never = (): Promise<number> => new Promise(() => {});

const scoresOf = (ranking: { readonly ranked: readonly { readonly id: string; readonly score: number }[] }) =>
  Object.fromEntries(ranking.ranked.map(({ id, score }) => [id, score]));

afterEach(() => void vi.useRealTimers());

describe('scorer(async …)', () => {
  test('is called once per run and candidate, and fails row by row', async () => {
    let calls = 0;
    const Review = scorer(async ({ text }: Page) => {
      calls += 1;
      await new Promise((done) => void setTimeout(done, 1));
      if (text === 't1') throw new Error('the reviewer is ill');
      return text === 't2' ? undefined : 1;
    });
    const ranking = await (await createPipeline<Page>(profile, { units: { Review } })).rank(pages(4));
    expect(scoresOf(ranking)).toEqual({ p0: 1, p1: 0.25, p2: 0.5, p3: 1 });
    expect(ranking.degraded).toMatchObject([{ entry: 'review', count: 1, cause: 'the reviewer is ill' }]);
    expect(explanationParts(ranking.explain('p1')).scorers[0]).toMatchObject({
      state: 'failed',
      error: 'the reviewer is ill',
    });
    expect(explanationParts(ranking.explain('p0')).scorers[0]).toMatchObject({ state: 'scored', raw: 1 });
    expect(calls).toBe(4); // explaining calls nothing again
  });

  test('runs at most concurrency calls at once, one per candidate, in any order of answers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(3), { maxLength: 30 }),
        fc.integer({ min: 1, max: 6 }),
        async (waits, concurrency) => {
          let now = 0;
          let most = 0;
          const asked: number[] = [];
          const Review = scorer(
            async (_page: Page, { index }) => {
              asked.push(index);
              now += 1;
              most = Math.max(most, now);
              for (let k = 0; k <= waits[index]!; k++) await Promise.resolve();
              now -= 1;
              return index / 100;
            },
            { concurrency },
          );
          const given = pages(waits.length);
          const ranking = await (await createPipeline<Page>(profile, { units: { Review } })).rank(given);
          expect(scoresOf(ranking)).toEqual(Object.fromEntries(given.map(({ id }, k) => [id, k / 100])));
          expect(asked.toSorted((a, b) => a - b)).toEqual(given.map((_, k) => k));
          expect(most).toBe(Math.min(concurrency, given.length));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('a call that never settles fails its candidate after the timeout, and its signal is aborted', async () => {
    vi.useFakeTimers();
    const told: unknown[] = [];
    const Review = scorer(
      ({ text }: Page, { signal }) => {
        signal.addEventListener('abort', () => told.push([text, (signal.reason as Error).message]));
        return text === 't1' ? never() : Promise.resolve(1);
      },
      { timeout: 2000, concurrency: 1 },
    );
    const run = (await createPipeline<Page>(profile, { units: { Review } })).rank(pages(3));
    await vi.advanceTimersByTimeAsync(2000);
    const ranking = await run;
    expect(scoresOf(ranking)).toEqual({ p0: 1, p1: 0.25, p2: 1 });
    expect(ranking.degraded).toMatchObject([{ cause: 'no answer within 2000 ms' }]);
    expect(told).toEqual([['t1', 'no answer within 2000 ms']]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('without its own timeout a call has thirty seconds', async () => {
    vi.useFakeTimers();
    const Review = scorer(async () => never());
    const run = (await createPipeline<Page>(profile, { units: { Review } })).rank(pages(9));
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await run).degraded).toMatchObject([{ count: 9, cause: 'no answer within 30000 ms' }]);
  });

  test('the timeout of the entry keeps the answers that have arrived, and the others follow on_error', async () => {
    vi.useFakeTimers();
    const entry = { id: 'review', class: 'Review', on_error: 0.25, timeout: '1s' } as const;
    let arrive: (answer: number) => void = () => {};
    const Review = scorer(async ({ text }: Page) => {
      if (text === 't0') return 1;
      return new Promise<number>((done) => void (arrive = done));
    });
    const run = (await createPipeline<Page>({ tier2_scorers: [entry] }, { units: { Review } })).rank(pages(2));
    await vi.advanceTimersByTimeAsync(1000);
    const ranking = await run;
    expect(scoresOf(ranking)).toEqual({ p0: 1, p1: 0.25 });
    expect(ranking.degraded).toMatchObject([{ stage: 'score', count: 1, cause: expect.stringContaining('1000 ms') }]);
    arrive(0.9); // too late: the ranking must not change
    await vi.advanceTimersByTimeAsync(10);
    expect(ranking.terms('p1')?.scores).toEqual({ review: 0.25 });
    expect(explanationParts(ranking.explain('p1')).scorers[0]).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('1000 ms'),
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('without any answer the timeout fails the entry for every candidate, and counts each', async () => {
    vi.useFakeTimers();
    const entry = { id: 'review', class: 'Review', on_error: 0.25, timeout: '1s' } as const;
    const run = (
      await createPipeline<Page>({ tier2_scorers: [entry] }, { units: { Review: scorer(async () => never()) } })
    ).rank(pages(3));
    await vi.advanceTimersByTimeAsync(1000);
    const ranking = await run;
    expect(scoresOf(ranking)).toEqual({ p0: 0.25, p1: 0.25, p2: 0.25 });
    expect(ranking.degraded).toMatchObject([{ stage: 'score', count: 3, cause: expect.stringContaining('1000 ms') }]);
  });

  test('a scorer without on_error fails the run at its timeout, like every failure to prepare', async () => {
    vi.useFakeTimers();
    const entry = { id: 'review', class: 'Review', timeout: '1s' } as const;
    const Review = scorer(async ({ text }: Page) => (text === 't0' ? 1 : never()));
    const run = (await createPipeline<Page>({ tier2_scorers: [entry] }, { units: { Review } })).rank(pages(2));
    const failed = run.catch((error: unknown) => String(error));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await failed).toContain('1000 ms');
  });

  test.each(['pass', 'refuse'] as const)('a veto that timed out keeps its refusals with on_error: %s', async (rule) => {
    vi.useFakeTimers();
    const Judge = veto(async ({ text }: Page) => (text === 't2' ? new Promise<boolean>(() => {}) : text === 't1'));
    const entry = { id: 'judge', class: 'Judge', timeout: '300ms', on_error: rule } as const;
    const vetoed: ProfileInput = { tier1_scorers: [entry], tier2_scorers: [{ id: 'same', expr: '1' }] };
    const run = (await createPipeline<Page>(vetoed, { units: { Judge } })).rank(pages(3));
    await vi.advanceTimersByTimeAsync(300);
    const { selected, refused, degraded } = await run;
    expect(selected.map(({ id }) => id)).toEqual(rule === 'pass' ? ['p0', 'p2'] : ['p0']);
    expect(refused.map(({ id, kind }) => [id, kind])).toEqual([
      ['p1', 'veto'],
      ...(rule === 'refuse' ? [['p2', 'error']] : []),
    ]);
    expect(degraded).toMatchObject([{ entry: 'judge', stage: 'veto', count: 1 }]);
  });

  test('a measure, a scorer of the second phase and a stream also keep what arrived', async () => {
    vi.useFakeTimers();
    const Slow = scorer(async ({ text }: Page) => (text === 't1' ? never() : 0.5), { range: [0, 1] });
    const slow = { id: 'slow', class: 'Slow', timeout: '1s' } as const;
    const units = { Slow };
    const after = async <R>(run: Promise<R>): Promise<R> => {
      await vi.advanceTimersByTimeAsync(5000);
      return run;
    };
    const measured = await createPipeline<Page>(
      { measures: [slow], tier2_scorers: [{ id: 'read', expr: 'measures.slow', on_absent: 0 }] },
      { units },
    );
    expect(scoresOf(await after(measured.rank(pages(3))))).toEqual({ p0: 0.5, p1: 0, p2: 0.5 });
    const deferred = await createPipeline<Page>(
      {
        tier2_scorers: [
          { id: 'one', expr: '1' },
          { ...slow, on_error: 0 },
        ],
        combine: 'weighted_sum',
        select: { top: 2 },
      },
      { units },
    );
    const ranking = await after(deferred.rank(pages(4)));
    expect(ranking.selected.map(({ id, score }) => [id, score])).toEqual([
      ['p0', 1.5],
      ['p2', 1.5],
    ]);
    const stream = await after(deferred.rankStream(pages(4)));
    expect(stream.selected.map(({ id, score }) => [id, score])).toEqual([
      ['p0', 1.5],
      ['p2', 1.5],
    ]);
    expect(stream.degraded).toMatchObject([{ entry: 'slow', count: 1 }]);
  });

  test('a call that aborts the run and then throws synchronously ends the run without an unhandled rejection', async () => {
    const unheard: unknown[] = [];
    const hear = (reason: unknown): void => void unheard.push(reason);
    process.on('unhandledRejection', hear);
    onTestFinished(() => void process.off('unhandledRejection', hear));
    const abort = new AbortController();
    const ask = (_page: Page): Promise<number> => {
      abort.abort(new Error('enough'));
      throw new Error('too much');
    };
    const pipeline = await createPipeline<Page>(profile, { units: { Review: scorer(ask, { concurrency: 1 }) } });
    await expect(pipeline.rank(pages(3), {}, { signal: abort.signal })).rejects.toThrow('enough');
    await new Promise((done) => void setImmediate(done));
    expect(unheard).toEqual([]);
  });

  test('an entry may have a longer timeout than a timer supports', async () => {
    const Review = scorer(async () => new Promise<number>((done) => void setTimeout(done, 5, 1)));
    const patient: ProfileInput = { tier2_scorers: [{ id: 'review', class: 'Review', timeout: '30d' }] };
    const ranking = await (await createPipeline<Page>(patient, { units: { Review } })).rank(pages(1));
    expect([scoresOf(ranking), ranking.degraded]).toEqual([{ p0: 1 }, []]);
  });

  test('the caller’s abort ends the run and every call, starts no further call, and leaves no listener', async () => {
    const abort = new AbortController();
    const told: unknown[] = [];
    let calls = 0;
    const Review = scorer(
      async (_page: Page, { signal }) => {
        calls += 1;
        signal.addEventListener('abort', () => told.push(signal.reason));
        if (calls === 20) queueMicrotask(() => abort.abort(new Error('enough')));
        return never();
      },
      { concurrency: 20 },
    );
    const pipeline = await createPipeline<Page>(profile, { units: { Review } });
    await expect(pipeline.rank(pages(100), {}, { signal: abort.signal })).rejects.toThrow('enough');
    expect(calls).toBe(20);
    expect(told).toEqual(Array.from({ length: 20 }, () => new Error('enough')));
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
  });

  test('the same holds for a veto', async () => {
    const Banned = veto(async ({ text }: Page) => text === 't1');
    const vetoed: ProfileInput = { tier1_scorers: [{ id: 'banned', class: 'Banned' }] };
    const { refused } = await (await createPipeline<Page>(vetoed, { units: { Banned } })).rank(pages(3));
    expect(refused.map(({ id, by, kind }) => [id, by, kind])).toEqual([['p1', 'banned', 'veto']]);
  });

  test('with a range, is called only for candidates that can still be selected', async () => {
    let calls = 0;
    const Review = scorer(
      async () => {
        calls += 1;
        return 0.5;
      },
      { range: [0, 1] },
    );
    const pruned: ProfileInput = {
      tier2_scorers: [
        { id: 'known', expr: 'candidate.known', weight: 3 },
        { id: 'review', class: 'Review' },
      ],
      select: { top: 2 },
    };
    const rows = Array.from({ length: 500 }, (_, k) => ({ id: `r${k}`, known: k / 500 }));
    const { selected } = await (await createPipeline(pruned, { units: { Review } })).rank(rows);
    expect(selected.map(({ id }) => id)).toEqual(['r499', 'r498']);
    expect(calls).toBeLessThan(500);
  });

  test.each([
    [Number.NaN, 'NaN'],
    [Infinity, 'Infinity'],
    ['high', 'the string "high"'],
    [null, 'null'],
    [new Error('returned'), 'a finite number'],
  ])('checks the resolved value: %s', async (answer, said) => {
    const Review = scorer((async () => answer) as unknown as () => Promise<number>);
    const ranking = await (await createPipeline<Page>(profile, { units: { Review } })).rank(pages(1));
    expect(ranking.ranked[0]?.score).toBe(0.25);
    expect(ranking.degraded[0]?.cause).toContain(said);
  });

  test('a function that throws synchronously, or rejects with any value, fails its candidate', async () => {
    for (const thrown of [new Error('at once'), 'a text', undefined, null]) {
      const ask = (): Promise<number> => {
        throw thrown;
      };
      const Review = scorer(ask, { timeout: 100 });
      const ranking = await (await createPipeline<Page>(profile, { units: { Review } })).rank(pages(2));
      expect(ranking.degraded).toMatchObject([{ count: 2 }]);
    }
  });

  test('is an error in a synchronous call, which names the entry', async () => {
    const Review = scorer(async () => 1);
    const pipeline = await createPipeline<Page>(profile, { units: { Review } });
    expect(() => pipeline.rankSync(pages(1))).toThrow(AssizeError);
    expect(() => pipeline.rankSync(pages(1))).toThrow('review');
  });

  test.each([
    [{ concurrency: 0 }, 'concurrency: expected a whole number from 1, found 0'],
    [{ concurrency: 1.5 }, 'concurrency: expected a whole number from 1, found 1.5'],
    [{ timeout: 0 }, 'timeout: expected milliseconds above 0, at most 2147483647, found 0'],
    [{ timeout: Number.NaN }, 'timeout: expected milliseconds above 0, at most 2147483647, found NaN'],
    [{ timeout: '2s' }, 'timeout: expected milliseconds above 0, at most 2147483647, found 2s'],
  ])('%j is not an option', (options, message) => {
    expect(() => scorer(async () => 1, options as object)).toThrow(new RangeError(message));
  });

  test('a plain function that returns promises gets a hint', async () => {
    const Review = scorer((() => Promise.reject(new Error('unheard'))) as unknown as () => number);
    const ranking = await (await createPipeline<Page>(profile, { units: { Review } })).rank(pages(1));
    expect(ranking.degraded[0]?.cause).toMatchInlineSnapshot(
      `"expected a finite number as the score, found a promise: scores are synchronous; wait in prepare, or use scorer(async …)"`,
    );
  });
});
