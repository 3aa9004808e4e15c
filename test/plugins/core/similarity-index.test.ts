import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { NoveltyScorer, SimilarityVeto } from '../../../plugins/core/nearest-neighbour.js';
import { createPipeline, explanationText, type ProfileInput, type Ranking } from 'assize';
import { NEIGHBOUR_GRAPHS } from 'assize/sdk';
import { UsearchGraphs } from '../../../src/services/vector-memory/usearch-graphs.js';
import { messageOf } from '../../properties/ranked.js';
import { problems } from './ask.js';
import { temporaryFolder } from '../../temporary-folder.js';

type Item = { readonly v: Float32Array };

function items(count: number, seed: number): readonly Item[] {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  };
  return Array.from({ length: count }, () => ({ v: Float32Array.from({ length: 12 }, random) }));
}

/** A search so wide that it misses nothing: the recall of an index is measured elsewhere. */
const index = { type: 'hnsw', above: 1000, m: 128, ef_construction: 1000, ef_search: 1000 };
const max_elements = 2000;
const novelty = (params: object, memory?: string): ProfileInput => ({
  tier2_scorers: [{ id: 'novelty', class: 'NoveltyScorer', memory, params: { vector: 'v', max_elements, ...params } }],
});
const veto = (params: object): ProfileInput => ({
  tier1_scorers: [{ id: 'repeated', class: 'SimilarityVeto', params: { vector: 'v', max_elements, ...params } }],
});

const scores = ({ ranked }: { readonly ranked: readonly { readonly index: number; readonly score: number }[] }) =>
  ranked.toSorted((a, b) => a.index - b.index).map(({ score }) => score);

describe('an index in a profile', () => {
  let folder = '';
  beforeAll(() => void (folder = temporaryFolder('index-')));

  it('gives the same scores as comparing with all, run after run, with evictions', async () => {
    const [indexed, exact] = await Promise.all(
      [novelty({ index }), novelty({})].map((one) => createPipeline<Item>(one)),
    );
    // oxlint-disable-next-line no-await-in-loop -- each run depends on the memory of the one before
    for (const batch of [items(1500, 1), items(1, 2), items(1500, 3), items(200, 4)])
      expect(scores(await indexed!.rank(batch))).toEqual(scores(await exact!.rank(batch)));
  });

  it('a what-if sees the old memory, and does not update it', async () => {
    const pipeline = await createPipeline<Item>(novelty({ index }));
    await pipeline.rank(items(1500, 1));
    const ranking = await pipeline.rank(items(50, 2));
    await pipeline.rank(items(1200, 3));
    expect(scores(await ranking.whatIf({ weights: { novelty: 2 } }))).toEqual(scores(ranking));
    const preview = await pipeline.rank(items(9, 4), {}, { updateMemory: false });
    expect(scores(await pipeline.rank(items(9, 4)))).toEqual(scores(preview));
  });

  it('continues from a memory file, which does not contain the index', async () => {
    const memory = join(folder, 'seen.bin');
    const first = await createPipeline<Item>(novelty({ index }, memory));
    await first.rank(items(1500, 1));
    const [second, exact] = await Promise.all([
      createPipeline<Item>(novelty({ index }, memory)),
      createPipeline<Item>(novelty({})),
    ]);
    await exact.rank(items(1500, 1));
    expect(scores(await second.rank(items(30, 2)))).toEqual(scores(await exact.rank(items(30, 2))));
  });

  it('is mentioned in an explanation only if it was used', async () => {
    const why = (ranking: Ranking<Item>, id: string) => explanationText(ranking.explain(id), { columns: 200 });
    const pipeline = await createPipeline<Item>(novelty({ index }));
    const small = await pipeline.rank(items(900, 1));
    const large = await pipeline.rank(items(1000, 2));
    expect(why(small, '@899')).toContain('similar to the nearest of 899 seen before');
    expect(why(large, '@999')).toContain('similar to the nearest that the index found of 1899 seen before');
  });

  it('rejects the same vectors as comparing with all', async () => {
    const near = items(1500, 1).flatMap((one, k) => (k % 10 === 0 ? [one, one] : [one]));
    const [indexed, exact] = await Promise.all([veto({ index }), veto({})].map((one) => createPipeline<Item>(one)));
    const refused = async (pipeline: typeof indexed, batch: readonly Item[]) =>
      (await pipeline!.rank(batch)).refused.map((one) => one.index);
    // oxlint-disable-next-line no-await-in-loop -- each run depends on the memory of the one before
    for (const batch of [near, near.slice(0, 400), items(300, 5)])
      expect(await refused(indexed, batch)).toEqual(await refused(exact, batch));
  });

  it('is rejected when the profile is loaded, if the package is missing', async () => {
    const load = () => {
      throw Object.assign(new Error("Cannot find module 'usearch'"), { code: 'MODULE_NOT_FOUND' });
    };
    const services = [{ token: NEIGHBOUR_GRAPHS, value: new UsearchGraphs(load) }];
    const open = (profile: ProfileInput) => createPipeline<Item>(profile, { services });
    const message = 'an index needs a package that is not installed: npm install usearch';
    expect(await messageOf(open(novelty({ index })))).toContain(message);
    expect(await messageOf(open(veto({ index })))).toContain(message);
    expect(scores(await (await open(novelty({}))).rank(items(3, 1)))).toHaveLength(2);
  });

  it('requires a known kind, and fewer vectors than the memory holds', () => {
    for (const unit of [NoveltyScorer, SimilarityVeto]) {
      expect(problems(unit, { vector: 'v', index: { type: 'hnsw' } })).toEqual([
        ': expected max_elements of more than index.above, found 1000 and 10000: so few need no index',
      ]);
      expect(problems(unit, { vector: 'v', max_elements: 20_000, index: { type: 'hnsw' } })).toEqual([]);
      expect(problems(unit, { vector: 'v', index: { type: 'flat' } })).not.toEqual([]);
      expect(problems(unit, { vector: 'v', index: { type: 'hnsw', above: 10 } })).toHaveLength(1);
      for (const none of [null, 1, 'hnsw', []]) expect(problems(unit, { vector: 'v', index: none })).toHaveLength(1);
    }
  });
});
