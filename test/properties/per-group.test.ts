/* A limit for each group: the naive walk, best first; also reweighted, and of a changed profile. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput, rankFile, type Ranking } from 'assize';
import { messageOf } from './ranked.js';
import { temporaryFolder } from '../temporary-folder.js';

interface Offer {
  readonly id: string;
  readonly brand?: unknown;
  readonly score: number;
  readonly other: number;
  readonly keep?: boolean;
}

const brand = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>('acme', 'bolt', 'cord') },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(undefined, null, 3, '3', true, ['acme'], { a: 1, b: 2 }) },
);

const offers = fc
  .array(
    fc.record({
      brand,
      score: fc.integer({ min: 0, max: 60 }),
      other: fc.integer({ min: 0, max: 60 }),
      keep: fc.boolean(),
    }),
    { maxLength: 120, size: 'max' },
  )
  .map((all): Offer[] => all.map((one, k) => ({ ...one, id: `c${k}` })));

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const selects = fc.record({
  per: fc.record({ by: fc.constant('candidate.brand'), top: fc.integer({ min: 1, max: 5 }) }),
  top: some(fc.nat(30)),
  min_score: some(fc.integer({ min: 0, max: 60 })),
  ties: some(fc.constantFrom(['candidate.other'], ['input'])),
  duplicates: some(fc.constant('candidate.score + candidate.other')),
});

const profileOf = (select: ProfileInput['select'], pinned: boolean): ProfileInput => ({
  ...(pinned && { candidate: { pinned: 'candidate.keep && candidate.score > 50' } }),
  tier2_scorers: [
    { id: 'one', expr: 'candidate.score', weight: 1 },
    { id: 'other', expr: 'candidate.other', weight: 0 },
  ],
  combine: 'weighted_sum',
  select,
});

/** The selected of the ranked candidates, by walking over them, and those left out because of their group. */
function walk({ per, top = Infinity, min_score: least = -Infinity, duplicates }: Select, ranking: Ranking<Offer>) {
  const counts = new Map<string, string[]>();
  const seen = new Set<number>();
  const selected: string[] = [];
  const full: string[] = [];
  for (const { id, score, candidate } of ranking.ranked) {
    const sum = candidate.score + candidate.other;
    if (duplicates && seen.has(sum)) continue;
    seen.add(sum);
    if (score < least || selected.length >= top) continue;
    const group = candidate.brand == null ? undefined : JSON.stringify(candidate.brand);
    const others = (group !== undefined && counts.get(group)) || [];
    if (others.length >= per.top) full.push(id);
    else {
      if (group !== undefined) counts.set(group, [...others, id]);
      selected.push(id);
    }
  }
  return { selected, full };
}

type Select = typeof selects extends fc.Arbitrary<infer S> ? S : never;

const scored = (ranking: Pick<Ranking<Offer>, 'selected'>): readonly string[] =>
  ranking.selected.filter(({ because }) => because === undefined).map(({ id }) => id);

