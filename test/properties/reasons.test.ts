/* Each reason of a candidate that is not selected is true of the final selection. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Comparison, createPipeline, type Ranking } from 'assize';
import { checkReasons, hasPages, type Offer, offers, profileOf, type Spec, specs } from './reasons.js';

const RUNS = process.env['FUZZ'] ? Number(process.env['FUZZ_COUNT'] ?? 20_000) : 150;

/** A campaign takes longer than the default timeout. */
const TIMEOUT = process.env['FUZZ'] ? 3_600_000 : undefined;

const WEIGHTS = { s0: 1, s1: 3, s2: 2 };

/** The spec of a profile with other weights. */
const weighed = (spec: Spec): Spec => {
  const [a, b, c] = spec.scorers;
  return {
    ...spec,
    scorers: [
      { ...a, weight: 1 },
      { ...b, weight: 3 },
      { ...c, weight: 2 },
    ],
  };
};

describe('reasons', () => {
  test(
    'each is true of the final selection: of a run, of one with other weights, of each page',
    async () => {
      const seen = new Map<string, number>();
      const count = (reasons: readonly string[]): void => {
        for (const reason of reasons) seen.set(reason, (seen.get(reason) ?? 0) + 1);
      };
      await fc.assert(
        fc.asyncProperty(specs, offers, async (spec, candidates) => {
          const pipeline = await createPipeline<Offer>(profileOf(spec), { codegen: true });
          const ranking = await pipeline.rank(candidates);
          count(checkReasons(spec, ranking));
          checkReasons(weighed(spec), ranking.reweigh({ weights: WEIGHTS }));
          checkReasons(weighed(spec), await ranking.whatIf({ weights: WEIGHTS }));
          if (!hasPages(spec)) return;
          const first = scoredIds(ranking);
          count(checkReasons(spec, await pipeline.rank(candidates, {}, { offset: spec.top! }), first));
        }),
        { numRuns: RUNS },
      );
      expect([...seen.keys()].toSorted()).toEqual(REASONS.toSorted());
    },
    TIMEOUT,
  );

  test(
    'rows out of rank order are marked, and a comparison follows the final order',
    async () => {
      const decisions = new Set<string>();
      await fc.assert(
        fc.asyncProperty(specs, offers, fc.nat(), fc.nat(), async (spec, candidates, one, other) => {
          fc.pre(candidates.length > 1);
          const ranking = await (await createPipeline<Offer>(profileOf(spec), { codegen: true })).rank(candidates);
          const a = one % candidates.length;
          const b = (a + 1 + (other % (candidates.length - 1))) % candidates.length;
          decisions.add(checkOrder(spec, ranking, await ranking.compare({ index: a }, { index: b })));
        }),
        { numRuns: 2 * RUNS },
      );
      const expected = [
        'diversify',
        'fallback',
        'nothing',
        'pack',
        'per',
        'pinned',
        'place',
        'refusal',
        'score',
        'ties',
      ];
      expect([...decisions]).toEqual(expect.arrayContaining(expected));
    },
    TIMEOUT,
  );
});

/** Every reason that the profiles can give: the property proves nothing about a missing one. */
const REASONS = [
  'absent',
  'unscored',
  'veto',
  'duplicate',
  'min_score',
  'per',
  'per_before',
  'offset',
  'top',
  'too_alike',
  'less_relevant',
  'equal',
  'none_chosen',
  'covered',
  'uncovered',
  'no_topic',
  'no_cost',
  'negative_cost',
  'no_budget',
  'too_large',
  'no_room',
  'behind',
  'worthless',
  'not_best',
  'pinned_first',
];

const scoredIds = ({ selected }: Ranking<Offer>): readonly string[] =>
  selected.flatMap(({ id, because }) => (because ? [] : [id]));

/**
 * Checks the marks of moved rows, the number of scorers behind each score, and that a comparison follows the list: the
 * selected in their order, then the others.
 *
 * @returns the deciding steps
 */
function checkOrder(spec: Spec, ranking: Ranking<Offer>, comparison: Comparison): string {
  const { selected, notSelected, warnings } = ranking;
  for (const [k, { rank, moved }] of selected.entries()) {
    const isMoved = rank !== undefined && selected.slice(k).some((later) => later.rank! < rank);
    expect(moved !== undefined).toBe(isMoved);
    if (isMoved && !spec.place) expect(moved).toBe('diversify');
    if (isMoved && !spec.diversify) expect(moved).toBe('place');
  }
  for (const { candidate, partial } of ranking.ranked) {
    const present = presentScorers(spec, candidate);
    expect(partial).toEqual(present.length === 3 ? undefined : { present: present.length, of: 3 });
  }
  const isThin = selected
    .slice(0, 10)
    .filter(({ rank, candidate }) => rank !== undefined && weightShare(spec, candidate) < 0.5);
  const thin = warnings.find(({ code }) => code === 'ASZ720')?.message ?? '0';
  expect(Number.parseInt(thin, 10)).toBe(isThin.length);

  const { a, b, ahead, decidedBy } = comparison;
  const place = ({ index }: { readonly index: number }): number => {
    const at = selected.findIndex((row) => row.index === index);
    return at >= 0 ? at : Number.POSITIVE_INFINITY;
  };
  const [atA, atB] = [place(a), place(b)];
  const pinned = (one: typeof a): boolean => one.outcome.kind === 'pinned';
  if (atA !== atB && !(pinned(a) && pinned(b) && ahead === undefined)) expect(ahead).toBe(atA < atB ? 'a' : 'b');
  const [first, last] = ahead === 'b' ? [b, a] : [a, b];
  const reason = notSelected.find(({ index }) => index === last.index)?.reason ?? '';
  const [higher, lower] = [first, last].map(({ outcome }) => (outcome.kind === 'ranked' ? outcome.score : Number.NaN));
  if (decidedBy === 'score') expect(higher).toBeGreaterThan(lower!);
  if (decidedBy === 'ties') expect(higher).toBe(lower);
  if (decidedBy === 'per') expect(reason).toMatch(/^per/);
  if (decidedBy === 'duplicates') expect(reason).toBe('duplicate');
  if (decidedBy === 'place') expect(spec.place).toBe(true);
  if (decidedBy === 'diversify') expect(spec.diversify).toBeDefined();
  if (decidedBy === 'pack') expect([spec.pack === undefined, place(last)]).toEqual([false, Infinity]);
  return decidedBy;
}

const presentScorers = ({ scorers }: Spec, { s0, s1, s2 }: Offer): Spec['scorers'][number][] =>
  scorers.filter(({ on_absent }, k) => [s0, s1, s2][k] !== undefined || on_absent !== 'skip');

function weightShare(spec: Spec, candidate: Offer): number {
  const sum = (entries: readonly { readonly weight: number }[]): number =>
    entries.reduce((all, { weight }) => all + weight, 0);
  return sum(presentScorers(spec, candidate)) / sum(spec.scorers);
}
