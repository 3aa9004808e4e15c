/* A what-if equals the ranking of the changed profile, and prepares again only the changed entries. */
import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Change, createPipeline, type ProfileInput, type Ranking } from 'assize';
import { defineScorer, defineSignal, defineVeto, path, type Run, type RunFacts, type Score, z } from 'assize/sdk';
import { type Candidate, candidatesWith, odd, positive } from './arbitraries.js';

type ProfileEntry = NonNullable<ProfileInput['tier2_scorers']>[number];

/** The prepared entry, and its candidates. */
interface Prepared {
  readonly entry: string;
  readonly candidates: readonly unknown[];
}
const prepared: Prepared[] = [];

beforeEach(() => void (prepared.length = 0));

const scope = z.literal(['candidate', 'set', 'sequence']).default('set');
const params = z.strictObject({
  /** The entry that contains it. */
  of: z.string(),
  field: path(),
  shift: z.number().default(0),
  scope,
  late: z.boolean().default(false),
  fails: z.boolean().default(false),
});
type Params = z.output<typeof params>;

const read = ({ field }: Params, candidate: unknown): number | undefined => {
  const value = field(candidate);
  if (value === 'odd') throw new Error('it fails here');
  return value as number | undefined;
};

/** Scores by its visible candidates, and by the available signals and measures. */
class Batch {
  static readonly meta = defineScorer({
    summary: 'A field, among the others.',
    params,
    range: ({ scope: seen }: Params) => (seen === 'candidate' ? [-1000, 1000] : [-Infinity, Infinity]),
    cost: ({ scope: seen }: Params) => (seen === 'candidate' ? 10_000 : 1),
    scope: ({ scope: seen }: Params) => seen,
    reasons: { seen: 'among {count}, at {index}' },
  });

  prepare(given: Params, run: Run): Score<unknown> | Error | Promise<Score<unknown>> {
    prepared.push({ entry: given.of, candidates: run.candidates });
    if (given.fails) return new Error('not to be prepared');
    const score = this.#score(given, run);
    return given.late ? Promise.resolve(score) : score;
  }

  #score(given: Params, { candidates, measures, signals, context }: Run): Score<unknown> {
    const { shift, scope: seen } = given;
    const extra = shift + Number(signals['mood'] ?? 0) + Number(context['extra']);
    const [column] = Object.values(measures); // not its own, which is ready later
    const own = (candidate: unknown, index: number) => {
      const value = read(given, candidate);
      return value === undefined
        ? undefined
        : value + extra + (Number.isNaN(column?.[index]) ? 0 : (column?.[index] ?? 0));
    };
    if (seen === 'candidate') return own;
    const size = candidates.length;
    return (candidate, index, note) => {
      note?.('seen', { count: size, index });
      const value = own(candidate, index);
      return value === undefined ? undefined : value / size + (seen === 'sequence' ? index : 0);
    };
  }
}

/** The number of candidates seen before this one: a memory. */
class Seen {
  static readonly meta = defineScorer({
    summary: 'How many were seen.',
    params: z.strictObject({ of: z.string() }),
    scope: 'sequence',
    memory: { empty: () => 0 },
  });
  prepare({ of }: { readonly of: string }, { candidates }: Run, before: number) {
    prepared.push({ entry: of, candidates });
    const score: Score<unknown> = (_candidate, index) => before + index;
    return { score, memory: before + candidates.length };
  }
}

/** Refuses values above a multiple of the mean. */
class Above {
  static readonly meta = defineVeto({
    summary: 'Refuses what stands out.',
    params: params.extend({ times: z.number() }),
    scope: 'set',
  });
  prepare(given: Params & { readonly times: number }, { candidates }: Run): Score<unknown, boolean> {
    prepared.push({ entry: given.of, candidates });
    const numbers = candidates.map((one) => given.field(one)).filter((value) => Number.isFinite(value)) as number[];
    const bound = 5 + given.times * (numbers.reduce((sum, value) => sum + value, 0) / (numbers.length || 1));
    return (candidate) => {
      const value = read(given, candidate);
      return value === undefined ? undefined : value > bound;
    };
  }
}

/** A signal with the value of its params. */
class Mood {
  static readonly meta = defineSignal({
    summary: 'A number.',
    params: z.strictObject({ level: z.number(), fails: z.boolean().default(false) }),
  });
  prepare({ level, fails }: { readonly level: number; readonly fails: boolean }, _run: RunFacts): number | undefined {
    prepared.push({ entry: 'mood', candidates: [] });
    if (fails) throw new Error('no mood');
    return level;
  }
}

const units = { Batch, Seen, Above, Mood };

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const shift = fc.integer({ min: 0, max: 5 });
const weight = fc.integer({ min: 1, max: 9 });
const batchOf = (of: string, field: string, scopes: readonly ('candidate' | 'set' | 'sequence')[]) =>
  fc
    .record({ shift, scope: fc.constantFrom(...scopes), late: fc.boolean(), fails: fc.nat(9).map((n) => n === 0) })
    .map((own) => ({ class: 'Batch', params: { of, field, ...own } }));
