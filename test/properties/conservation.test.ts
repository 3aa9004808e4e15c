import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Candidate, candidatesWith } from './arbitraries.js';
import { field, profiles, units } from './losing.js';
import { rankBy } from './ranked.js';

const sorted = (list: readonly number[]): number[] => list.toSorted((a, b) => a - b);
const positions = (list: readonly { readonly index: number }[]): number[] => list.map(({ index }) => index);

test('given = selected + left out + refused', async () => {
  await fc.assert(
    fc.asyncProperty(profiles, candidatesWith(field), async (profile, candidates: Candidate[]) => {
      const ranking = await rankBy(profile, candidates, {}, { units });
      const { selected, notSelected, refused, ranked, counts } = ranking;
      // A generated fallback was not given.
      expect(counts.given).toBe(candidates.length);
      expect(counts.given).toBe(counts.selected + counts.notSelected + counts.refused);
      expect(selected.length).toBe(counts.selected + (counts.generated ?? 0));
      const own = selected.filter(({ because }) => because !== 'fallback');
      const fallen = positions(selected.filter(({ because }) => because === 'fallback')).filter((i) => i >= 0);
      const once = [...own, ...notSelected, ...refused];
      // A fallback is a candidate that was refused or not selected: it is not a new one.
      const all = new Set([...positions(once), ...fallen]);
      expect(sorted([...all])).toEqual(candidates.map((_, i) => i));
      expect(new Set(positions(once)).size).toBe(once.length);
      expect(fallen.length > 0 ? own.length : 0).toBe(0);
      // A ranked candidate is selected or left out; pinned and refused ones are not ranked.
      const scored = positions([...own.filter(({ because }) => because === undefined), ...notSelected]);
      const again = fallen.filter((i) => positions(ranked).includes(i));
      expect(sorted([...scored, ...again])).toEqual(sorted(positions(ranked)));
      for (const one of [...once, ...ranked]) expect(one.candidate).toBe(candidates[one.index]);
    }),
    { numRuns: 300 },
  );
});

test('a veto over a list receives the candidates that no other veto has refused before it', async () => {
  await fc.assert(
    fc.asyncProperty(profiles, candidatesWith(field), async (drawn, candidates: Candidate[]) => {
      const profile = { ...drawn, fallback: [] };
      fc.pre(profile.tier1_scorers?.some(({ id }) => id === 't') ?? false);
      const { refused } = await rankBy(profile, candidates, {}, { units });
      const by = (veto: string): number[] => positions(refused.filter((one) => one.by === veto));
      const given = candidates.map((_, i) => i).filter((i) => !by('v').includes(i));
      expect(by('t')).toEqual(given.filter((_, k) => k % 3 === 2));
    }),
    { numRuns: 60 },
  );
});
