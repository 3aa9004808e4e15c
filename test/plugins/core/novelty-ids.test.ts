import { describe, expect, it } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';

const profileWith = (params: object = {}, candidate?: ProfileInput['candidate']): ProfileInput => ({
  ...(candidate && { candidate }),
  tier2_scorers: [{ id: 'novelty', class: 'NoveltyScorer', params: { vector: 'v', ...params }, on_absent: 1 }],
});
const open = (params?: object, candidate?: ProfileInput['candidate']) =>
  createPipeline<object>(profileWith(params, candidate));
type Opened = Awaited<ReturnType<typeof open>>;

const scoresIn = async (pipeline: Opened, candidates: readonly object[], now = 0): Promise<unknown> => {
  const { ranked } = await pipeline.rank(candidates, { now });
  return candidates.map((_, i) => ranked.find(({ index }) => index === i)?.score);
};

const [east, north, between] = [
  [1, 0],
  [0, 1],
  [1, 1],
];

describe('NoveltyScorer, for a candidate that comes again with its id', () => {
  it('gives the first score again, whatever was seen since then', async () => {
    const pipeline = await open();
    const first = await scoresIn(pipeline, [
      { id: 'a', v: east },
      { id: 'b', v: between },
      { id: 'c', v: between },
    ]);
    expect(first).toEqual([1, expect.closeTo(1 - Math.SQRT1_2, 12), expect.closeTo(0, 12)]);
    for (let k = 0; k < 3; k++) {
      expect(await scoresIn(pipeline, [{ id: 'c', v: between }])).toEqual([(first as number[])[2]]);
      expect(await scoresIn(pipeline, [{ id: 'b', v: between }])).toEqual([(first as number[])[1]]);
      expect(await scoresIn(pipeline, [{ id: 'a', v: east }])).toEqual([1]);
    }
  });

  it('does so within a run, and in a run that does not update the memory', async () => {
    const pipeline = await open();
    expect(await scoresIn(pipeline, [{ id: 'a', v: east }, { id: 'a', v: east }, { v: east }])).toEqual([1, 1, 0]);
    const { ranked } = await pipeline.rank([{ id: 'a', v: east }], {}, { updateMemory: false });
    expect(ranked[0]?.score).toBe(1);
  });

  it('remembers it once', async () => {
    const pipeline = await open({ max_elements: 2 });
    for (let k = 0; k < 5; k++) await pipeline.rank([{ id: 'a', v: east }]);
    await pipeline.rank([{ id: 'b', v: north }]);
    expect(await scoresIn(pipeline, [{ v: east }])).toEqual([0]); // east was not evicted
  });

  it('compares a changed vector with all others, and replaces the old one', async () => {
    const pipeline = await open();
    await pipeline.rank([
      { id: 'a', v: east },
      { id: 'b', v: [-1, 0] },
    ]);
    expect(await scoresIn(pipeline, [{ id: 'a', v: north }])).toEqual([1]);
    expect(await scoresIn(pipeline, [{ id: 'c', v: east }])).toEqual([1]); // the old vector is gone
    expect(await scoresIn(pipeline, [{ id: 'd', v: north }])).toEqual([0]);
  });

  it('counts a scaled vector as the same', async () => {
    const pipeline = await open();
    await pipeline.rank([{ id: 'a', v: [1, 3] }]);
    expect(await scoresIn(pipeline, [{ id: 'a', v: [2, 6] }, { v: [1, 3] }])).toEqual([1, expect.closeTo(0, 9)]);
  });

  it('treats it as new after its time to live, or after it was evicted', async () => {
    const limited = await open({ ttl: '1s', max_elements: 2 });
    await scoresIn(limited, [{ id: 'a', v: east }], 0);
    await scoresIn(limited, [{ id: 'b', v: east }], 900);
    expect(await scoresIn(limited, [{ id: 'a', v: east }], 1500)).toEqual([0]); // compared with b
    await scoresIn(limited, [{ v: north }, { v: north }], 1600);
    expect(await scoresIn(limited, [{ id: 'a', v: north }], 1600)).toEqual([0]);
  });

  it('knows it by the id of the profile; without an id, a repetition is one', async () => {
    const candidate = { id: 'trace.key' };
    const pipeline = await open({}, candidate);
    const scores = await scoresIn(pipeline, [
      { id: 'x', trace: { key: 1 }, v: east },
      { id: 'y', trace: { key: 1 }, v: east },
      { id: 'x', trace: { key: 2 }, v: east },
      { id: 'x', v: east },
      { id: 'x', v: east },
    ]);
    expect(scores).toEqual([1, 1, 0, 0, 0]);
  });

  it('explains it', async () => {
    const pipeline = await open();
    await pipeline.rank([{ v: east }, { id: 'a', v: between }]);
    const ranking = await pipeline.rank([{ id: 'a', v: between }]);
    expect(JSON.stringify(ranking.explain('a'))).toContain('"again"');
  });

  it('does not change SimilarityVeto, which refuses every repetition', async () => {
    const pipeline = await createPipeline<object>({
      tier1_scorers: [{ id: 'same', class: 'SimilarityVeto', params: { vector: 'v' } }],
    });
    await pipeline.rank([{ id: 'a', v: east }]);
    expect((await pipeline.rank([{ id: 'a', v: east }])).refused).toHaveLength(1);
  });
});
