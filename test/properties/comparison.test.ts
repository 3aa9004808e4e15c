/* The flips of a comparison are true: applied, and ranked again, each reverses the order. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Comparison, createPipeline, type NumberFlip, type ProfileInput, type Ranking } from 'assize';
import { defineScorer, z } from 'assize/sdk';
import { type Candidate, COMBINES, candidatesWith, FIELDS, positive, readsWeights, weights } from './arbitraries.js';

/** Returns a field of the candidate, and declares its range. */
class Ranged {
  static readonly meta = defineScorer({
    summary: 'A field.',
    params: z.strictObject({ field: z.string() }),
    range: [0, 50],
  });
  compile({ field }: { field: string }) {
    return (candidate: Record<string, unknown>) => candidate[field] as number | undefined;
  }
}

const MOST = 50;
const units = { Ranged };
const plain: Rule[] = [
  { id: 'lift', when: 'candidate.kind == "x"', add: 0.5 },
  { id: 'scale', when: 'candidate.kind != "y"', multiply: 0.75 },
];
const bending: Rule[] = [
  { id: 'bound', min: 0.5, max: 20 },
  { id: 'high', when: 'score > 5', add: -1 },
  { id: 'own', when: 'scores.s0 > 2', multiply: 1.25 },
];

type Rule = NonNullable<ProfileInput['adjustments']>[number];

const profiles = (
  combines: readonly (typeof COMBINES)[number][],
  rules: fc.Arbitrary<readonly Rule[]>,
): fc.Arbitrary<ProfileInput> =>
  fc
    .record({
      combine: fc.constantFrom(...combines),
      weighted: weights,
      ranged: fc.array(fc.boolean(), { minLength: FIELDS, maxLength: FIELDS }),
      absent: fc.array(fc.constantFrom(0.5, 'skip' as const), { minLength: FIELDS, maxLength: FIELDS }),
      cased: fc.boolean(),
      dear: fc.boolean(),
      rules,
    })
    .map(({ combine, weighted, ranged, absent, cased, dear, rules: adjustments }): ProfileInput => {
      const reads = readsWeights(combine);
      return {
        tier2_scorers: weighted.map((weight, k) => ({
          id: `s${k}`,
          ...(ranged[k] ? { class: 'Ranged', params: { field: `f${k}` } } : { expr: `candidate.f${k}` }),
          on_absent: absent[k]!,
          ...(k === 3 && { when: 'context.mode == "all"' }),
          ...(reads && { weight: dear && k === 1 ? 'context.dear' : weight }),
        })),
        combine,
        ...(reads && cased && { weights: { by: 'candidate.kind', cases: { x: { s0: 5, s1: 2 }, z: { s2: 0 } } } }),
        adjustments: [...adjustments],
        select: { ties: ['candidate.kind'] },
      };
    });

const within = positive.map((n) => Math.min(n, MOST));
const fields = fc.oneof({ weight: 8, arbitrary: within }, { weight: 1, arbitrary: fc.constant(undefined) });
const candidates = fc
  .tuple(candidatesWith(fields, 5), fc.infiniteStream(fc.constantFrom('x', 'y', 'z')))
  .map(([list, kinds]) => list.map((candidate) => Object.assign(candidate, { kind: kinds.next().value })));
const contexts = fc.constantFrom({ mode: 'all', dear: 2.5 }, { mode: 'some', dear: 1 });

type Known = Comparison & { readonly ahead: 'a' | 'b' };

/**
 * Compares the first two candidates, and returns a function that tests whether the one behind comes first in another
 * ranking.
 */
async function compared(profile: ProfileInput, list: readonly Candidate[], context: object) {
  fc.pre(list.length > 1);
  const pipeline = await createPipeline<Candidate>(profile, { units, codegen: true });
  const ranking = await pipeline.rank(list, { ...context });
  const comparison = await ranking.compare({ index: 0 }, { index: 1 });
  fc.pre(comparison.ahead !== undefined);
  const known = comparison as Known;
  const behind = known[known.ahead === 'a' ? 'b' : 'a'].index;
  const turned = (other: Ranking<Candidate>): boolean => {
    const [own, its] = [behind, 1 - behind].map((index) => other.ranked.find((row) => row.index === index)?.rank);
    return own !== undefined && its !== undefined && own < its;
  };
  const weighed = async (id: string, weight: number): Promise<boolean> =>
    turned(await ranking.whatIf({ weights: { [id]: weight } }));
  const scored = async (id: string, value: number): Promise<boolean> => {
    const changed = list.map((one, k) => (k === behind ? { ...one, [`f${id.slice(1)}`]: value } : one));
    return turned(await pipeline.rank(changed, { ...context }));
  };
  return { ranking, comparison: known, weighed, scored };
}

/** A change that is smaller by a millionth; undefined if no double is there. */
function nearer({ to, from = to }: { from?: number; to: number }): number | undefined {
  const less = from + (to - from) * (1 - 1e-6);
  return less === to ? undefined : less;
}