describe('a limit for each group', () => {
  test('selects like a walk over all candidates, best first', async () => {
    let limited = 0;
    await fc.assert(
      fc.asyncProperty(selects, fc.boolean(), offers, async (select, pinned, candidates) => {
        const ranking = await (await createPipeline<Offer>(profileOf(select, pinned), { codegen: true })).rank(
          candidates,
        );
        const expected = walk(select, ranking);
        expect(scored(ranking)).toEqual(expected.selected);
        for (const { id, rank } of ranking.selected)
          if (rank !== undefined) expect(ranking.ranked[rank - 1]!.id).toBe(id);
        const full = ranking.notSelected.filter(({ reason }) => reason === 'per');
        expect(full.map(({ id }) => id)).toEqual(expected.full);
        for (const { text, data, replacedBy, candidate } of full) {
          expect(replacedBy).toHaveLength(select.per.top);
          const group = typeof candidate.brand === 'string' ? candidate.brand : JSON.stringify(candidate.brand);
          expect(text).toBe(`${select.per.top} of ${group} are already selected`);
          expect(String(data?.['group'])).toBe(group);
        }
        const { selected, notSelected, refused } = ranking;
        expect(selected.length + notSelected.length + refused.length).toBe(candidates.length);
        limited += full.length;
      }),
      { numRuns: 200 },
    );
    expect(limited).toBeGreaterThan(200);
  });

  test('applies to a reweighted ranking, and to what-if runs', async () => {
    await fc.assert(
      fc.asyncProperty(selects, fc.boolean(), offers, async (select, pinned, candidates) => {
        const pipeline = await createPipeline<Offer>(profileOf(select, pinned), { codegen: true });
        const ranking = await pipeline.rank(candidates);
        const weights = { one: 1, other: 2 };
        const again = ranking.reweigh({ weights });
        expect(scored(again)).toEqual(walk(select, again).selected);
        expect((await ranking.whatIf({ weights })).selected).toEqual(again.selected);
      }),
      { numRuns: 100 },
    );
  });

  test('is explained with the candidates that were selected instead', async () => {
    const pipeline = await createPipeline<Offer>(profileOf({ per: { by: 'candidate.brand', top: 2 }, top: 3 }, false));
    const candidates = Array.from({ length: 20 }, (_, k) => ({
      id: `c${k}`,
      brand: k < 10 ? 'acme' : 'bolt',
      score: 20 - k,
      other: 0,
    }));
    const ranking = await pipeline.rank(candidates);
    expect(scored(ranking)).toEqual(['c0', 'c1', 'c10']);
    expect(ranking.explain('c5').outcome).toMatchObject({
      notSelected: { reason: 'per', text: '2 of acme are already selected', replacedBy: ['c0', 'c1'] },
    });
    expect(ranking.explain('c15').outcome).toMatchObject({ notSelected: { reason: 'top' } });
  });

  test('fails if the group fails for a candidate that is not behind the last selected', async () => {
    const pipeline = await createPipeline<Offer>(
      profileOf({ per: { by: 'candidate.brand + 1', top: 1 }, top: 2 }, false),
    );
    const good: Offer[] = Array.from({ length: 20 }, (_, k) => ({
      id: `c${k}`,
      brand: k % 4,
      score: 40 - k,
      other: 0,
    }));
    const odd = (score: number): Offer => ({ id: 'odd', brand: 'x', score, other: 0 });
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(good, { minLength: 20 }), fc.nat(20), async (shuffled, at) => {
        const behind = await pipeline.rank(shuffled.toSpliced(at, 0, odd(38)));
        expect(scored(behind)).toEqual(['c0', 'c1']);
        const ahead = messageOf(pipeline.rank(shuffled.toSpliced(at, 0, odd(39.5))));
        expect(await ahead).toContain('ASZ501 the select entry per failed');
      }),
      { numRuns: 50 },
    );
  });

  test('needs every candidate, so that a stream rejects it and a file is ranked as one set', async () => {
    const profile = profileOf({ per: { by: 'candidate.brand', top: 1 }, top: 2 }, false);
    const told = 'profile profile cannot rank a stream: limiting groups needs every score';
    const pipeline = await createPipeline<Offer>(profile, { codegen: true });
    expect(await messageOf(pipeline.rankStream([]))).toContain(`select.per error ASZ518 ${told}`);
    const folder = temporaryFolder('per-group-');
    const file = join(folder, 'offers.jsonl');
    const candidates = ['acme', 'acme', 'bolt'].map((own, k) => ({
      id: `c${k}`,
      brand: own,
      score: 9 - k,
      other: 0,
    }));
    writeFileSync(file, candidates.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const { selected, notices, notSelectedCounts } = await rankFile(profile, file, {}, { workers: 2 });
    expect(selected.map(({ id, rank }) => [id, rank])).toEqual([
      ['c0', 1],
      ['c2', 3],
    ]);
    expect(notSelectedCounts).toEqual([{ reason: 'per', count: 1 }]);
    expect(notices).toEqual([`one thread, and all candidates in memory: ${told}`]);
  });

  test('prevents the pruning of expensive scorers', async () => {
    const { pruning } = await createPipeline<Offer>(
      profileOf({ per: { by: 'candidate.brand', top: 1 }, top: 2 }, false),
    );
    expect(pruning.off).toBe('select.per compares every score');
  });
});