const SCOPES = ['candidate', 'set', 'sequence'] as const;

const scorerUse = (id: string, field: string): fc.Arbitrary<Pick<ProfileEntry, 'class' | 'expr' | 'params'>> =>
  fc.oneof(
    { weight: 4, arbitrary: batchOf(id, field, SCOPES) },
    { weight: 1, arbitrary: fc.constant({ expr: `candidate.${field}` }) },
    { weight: 1, arbitrary: fc.constant({ class: 'Seen', params: { of: id } }) },
    {
      weight: 1,
      arbitrary: batchOf(id, field, SCOPES).map((inner) => ({
        class: 'CompositeScorer',
        params: {
          scorers: [
            { ...inner, weight: 2 },
            { expr: 'candidate.f1', on_absent: 0 },
          ],
        },
      })),
    },
    {
      weight: 1,
      arbitrary: batchOf(id, field, SCOPES).map((inner) => ({ class: 'ScaledScorer', params: { scorer: inner } })),
    },
  );

const rule = fc.constantFrom<'skip' | 'refuse' | 0.5>('skip', 'refuse', 0.5);
const entry = (id: string, field: string) =>
  fc
    .record({ use: scorerUse(id, field), weight, on_absent: rule, on_error: rule })
    .map(({ use, ...own }): ProfileEntry => ({ id, ...use, ...own }));

const profiles = fc
  .record({
    scorers: fc.tuple(entry('s0', 'f0'), entry('s1', 'f1'), entry('s2', 'f2')),
    combine: fc.constantFrom<'weighted_mean' | 'weighted_sum'>('weighted_mean', 'weighted_sum'),
    mood: some(fc.record({ level: shift, fails: fc.nat(4).map((n) => n === 0) })),
    vetoes: fc.subarray(['cheap', 'above'] as const),
    measured: some(batchOf('m', 'f3', SCOPES)),
    ruled: fc.boolean(),
    pinned: fc.boolean(),
    first: fc.boolean(),
    top: some(fc.integer({ min: 1, max: 3 })),
  })
  .map((it): ProfileInput => {
    const vetoes = {
      cheap: { id: 'cheap', expr: 'candidate.f0 > 60' },
      above: { id: 'above', class: 'Above', params: { of: 'above', field: 'f1', times: 2 } },
    };
    return {
      ...(it.pinned && { candidate: { pinned: 'candidate.f3 == 1.0' } }),
      ...(it.mood && { signals: [{ id: 'mood', class: 'Mood', params: it.mood }] }),
      veto_on_first: it.first,
      tier1_scorers: it.vetoes.map((id) => vetoes[id]),
      ...(it.measured && { measures: [{ id: 'm', ...it.measured }] }),
      tier2_scorers: it.scorers,
      combine: it.combine,
      adjustments: it.ruled ? [{ id: 'lift', when: 'scores.s0 < 3', add: 'scores.s1 / 3' }] : [],
      select: it.top === undefined ? {} : { top: it.top },
    };
  });

/** All ids of a profile, and the possible changes of their params. */
function changesOf(profile: ProfileInput): fc.Arbitrary<Change> {
  const scorers = profile.tier2_scorers ?? [];
  const ruled = (profile.adjustments ?? []).length > 0;
  const others = [...(profile.tier1_scorers ?? []), ...(profile.measures ?? []), ...(profile.signals ?? [])];
  const removable = [...(ruled ? ['lift'] : scorers.map(({ id }) => id)), ...others.map(({ id }) => id)];
  const shifted = [...scorers, ...(profile.measures ?? [])].filter((one) => one.class === 'Batch');
  const paramsOf: (readonly [string, Record<string, fc.Arbitrary<number>>])[] = [
    ...shifted.map(({ id }) => [id, { shift }] as const),
    ...others.filter(({ id }) => id === 'above').map(({ id }) => [id, { times: fc.constantFrom(0.5, 1, 9) }] as const),
    ...others.filter(({ id }) => id === 'mood').map(({ id }) => [id, { level: shift }] as const),
  ];
  const paramsGiven = fc
    .tuple(
      ...paramsOf.map(([id, own]) =>
        fc.option(
          fc.record(own).map((one) => [id, one] as const),
          { nil: undefined },
        ),
      ),
    )
    .map((all): NonNullable<Change['params']> => Object.fromEntries(all.flatMap((one) => (one ? [one] : []))));
  const weights = fc.dictionary(fc.constantFrom(...scorers.map(({ id }) => id)), weight, { minKeys: 1 });
  return fc.oneof(
    fc.record({ weights }),
    fc.record({ without: fc.constantFrom(...removable) }),
    fc.record({ params: paramsGiven }),
    fc.record({ weights, params: paramsGiven }),
  );
}

