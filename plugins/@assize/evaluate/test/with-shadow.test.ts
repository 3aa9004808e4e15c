import { expect, test } from 'vitest';
import { withShadow } from '@assize/evaluate';
import { createPipeline, type RankingDiff } from 'assize';
import { defineScorer, scorer, z } from 'assize/sdk';

interface Repo {
  readonly id: string;
  readonly stars: number;
  readonly age: number;
}

const REPOS: readonly Repo[] = [
  { id: 'compass', stars: 9, age: 1 },
  { id: 'sextant', stars: 3, age: 5 },
  { id: 'atlas', stars: 1, age: 9 },
];

const by = (expr: string) => createPipeline<Repo>({ tier2_scorers: [{ id: 'only', expr }] });

/** A pipeline of one scorer that calls this before it scores. */
const asking = (prepare: () => Promise<void>) => {
  class Slow {
    static readonly meta = { ...scorer(() => 1).meta, range: [0, 1] as const };
    async prepare() {
      await prepare();
      return () => 1;
    }
  }
  return createPipeline<Repo>({ tier2_scorers: [{ id: 'slow', class: 'Slow' }] }, { units: { Slow } });
};

test('returns the live result, and reports differences afterwards', async () => {
  const told: RankingDiff[] = [];
  const pipeline = withShadow(await by('candidate.stars'), await by('candidate.age'), {
    onDifference: (difference) => told.push(difference),
  });
  const { ranked } = await pipeline.rank(REPOS);
  expect(ranked.map(({ id }) => id)).toEqual(['compass', 'sextant', 'atlas']);
  expect(told).toEqual([]);
  await pipeline.settled();
  expect(told).toMatchObject([{ counts: { given: 3, moved: 2 } }]);
  expect(told[0]!.moves.map(({ id }) => id)).toEqual(['atlas', 'compass']);
  expect(pipeline.counts).toEqual({ same: 0, different: 1, failed: 0, skipped: 0 });
});

test('only counts equal results', async () => {
  const pipeline = withShadow(await by('candidate.stars'), await by('candidate.stars * 2.0'), {
    onDifference: () => expect.unreachable(),
  });
  await pipeline.rank(REPOS);
  await pipeline.settled();
  expect(pipeline.counts).toMatchObject({ same: 1, different: 0 });
});

test('a failure of the shadow or a listener never affects the answer', async () => {
  const failures: unknown[] = [];
  const failing = await asking(() => Promise.reject(new Error('no model')));
  const pipeline = withShadow(await by('candidate.stars'), failing, {
    onDifference: () => {},
    onFailure: (error) => failures.push(error),
  });
  expect((await pipeline.rank(REPOS)).ranked).toHaveLength(3);
  await pipeline.settled();
  expect(String(failures[0])).toContain('no model');
  const loud = withShadow(await by('candidate.stars'), await by('candidate.age'), {
    onDifference: () => {
      throw new Error('the disk is full');
    },
    onFailure: () => {
      throw new Error('and the log too');
    },
  });
  expect((await loud.rank(REPOS)).ranked).toHaveLength(3);
  await loud.settled();
  expect(loud.counts.failed).toBe(1);
});

test('a slow shadow never affects the answer: calls in the meantime are skipped, and one that hangs is stopped', async () => {
  let release = (): void => {};
  const hanging = await asking(() => new Promise((resolve) => void (release = resolve)));
  const pipeline = withShadow(await by('candidate.stars'), hanging, { onDifference: () => {}, timeout: 20 });
  for (let k = 0; k < 3; k++) expect((await pipeline.rank(REPOS)).ranked).toHaveLength(3);
  await pipeline.settled();
  expect(pipeline.counts).toMatchObject({ failed: 1, skipped: 2 });
  release();
});

test('updates no memory, neither its own nor that of the live pipeline', async () => {
  const seen = { live: 0, shadow: 0 };
  const counting = (name: keyof typeof seen, score: number) => {
    class Counting {
      static readonly meta = defineScorer({
        summary: 'Counts its runs.',
        params: z.strictObject({}),
        memory: { empty: () => 0 },
      });
      prepare(_params: object, _run: unknown, runs: number) {
        seen[name] = runs;
        return { score: () => score, memory: runs + 1 };
      }
    }
    return createPipeline<Repo>({ tier2_scorers: [{ id: 'n', class: 'Counting' }] }, { units: { Counting } });
  };
  const pipeline = withShadow(await counting('live', 1), await counting('shadow', 2), { onDifference: () => {} });
  for (let k = 0; k < 3; k++) {
    await pipeline.rank(REPOS);
    await pipeline.settled();
  }
  expect(seen).toEqual({ live: 2, shadow: 0 });
});

test('a failure of the live pipeline is reported to the caller', async () => {
  const pipeline = withShadow(await asking(() => Promise.reject(new Error('no model'))), await by('candidate.stars'), {
    onDifference: () => {},
  });
  await expect(pipeline.rank(REPOS)).rejects.toThrow('no model');
  await pipeline.settled();
  expect(pipeline.counts).toEqual({ same: 0, different: 0, failed: 0, skipped: 0 });
});

test('an option with a typo is an error', async () => {
  const live = await by('candidate.stars');
  expect(() => withShadow(live, live, { onDifference: () => {}, most: -1 })).toThrow('at least 0');
});
