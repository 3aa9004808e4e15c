import { setImmediate as later } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput, type Ranking } from 'assize';
import { defineScorer, type Run, type Score, z } from 'assize/sdk';
import { COMBINES, type Combine, readsWeights } from './arbitraries.js';

type Cell = number | 'absent' | 'fails';

interface Candidate {
  readonly id: string;
  readonly group: string;
  /** Whether a veto refuses it, or it is pinned: then the scored rows have other positions. */
  readonly fate: 'refused' | 'pinned' | 'scored';
  /** The values of cheap scorers; undefined is absent. */
  readonly cheap: readonly (number | undefined)[];
  /** The values of the expensive scorers. */
  readonly dear: readonly Cell[];
}

const LEAST = -0.5;
const MOST = 1;
const DEAR = 3;
const CHEAP = 2;

/** The number of calls of expensive scorers per candidate: compiled ones, and prepared ones. */
let told = 0;
let prepared = 0;

function answer({ dear }: Candidate, k: number): number | undefined {
  const cell = dear[k];
  if (cell === 'fails') throw new Error('it fails');
  return cell === 'absent' ? undefined : cell;
}

const facts = {
  summary: 'Expensive.',
  params: z.strictObject({ k: z.number() }),
  range: [LEAST, MOST],
  cost: 10_000,
} as const;

class Told {
  static readonly meta = defineScorer(facts);
  compile({ k }: { k: number }): Score<Candidate> {
    return (candidate, _index, note) => {
      if (!note) told += 1;
      return answer(candidate, k);
    };
  }
}

/** Answers by position, so that a wrong one is detected; reversed by a measure if there is one. */
const answers = (k: number, { candidates, measures }: Run<Candidate>): Score<Candidate> => {
  prepared += candidates.length;
  const each = candidates.map((candidate, index) => () => {
    const said = answer(candidate, k);
    return said !== undefined && (measures['turn']?.[index] ?? 0) > 0.25 ? LEAST + (MOST - said) : said;
  });
  return (_candidate, index) => each[index]!();
};

class Prepared {
  static readonly meta = defineScorer({ ...facts, cost: 20_000, scope: 'candidate' });
  prepare({ k }: { k: number }, run: Run<Candidate>): Score<Candidate> {
    return answers(k, run);
  }
}

class Awaited {
  static readonly meta = defineScorer({ ...facts, cost: 30_000, scope: 'candidate' });
  async prepare({ k }: { k: number }, run: Run<Candidate>): Promise<Score<Candidate>> {
    await later();
    return answers(k, run);
  }
}

/** Fails in prepare on some candidates as on all. */
class Broken {
  static readonly meta = defineScorer({ ...facts, cost: 12_000, scope: 'candidate' });
  prepare(): Score<Candidate> {
    throw new Error('it cannot be prepared');
  }
}

/** Depends on the candidates before it. */
class Sequence {
  static readonly meta = defineScorer({ summary: 'Its place.', params: z.strictObject({}), scope: 'sequence' });
  prepare(_params: object, { candidates }: Run): Score<unknown> {
    return (_candidate, index) => index / candidates.length;
  }
}

const units = { Told, Prepared, Awaited, Broken, Sequence };

type Entry = NonNullable<ProfileInput['tier2_scorers']>[number];

/** Rounding may leave a range. */
const ROUNDING = 1e-10;

const within = fc.oneof(
  { weight: 4, arbitrary: fc.double({ min: LEAST, max: MOST, noNaN: true }) },
  { weight: 2, arbitrary: fc.constantFrom(LEAST, 0, 0.25, 0.5, MOST) },
  { weight: 1, arbitrary: fc.constantFrom(LEAST - ROUNDING, MOST + ROUNDING) },
);
/** So few values that several rows reach bounds. */
const coarse = fc.constantFrom(LEAST, 0.25, MOST);

const cells = (value: fc.Arbitrary<number>) =>
  fc.oneof<fc.MaybeWeightedArbitrary<Cell>[]>(
    { weight: 8, arbitrary: value },
    { weight: 1, arbitrary: fc.constant('absent') },
    { weight: 1, arbitrary: fc.constant('fails') },
  );