/** The profile with the change. */
function saying(profile: ProfileInput, { without, weights = {}, params: given = {} }: Change): ProfileInput {
  const gone = [without ?? []].flat();
  const change = <E extends { readonly id: string; readonly params?: unknown }>(entries: readonly E[] = []): E[] =>
    entries
      .filter(({ id }) => !gone.includes(id))
      .map((one) => ({
        ...one,
        ...(given[one.id] && { params: { ...(one.params as object), ...given[one.id] } }),
        ...(Object.hasOwn(weights, one.id) && { weight: weights[one.id] }),
      }));
  return {
    ...profile,
    signals: change(profile.signals),
    tier1_scorers: change(profile.tier1_scorers),
    measures: change(profile.measures),
    tier2_scorers: change(profile.tier2_scorers),
    adjustments: change(profile.adjustments),
  };
}

/** Everything that a ranking reports, explanations included. */
const said = (ranking: Ranking<Candidate>, size: number) => ({
  ranked: ranking.ranked,
  selected: ranking.selected,
  notSelected: ranking.notSelected,
  refused: ranking.refused,
  degraded: ranking.degraded,
  pruned: ranking.pruned,
  totals: [...ranking.matrix.totals],
  columns: [...ranking.matrix.entries, ...ranking.matrix.children].map((id) => [
    id,
    ...ranking.matrix.column(id).values,
  ]),
  weighedAgain: ranking.pruned ? undefined : ranking.reweigh({}).ranked,
  explained: Array.from({ length: size }, (_, index) => ranking.explain({ index })),
});

const field = fc.oneof({ weight: 7, arbitrary: positive }, { weight: 1, arbitrary: odd });
const context = { extra: 0.25, now: 0 };
/** The candidates that update memories: refused by nothing, with any change. */
const lesson = Array.from({ length: 3 }, (_, i): Candidate => ({ id: `l${i}`, f0: 1, f1: 1, f2: 1, f3: 2 }));

async function taught(profile: ProfileInput) {
  const pipeline = await createPipeline<Candidate>(profile, { units, codegen: true });
  await pipeline.rank(lesson, context, { prune: false });
  return pipeline;
}

/** The candidates of an entry's calls. */
const askedOf = (id: string, from: readonly Prepared[]): readonly unknown[] =>
  from.filter(({ entry: of }) => of === id).flatMap(({ candidates }) => candidates);

const byCandidate = ({ class: name, params: own }: ProfileEntry): boolean =>
  name === 'Batch' && (own as Params).scope === 'candidate' && !(own as Params).fails;

/** Whether candidates reach Tier 2 as before, with the same signals and measures. */
const isTier2 = ({ without, params: given = {} }: Change): boolean =>
  [[without ?? []].flat(), Object.keys(given)].flat().every((id) => /^s\d$|^lift$/.test(id));

describe('a what-if', () => {
  test('equals the ranking of the changed profile, and prepares again only changed entries', async () => {
    let reused = 0;
    const cases = profiles.chain((profile) =>
      fc.tuple(fc.constant(profile), changesOf(profile), candidatesWith(field)),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ([profile, change, candidates]) => {
        const ranking = await (await taught(profile)).rank(candidates, context);
        const before = prepared.splice(0);
        const otherwise = await ranking.whatIf(change);
        const asked = prepared.splice(0);
        const anew = await (await taught(saying(profile, change))).rank(candidates, context);
        prepared.length = 0;
        expect(said(otherwise, candidates.length)).toEqual(said(anew, candidates.length));
        expect(prepared).toEqual([]); // explaining prepares nothing
        const touched = Object.keys(change.params ?? {});
        const isWhole = profile.select?.top === undefined; // otherwise some are called in batches, depending on the others
        if (isWhole && isTier2(change)) expect(touched).toEqual(expect.arrayContaining(asked.map((one) => one.entry)));
        if (!isTier2(change) && (profile.measures || profile.signals)) return; // they may differ now
        for (const one of profile.tier2_scorers!) {
          if (!byCandidate(one) || touched.includes(one.id)) continue;
          const [then, now] = [askedOf(one.id, before), askedOf(one.id, asked)];
          expect(now.filter((candidate) => then.includes(candidate))).toEqual([]);
          reused++;
        }
      }),
      { numRuns: 400 },
    );
    expect(reused).toBeGreaterThan(50);
  });

  test('of a what-if equals the ranking with both changes', async () => {
    const cases = profiles.chain((profile) =>
      fc.tuple(fc.constant(profile), changesOf(profile), changesOf(profile), candidatesWith(field)),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ([profile, first, second, candidates]) => {
        const gone = new Set([first.without ?? []].flat());
        const named = [
          [second.without ?? []].flat(),
          Object.keys(second.weights ?? {}),
          Object.keys(second.params ?? {}),
        ];
        fc.pre(!named.flat().some((id) => gone.has(id)));
        const ranking = await (await taught(profile)).rank(candidates, context);
        const twice = await (await ranking.whatIf(first)).whatIf(second);
        const anew = await (await taught(saying(saying(profile, first), second))).rank(candidates, context);
        expect(said(twice, candidates.length)).toEqual(said(anew, candidates.length));
      }),
      { numRuns: 200 },
    );
  });
});
