import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Candidate, candidatesWith } from './arbitraries.js';
import { field, profiles } from './losing.js';
import { rankBy } from './ranked.js';

const sorted = (list: readonly number[]): number[] => list.toSorted((a, b) => a - b);
const positions = (list: readonly { readonly index: number }[]): number[] => list.map(({ index }) => index);

test('given = selected + left out + refused', async () => {
  await fc.assert(
    fc.asyncProperty(profiles, candidatesWith(field), async (profile, candidates: Candidate[]) => {
      const { selected, leftOut, refused, ranked } = await rankBy(profile, candidates);
      const own = selected.filter(({ because }) => because !== 'fallback');
      const fallen = positions(selected.filter(({ because }) => because === 'fallback')).filter((i) => i >= 0);
      const once = [...own, ...leftOut, ...refused];
      // A fallback is one that had gone another way before: it is nobody new.
      const all = new Set([...positions(once), ...fallen]);
      expect(sorted([...all])).toEqual(candidates.map((_, i) => i));
      expect(new Set(positions(once)).size).toBe(once.length);
      expect(fallen.length > 0 ? own.length : 0).toBe(0);
      // What was ranked was selected or left out; what was pinned or refused is not ranked.
      const scored = positions([...own.filter(({ because }) => because === undefined), ...leftOut]);
      const again = fallen.filter((i) => positions(ranked).includes(i));
      expect(sorted([...scored, ...again])).toEqual(sorted(positions(ranked)));
      for (const one of [...once, ...ranked]) expect(one.candidate).toBe(candidates[one.index]);
    }),
    { numRuns: 300 },
  );
});

test('the selected are the best that nothing else left out', async () => {
  await fc.assert(
    fc.asyncProperty(profiles, candidatesWith(field), async (profile, candidates: Candidate[]) => {
      const { selected, leftOut } = await rankBy(profile, candidates);
      const scored = selected.filter(({ because }) => because === undefined);
      expect(scored.map(({ rank }) => rank)).toEqual(scored.map(({ rank }) => rank).toSorted((a, b) => a! - b!));
      const worst = scored.at(-1)?.rank ?? 0;
      for (const { rank } of leftOut.filter(({ reason }) => reason === 'top')) expect(rank).toBeGreaterThan(worst);
      const { min_score, top } = profile.select ?? {};
      for (const { score } of scored) expect(score).toBeGreaterThanOrEqual(min_score ?? -Infinity);
      expect(scored.length).toBeLessThanOrEqual(top ?? Infinity);
    }),
    { numRuns: 200 },
  );
});