const candidatesOf = (value: fc.Arbitrary<number>): fc.Arbitrary<Candidate[]> =>
  fc
    .array(
      fc.record({
        group: fc.constantFrom('a', 'b'),
        fate: fc.constantFrom('scored', 'scored', 'scored', 'scored', 'refused', 'pinned'),
        cheap: fc.array(fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: fc.constant(undefined) }), {
          minLength: CHEAP,
          maxLength: CHEAP,
        }),
        dear: fc.array(cells(value), { minLength: DEAR, maxLength: DEAR }),
      }),
      { minLength: 1, maxLength: 40, size: 'max' }, // more than one batch
    )
    .map((rows) => rows.map((row, i): Candidate => ({ id: `c${i}`, ...row })));
const candidates = fc.oneof(candidatesOf(within), candidatesOf(coarse));

const rule = fc.constantFrom<'skip' | 'refuse' | number>('skip', 'refuse', 0.5, 2, -1);
const rules = fc.record({ on_absent: rule, on_error: rule });

const cheapEntries: readonly Omit<Entry, 'id'>[] = [
  { expr: 'candidate.cheap[0]' },
  { expr: 'candidate.cheap[1] * 1.5' },
  { class: 'ScaledScorer', params: { scorer: { expr: 'candidate.cheap[0]' } } },
  { class: 'Sequence' },
];

const adjustments = fc.subarray<NonNullable<ProfileInput['adjustments']>[number]>([
  { id: 'bonus', when: 'candidate.group == "a"', add: 0.25 },
  { id: 'factor', multiply: { table: { a: 0.5, b: 1 }, by: ['candidate.group'] } },
  { id: 'turned', when: 'candidate.group == "b"', multiply: 'candidate.cheap[0] - 0.25' },
  { id: 'refused', multiply: { table: { a: 0 }, by: ['candidate.group'], zero: 'refuse' } },
  { id: 'rejected', when: 'candidate.cheap[0] < 0.3', refuse: true, on_absent: 'refuse' },
  { id: 'bounded', min: 0, max: 1.5 },
  { id: 'read', when: 'score > 0.5', add: -0.5 },
]);

const weight = (combine: Combine): fc.Arbitrary<number> =>
  combine === 'weighted_sum' ? fc.constantFrom(-2, -0.5, 0.1, 1, 3) : fc.constantFrom(0.1, 1, 2, 5);

const profile = fc.constantFrom(...COMBINES).chain((combine): fc.Arbitrary<ProfileInput> => {
  const weighted = readsWeights(combine);
  const entry = (use: fc.Arbitrary<Omit<Entry, 'id'>>) =>
    fc.tuple(use, rules, weight(combine)).map(([of, own, w]) => ({ ...of, ...own, ...(weighted && { weight: w }) }));
  const dear = fc.tuple(fc.constantFrom('Told', 'Told', 'Prepared', 'Awaited', 'Awaited', 'Broken'), fc.nat(DEAR - 1));
  const entries = fc
    .tuple(
      fc.array(entry(fc.constantFrom(...cheapEntries)), { maxLength: 3 }),
      fc.array(entry(dear.map(([name, k]) => ({ class: name, params: { k } }))), { minLength: 1, maxLength: 3 }),
    )
    .chain(([cheap, expensive]) =>
      fc.shuffledSubarray([...cheap, ...expensive], { minLength: cheap.length + expensive.length }),
    )
    .map((all) => all.map((one, k): Entry => ({ id: `s${k}`, ...one })));
  const cases = fc.option(
    fc.tuple(weight(combine), weight(combine)).map(([a, b]) => ({ a: { s0: a }, b: { s0: b } })),
    { nil: undefined },
  );
  return fc
    .record({
      tier1_scorers: fc.constantFrom([], [{ id: 'out', expr: 'candidate.fate == "refused"' }]),
      pinned: fc.constantFrom(undefined, undefined, 'candidate.fate == "pinned"'),
      measures: fc.constantFrom([], [{ id: 'turn', expr: 'candidate.cheap[1]' }]),
      tier2_scorers: entries,
      cases: weighted ? cases : fc.constant(undefined),
      adjustments: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: adjustments }),
      top: fc.integer({ min: 1, max: 12 }),
      min_score: fc.option(fc.constantFrom(-0.25, 0, 0.5, 0.9), { nil: undefined }),
      ties: fc.option(fc.constant(['candidate.group', 'candidate.cheap[1]']), { nil: undefined }),
    })
    .map(({ cases: by, top, min_score, ties, pinned, ...rest }) => ({
      ...rest,
      combine,
      candidate: { ...(pinned && { pinned }) },
      ...(by && { weights: { by: 'candidate.group', cases: by } }),
      select: { top, ...(min_score !== undefined && { min_score }), ...(ties && { ties }) },
    }));
});

