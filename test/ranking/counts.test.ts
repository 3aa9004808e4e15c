import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import type { Ranking } from '../../src/ranking/ranking.js';

const scored = { tier2_scorers: [{ id: 'n', expr: 'candidate.n' }] } satisfies ProfileInput;
const vetoed = { ...scored, tier1_scorers: [{ id: 'odd', expr: 'candidate.odd' }] } satisfies ProfileInput;

const PROFILES: Readonly<Record<string, ProfileInput>> = {
  'no select': vetoed,
  'a top': { ...vetoed, select: { top: 2, min_score: 0.2 } },
  pinned: { ...vetoed, candidate: { pinned: 'candidate.n > 0.8' }, select: { top: 2 } },
  'a pack': {
    ...vetoed,
    plugins: ['cupel'],
    candidate: { pinned: 'candidate.n > 0.95' },
    select: { pack: { cost: 'candidate.n', budget: 1, overflow: 'proceed', class: 'GreedyPack' } },
  },
  'a fallback that was refused': { ...vetoed, select: { min_score: 2 }, fallback: [{ use: 'a' }] },
  'a fallback that was not selected': { ...scored, select: { min_score: 2 }, fallback: [{ use: 'a' }] },
  'a fallback that is made': {
    ...vetoed,
    select: { min_score: 2 },
    strategies: [{ id: 'deepen' }],
    fallback: [{ use: 'deepen' }],
  },
  'a rerank': {
    ...scored,
    tier2_scorers: [...scored.tier2_scorers, { id: 'm', expr: '1 - candidate.n' }],
    rerank: { top: 2, ask: ['m'] },
  },
};

/** A generated fallback has no position: it was not given. */
const countsOfLists = ({ ranked, selected, notSelected, refused }: Ranking<object>) => {
  const own = selected.filter(({ index }) => index >= 0).length;
  return {
    given: own + notSelected.length + refused.length,
    ranked: ranked.length,
    selected: own,
    notSelected: notSelected.length,
    refused: refused.length,
    ...(own < selected.length && { generated: selected.length - own }),
  };
};

const candidates = fc.array(fc.record({ n: fc.double({ min: 0, max: 1, noNaN: true }), odd: fc.boolean() }), {
  maxLength: 9,
});

test.each(Object.keys(PROFILES))('counts equal the lengths of the lists: %s', async (name) => {
  const pipeline = await createPipeline<object>(PROFILES[name] ?? {});
  await fc.assert(
    fc.asyncProperty(candidates, fc.boolean(), async (rows, page) => {
      const given = rows.map((row, k) => ({ id: k === 0 ? 'a' : `c${k}`, ...row }));
      const paged = page && !pipeline.packs ? { top: 2, offset: 1 } : {};
      const ranking = await pipeline.rank(given, {}, paged);
      expect(ranking.counts).toEqual({ ...countsOfLists(ranking), given: given.length });
    }),
    { numRuns: 40 },
  );
});