type Turns = (id: string, to: number) => Promise<boolean>;

/** Numbers of all sizes, within bounds. */
const everywhere = (least: number, most: number): number[] =>
  Array.from({ length: 30 }, (_, k) => [k, -k / 2, 2 ** (k - 15), -(2 ** (k - 15))])
    .flat()
    .filter((t) => t >= least && t <= most);

/** The number of flips by their state. */
const nobody = () => ({ exact: { flips: 0, none: 0 }, search: { flips: 0, none: 0 } });

/** Checks a flip by ranking again; of those without a flip one in a dozen, which are expensive. */
async function expectTrue(seen: ReturnType<typeof nobody>, flip: NumberFlip, turns: Turns): Promise<void> {
  if (flip.state === 'not_evaluated') return;
  const nth = seen[flip.how][flip.state]++;
  if (flip.state === 'flips') {
    expect({ flip, turns: await turns(flip.id, flip.to) }).toEqual({ flip, turns: true });
    const less = nearer(flip);
    if (flip.how === 'search' || less === undefined) return;
    expect({ flip, less: await turns(flip.id, less) }).toEqual({ flip, less: false });
  } else if (nth % 12 === 0) {
    const { least = -Infinity, most = Infinity } = flip.within ?? {};
    const tried = everywhere(least, most).map(async (t) => ({ t, turns: await turns(flip.id, t) }));
    expect({ flip, turning: (await Promise.all(tried)).filter((one) => one.turns) }).toEqual({ flip, turning: [] });
  }
}

async function expectAllTrue(seen: ReturnType<typeof nobody>, of: Comparison, weighed: Turns, scored: Turns) {
  await Promise.all([
    ...of.flips.weights.map((flip) => expectTrue(seen, flip, weighed)),
    ...of.flips.values.map((flip) => expectTrue(seen, flip, scored)),
  ]);
}

type Arbitrary = readonly [fc.Arbitrary<ProfileInput>, fc.Arbitrary<Candidate[]>, fc.Arbitrary<object>];

/** Checks every flip of many comparisons by ranking again. */
async function flipsOf(arbitrary: Arbitrary): Promise<ReturnType<typeof nobody>> {
  const seen = nobody();
  await fc.assert(
    fc.asyncProperty(...arbitrary, async (profile, list, context) => {
      const { comparison, weighed, scored } = await compared(profile, list, context);
      fc.pre(clear(comparison));
      await expectAllTrue(seen, comparison, weighed, scored);
    }),
    { numRuns: 60 },
  );
  return seen;
}

const clear = ({ difference = 0 }: Comparison): boolean => Math.abs(difference) > 1e-9;

describe('for sums, with rules that read no score', () => {
  const arbitrary = [profiles(['weighted_mean', 'weighted_sum'], fc.subarray(plain)), candidates, contexts] as const;

  test('the differences of terms and rules sum to the difference of the scores', async () => {
    await fc.assert(
      fc.asyncProperty(...arbitrary, async (profile, list, context) => {
        const { comparison } = await compared(profile, list, context);
        const { terms, rules, difference } = comparison;
        if (difference === undefined) return;
        const parts = [...terms, ...rules].reduce((sum, part) => sum + (part.difference ?? 0), 0);
        expect(parts).toBeCloseTo(difference, 9);
        const sizes = terms.map((term) => Math.abs(term.difference ?? 0));
        expect(sizes).toEqual(sizes.toSorted((x, y) => y - x));
      }),
    );
  });

  test('each flip reverses the order, a smaller change does not, and without a flip no change does', async () => {
    const seen = await flipsOf(arbitrary);
    expect(Math.min(seen.exact.flips, seen.exact.none)).toBeGreaterThan(20);
    expect(seen.search.flips + seen.search.none).toBeLessThan(seen.exact.flips + seen.exact.none);
  });
});

describe('for all combines and rules', () => {
  const arbitrary = [profiles(COMBINES, fc.subarray([...plain, ...bending])), candidates, contexts] as const;

  test('each flip reverses the order; without a flip, trying finds none', async () => {
    const seen = await flipsOf(arbitrary);
    expect(Math.min(seen.search.flips, seen.search.none)).toBeGreaterThan(20);
  });

  test('it survives JSON, and is symmetric', async () => {
    await fc.assert(
      fc.asyncProperty(...arbitrary, async (profile, list, context) => {
        const { ranking, comparison } = await compared(profile, list, context);
        expect(JSON.parse(JSON.stringify(comparison))).toStrictEqual(comparison);
        const turned = await ranking.compare({ index: 1 }, { index: 0 });
        expect(turned.ahead).toBe(comparison.ahead === 'a' ? 'b' : 'a');
        expect(turned.difference === undefined ? undefined : -turned.difference + 0).toBe(comparison.difference);
        expect(turned.flips.weights).toEqual(comparison.flips.weights);
        expect(turned.flips.values).toEqual(comparison.flips.values);
      }),
      { numRuns: 60 },
    );
  });
});