async function ranked(written: ProfileInput, given: readonly Candidate[]) {
  const pipeline = await createPipeline<Candidate>(written, { units, codegen: true });
  [told, prepared] = [0, 0];
  const ranking = await pipeline.rank(given);
  return { ranking, told, prepared, pruning: pipeline.pruning };
}

const brief = ({ selected }: Ranking<Candidate>) =>
  selected.map(({ id, score, rank, partial }) => ({ id, score, rank, partial }));

/** Whether a profile is synchronous. */
const waits = ({ tier2_scorers = [] }: ProfileInput): boolean =>
  tier2_scorers.some((entry) => entry.class === 'Awaited');

describe('pruning', () => {
  test('gives the same result synchronously', async () => {
    await fc.assert(
      fc.asyncProperty(
        profile.filter((given) => !waits(given)),
        candidates,
        async (given, list) => {
          const pipeline = await createPipeline<Candidate>(given, { units, codegen: true });
          expect(JSON.stringify(pipeline.rankSync(list))).toBe(JSON.stringify(await pipeline.rank(list)));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('selects the same as without pruning, and never makes more calls', async () => {
    let notAsked = 0;
    await fc.assert(
      fc.asyncProperty(profile, candidates, async (given, list) => {
        const pruned = await ranked(given, list);
        const whole = await ranked({ ...given, select: { ...given.select, prune: false } }, list);
        expect(brief(pruned.ranking)).toEqual(brief(whole.ranking));
        expect(pruned.prepared).toBeLessThanOrEqual(whole.prepared);
        if (pruned.ranking.pruned) {
          // A compiled one is called once; without pruning it is called again for an uncertain row.
          const compiled = given.tier2_scorers?.filter((entry) => entry.class === 'Told').length ?? 0;
          expect(pruned.told).toBeLessThanOrEqual(compiled * list.length);
          expect(pruned.ranking.pruned.exact).toBe(true);
          notAsked += pruned.ranking.pruned.entries.reduce((sum, entry) => sum + entry.pruned, 0);
        }
      }),
      { numRuns: 400 },
    );
    expect(notAsked).toBeGreaterThan(1000);
  });

  test('reports every candidate: with the exact score, or with a bound that holds', async () => {
    await fc.assert(
      fc.asyncProperty(profile, candidates, async (given, list) => {
        const { ranking } = await ranked(given, list);
        const { ranking: whole } = await ranked({ ...given, select: { ...given.select, prune: false } }, list);
        const scores = new Map(whole.ranked.map(({ id, score }) => [id, score]));
        const refused = new Set(whole.refused.map(({ id }) => id));
        for (const { id, score } of ranking.ranked) expect(score).toBe(scores.get(id));
        for (const { id } of ranking.refused) expect(refused).toContain(id);
        const all = [...ranking.selected, ...ranking.notSelected, ...ranking.refused].map(({ index }) => index);
        expect(all.toSorted((a, b) => a - b)).toEqual(list.map((_, i) => i));
        for (const { id } of list) {
          const { outcome } = ranking.explain(id);
          if (outcome.kind === 'ranked') expect(outcome.score).toBe(scores.get(id)! + 0);
          if (outcome.kind !== 'not_evaluated') continue;
          expect(scores.get(id) ?? -Infinity).toBeLessThanOrEqual(outcome.atMost!);
        }
      }),
      { numRuns: 150 },
    );
  });
});
