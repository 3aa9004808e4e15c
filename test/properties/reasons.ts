/* Profiles that exclude candidates in every way, and each reason implemented again: whether its sentence is true. */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { ProfileInput, Ranking } from 'assize';

export interface Offer {
  readonly id: string;
  readonly s0?: number | undefined;
  readonly s1?: number | undefined;
  readonly s2?: number | undefined;
  readonly brand?: string | undefined;
  readonly kind: readonly string[];
  readonly twin?: number | undefined;
  readonly tokens?: number | undefined;
  readonly keep: boolean;
}

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const eighth = fc.integer({ min: -4, max: 8 }).map((n) => Math.max(0, n) / 8);
const rating = fc.option(eighth, { nil: undefined, freq: 5 });

export const offers: fc.Arbitrary<readonly Offer[]> = fc
  .array(
    fc.record({
      s0: rating,
      s1: rating,
      s2: rating,
      brand: fc.constantFrom('acme', 'bolt', 'cord', undefined),
      kind: fc.subarray(['p', 'q', 'r']),
      twin: fc.option(fc.nat(6), { nil: undefined, freq: 2 }),
      tokens: fc.option(fc.integer({ min: -1, max: 9 }), { nil: undefined, freq: 9 }),
      keep: fc.nat(9).map((n) => n === 0),
    }),
    { maxLength: 24, size: 'max' },
  )
  .map((all) =>
    // A pinned candidate must have a cost.
    all.map((one, k): Offer => ({ ...one, id: `c${k}`, ...(one.keep && { tokens: Math.max(0, one.tokens ?? 1) }) })),
  );

const scorer = fc.record({
  weight: fc.integer({ min: 1, max: 4 }),
  on_absent: fc.constantFrom<'skip' | 'refuse' | number>('skip', 'skip', 'refuse', 0.25),
});

export const specs = fc.record({
  vetoBelow: some(fc.integer({ min: 1, max: 4 }).map((n) => n / 8)),
  vetoAbsent: fc.constantFrom<'pass' | 'refuse'>('pass', 'refuse'),
  scorers: fc.tuple(scorer, scorer, scorer),
  refuseKind: fc.nat(5).map((n) => n === 0),
  pinned: fc.boolean(),
  min_score: some(fc.integer({ min: 0, max: 6 }).map((n) => n / 8)),
  duplicates: fc.boolean(),
  per: some(fc.integer({ min: 1, max: 3 })),
  top: some(fc.integer({ min: -2, max: 8 }).map((n) => Math.max(0, n))),
  diversify: some(fc.constantFrom('MmrSelector', 'CoverageSelector')),
  lambda: fc.constantFrom(0, 0.25, 0.5, 0.75, 1),
  pack: some(fc.constantFrom('GreedyPack', 'KnapsackPack')),
  budget: fc.integer({ min: 0, max: 40 }),
  overflow: fc.constantFrom<'truncate' | 'proceed'>('truncate', 'proceed'),
  place: fc.boolean(),
  fallback: fc.boolean(),
});
export type Spec = typeof specs extends fc.Arbitrary<infer S> ? S : never;

/** More than the total cost of everything pinned. */
const MAX_BUDGET = 10_000;
const BUCKET = 2;

export const profileOf = (spec: Spec): ProfileInput => ({
  plugins: ['cupel'],
  ...(spec.pinned && { candidate: { pinned: 'candidate.keep' } }),
  tier1_scorers: spec.vetoBelow
    ? [{ id: 'low', expr: `candidate.s0 < ${spec.vetoBelow}`, on_absent: spec.vetoAbsent }]
    : [],
  tier2_scorers: spec.scorers.map((one, k) => ({ id: `s${k}`, expr: `candidate.s${k}`, ...one })),
  adjustments: spec.refuseKind
    ? [
        {
          id: 'kinds',
          multiply: { table: { yes: 0 }, by: ['candidate.kind.size() == 2 ? "yes" : "no"'], zero: 'refuse' },
        },
      ]
    : [],
  select: {
    ...(spec.min_score !== undefined && { min_score: spec.min_score }),
    ...(spec.duplicates && { duplicates: 'candidate.twin' }),
    ...(spec.per !== undefined && { per: { by: 'candidate.brand', top: spec.per } }),
    ...(spec.top !== undefined && { top: spec.top }),
    ...(spec.diversify === 'MmrSelector' && {
      diversify: { class: 'MmrSelector', params: { fields: 'kind', lambda: spec.lambda } },
    }),
    ...(spec.diversify === 'CoverageSelector' && {
      diversify: { class: 'CoverageSelector', params: { topics: 'kind' } },
    }),
    ...(spec.pack && {
      pack: {
        cost: 'candidate.tokens',
        budget: { target: spec.budget, max: MAX_BUDGET },
        overflow: spec.overflow,
        class: spec.pack,
        ...(spec.pack === 'KnapsackPack' && { params: { bucket_size: BUCKET } }),
      },
    }),
    ...(spec.place && { place: { class: 'UShaped' } }),
  },
  ...(spec.fallback && { fallback: [{ use: 'c1' }] }),
});

export const hasPages = ({ diversify, pack, place, top }: Spec): boolean =>
  !diversify && !pack && !place && top !== undefined;

type Left = Ranking<Offer>['notSelected'][number];
type Scored = Ranking<Offer>['ranked'][number];

/** One result without the engine: the raw candidates, the numbers of the profile, and the selected ones. */
class Outcome {
  /** Scored candidates that are offered to the classes, best first. */
  readonly offered: readonly Scored[];
  /** By id, of the selected and those on earlier pages. */
  readonly selected: ReadonlySet<string>;
  readonly pinned: readonly Offer[];
  /** The rows chosen before packing, in order. */
  readonly chosen: readonly Choice[];
  readonly ranked: ReadonlyMap<string, Scored>;

  constructor(
    readonly spec: Spec,
    readonly ranking: Ranking<Offer>,
    /** The scored rows that are selected on earlier pages, in order. */
    readonly earlier: readonly string[],
  ) {
    const own = ranking.selected.filter(({ because }) => because !== 'fallback');
    this.selected = new Set([...earlier, ...own.map(({ id }) => id)]);
    this.pinned = own.filter(({ because }) => because === 'pinned').map(({ candidate }) => candidate);
    this.ranked = new Map(ranking.ranked.map((row) => [row.id, row]));
    const seen = new Set<number>();
    this.offered = ranking.ranked.filter(({ candidate: { twin }, score }) => {
      const isDuplicate = spec.duplicates && twin !== undefined && seen.has(twin);
      if (twin !== undefined) seen.add(twin);
      return !isDuplicate && score >= (spec.min_score ?? -Infinity);
    });
    this.chosen = this.#choose(earlier.length + (spec.top ?? Infinity));
  }

  /** The value of each offered row after the chosen ones, by the definition of the class; by score without one. */
  value({ candidate, score }: Scored, before: readonly Offer[]): number {
    const { diversify, lambda } = this.spec;
    if (diversify === undefined) return 0; // the better ranked comes first
    if (diversify === 'CoverageSelector') {
      const times = candidate.kind.map((topic) => before.filter(({ kind }) => kind.includes(topic)).length);
      return times.length === 0 ? -Number.MAX_VALUE : -Math.min(...times);
    }
    const scores = this.offered.map((row) => row.score);
    const [least, most] = [Math.min(...scores), Math.max(...scores)];
    const relevance = most > least ? (score / 2 - least / 2) / (most / 2 - least / 2) : 1;
    return lambda * relevance - (1 - lambda) * Math.max(0, ...before.map((one) => alike(candidate, one)));
  }

  #choose(top: number): readonly Choice[] {
    const chosen: Choice[] = [];
    const open = [...this.offered];
    while (chosen.length < top && open.length > 0) {
      const before = [...this.pinned, ...chosen.map(({ row }) => row.candidate)];
      const allowed = open.filter(({ candidate }) => !this.isFull(candidate, chosen));
      const values = allowed.map((row) => this.value(row, before));
      const at = values.indexOf(Math.max(...values));
      const row = allowed[at];
      if (!row) break;
      chosen.push({ row, value: values[at]! });
      open.splice(open.indexOf(row), 1);
    }
    return chosen;
  }

  isFull({ brand }: Offer, among: readonly Choice[]): boolean {
    return brand !== undefined && among.filter(({ row }) => row.candidate.brand === brand).length === this.spec.per;
  }
}

interface Choice {
  readonly row: Scored;
  readonly value: number;
}

function alike(a: Offer, b: Offer): number {
  const common = a.kind.filter((one) => b.kind.includes(one)).length;
  return common === 0 ? 0 : common / (a.kind.length + b.kind.length - common);
}

const near = (a: unknown, b: number): void => expect(a).toBeCloseTo(b, 9);

/** Whether the sentence of a row that is left out is true, by its reason. */
const SENTENCES: Readonly<Record<string, (left: Left, outcome: Outcome) => void>> = {
  duplicate({ candidate, replacedBy = [], text, rank }, { ranked }) {
    expect(text).toBe('duplicate of a better candidate');
    const [other] = replacedBy.map((id) => ranked.get(id)!);
    expect(replacedBy).toHaveLength(1);
    expect(other!.candidate.twin).toBe(candidate.twin);
    expect(other!.rank).toBeLessThan(rank!);
  },
  min_score({ text, score }, { spec }) {
    expect(text).toBe('scored below min_score');
    expect(score).toBeLessThan(spec.min_score!);
  },
  per(left, outcome) {
    const { candidate, text, replacedBy = [] } = left;
    expect(text).toBe(`${outcome.spec.per} of ${candidate.brand} are already selected`);
    expect(replacedBy).toHaveLength(outcome.spec.per!);
    membersAreSelected(left, outcome);
  },
  per_before(left, outcome) {
    const { candidate, text, replacedBy = [] } = left;
    const { per } = outcome.spec;
    expect(text).toBe(`${per} of ${candidate.brand} ranked before it, and ${replacedBy.length} of them are selected`);
    expect(replacedBy.length).toBeLessThan(per!);
    membersAreSelected(left, outcome);
    // The missing ones were offered to the packer, which left them out.
    const members = outcome.chosen.filter(({ row }) => row.candidate.brand === candidate.brand);
    expect(members).toHaveLength(per!);
  },
  offset({ id, text }, { earlier, ranking }) {
    expect(text).toBe('before the offset');
    const isPinned = ranking.ranked.every((row) => row.id !== id);
    expect(isPinned || earlier.includes(id)).toBe(true);
  },
  top({ text, rank }, { spec, earlier, ranking }) {
    expect(text).toBe('below the top');
    const scored = earlier.map((id) => ranking.ranked.find((row) => row.id === id)!.rank);
    for (const row of ranking.selected) if (row.rank !== undefined) scored.push(row.rank);
    if (!spec.pack) expect(scored).toHaveLength(earlier.length + spec.top!);
    expect(Math.max(0, ...scored)).toBeLessThan(rank!);
  },
  too_alike(left, outcome) {
    const { rank, replacedBy = [] } = left;
    expect(marginalValue(left, outcome)).toBeLessThan(Number(left.data!['least']));
    for (const id of replacedBy) {
      expect(outcome.selected.has(id)).toBe(true);
      expect(outcome.ranked.get(id)!.rank).toBeGreaterThan(rank!);
    }
  },
  less_relevant(left, outcome) {
    expect(marginalValue(left, outcome)).toBeLessThan(Number(left.data!['least']));
  },
  equal(left, outcome) {
    expect(marginalValue(left, outcome)).toBe(left.data!['least']);
    expect(outcome.chosen.at(-1)!.row.rank).toBeLessThan(left.rank!);
  },
  none_chosen({ text }, { chosen, spec }) {
    expect(text).toBe('there is no room for any');
    expect([chosen.length, spec.top]).toEqual([0, 0]);
  },
  covered({ candidate, data, replacedBy = [] }, outcome) {
    const { topic, times } = data as { topic: string; times: number };
    expect(candidate.kind).toContain(topic);
    const covering = [...outcome.pinned, ...outcome.chosen.map(({ row }) => row.candidate)].filter(({ kind }) =>
      kind.includes(topic),
    );
    expect([times, covering.length > 0]).toEqual([covering.length, true]);
    const selected = covering.map(({ id }) => id).filter((id) => outcome.selected.has(id));
    expect(replacedBy.toSorted()).toEqual(selected.toSorted());
  },
  uncovered({ data }, { chosen, pinned, spec }) {
    expect(
      [...pinned, ...chosen.map(({ row }) => row.candidate)].some(({ kind }) => kind.includes(String(data!['topic']))),
    ).toBe(false);
    expect(chosen).toHaveLength(spec.top!);
  },
  no_topic({ candidate }) {
    expect(candidate.kind).toEqual([]);
  },
  no_cost({ candidate }) {
    expect(candidate.tokens).toBeUndefined();
  },
  negative_cost({ candidate }) {
    expect(candidate.tokens).toBeLessThan(0);
  },
  no_budget(_, outcome) {
    expect(roomOf(outcome)).toBe(0);
  },
  too_large({ candidate, data }, outcome) {
    const room = roomOf(outcome);
    if (outcome.spec.pack === 'GreedyPack') expect(candidate.tokens).toBeGreaterThan(Number(data!['room']));
    else expect(Math.ceil(candidate.tokens! / BUCKET)).toBeGreaterThan(Math.floor(room / BUCKET));
  },
  no_room: lacksRoom,
  behind: lacksRoom,
  worthless({ score, data }) {
    expect(score).toBeLessThan(Number(data!['least']));
  },
  not_best({ candidate }, outcome) {
    const buckets = (tokens: number): number => Math.ceil(tokens / BUCKET);
    const used = scoredIn(outcome).reduce((sum, { tokens }) => sum + buckets(tokens!), 0);
    expect(used + buckets(candidate.tokens!)).toBeGreaterThan(Math.floor(roomOf(outcome) / BUCKET));
  },
  pinned_first({ candidate, data, replacedBy = [] }, outcome) {
    const pinned = new Map(outcome.pinned.map((one) => [one.id, one.tokens!]));
    const freed = replacedBy.reduce((sum, id) => sum + pinned.get(id)!, 0);
    const room = outcome.spec.budget - costOf(outcome.pinned);
    expect([data!['cost'], data!['room']]).toEqual([candidate.tokens, Math.max(0, room)]);
    expect(candidate.tokens! > room || room <= 0).toBe(true);
    expect(room + freed).toBeGreaterThanOrEqual(candidate.tokens!);
  },
};

/** Every candidate in replacedBy is selected, in its group, and not pinned. */
function membersAreSelected({ candidate, replacedBy = [], rank }: Left, outcome: Outcome): void {
  for (const id of replacedBy) {
    const other = outcome.ranked.get(id)!;
    expect([other.candidate.brand, outcome.selected.has(id)]).toEqual([candidate.brand, true]);
    if (!outcome.spec.diversify) expect(other.rank).toBeLessThan(rank!);
  }
}

/** The value of a row that MMR left out, after the naive choice; its sentence has the same values. */
function marginalValue({ id, data }: Left, outcome: Outcome): number {
  const { chosen, pinned, ranked } = outcome;
  near(data!['value'], outcome.value(ranked.get(id)!, [...pinned, ...chosen.map(({ row }) => row.candidate)]));
  near(data!['least'], chosen.at(-1)!.value);
  expect(outcome.isFull(ranked.get(id)!.candidate, chosen)).toBe(false);
  return Number(data!['value']);
}

function lacksRoom({ candidate, data, replacedBy = [] }: Left, outcome: Outcome): void {
  const room = Number(data!['room']);
  expect(data!['cost']).toBe(candidate.tokens);
  expect(candidate.tokens).toBeGreaterThan(room);
  for (const id of replacedBy) expect(outcome.selected.has(id)).toBe(true);
  const used = costOf(replacedBy.map((id) => outcome.ranked.get(id)!.candidate));
  if (outcome.spec.overflow === 'proceed') expect(used).toBeGreaterThanOrEqual(candidate.tokens! - room);
}

const costOf = (all: readonly Offer[]): number => all.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
const roomOf = ({ spec, pinned }: Outcome): number => Math.max(0, spec.budget - costOf(pinned));
const scoredIn = ({ ranking }: Outcome): readonly Offer[] =>
  ranking.selected.filter(({ rank }) => rank !== undefined).map(({ candidate }) => candidate);

/** Whether the reason of a refusal is true of the raw candidate. */
function checkRefusal(candidate: Offer, kind: string, by: string, spec: Spec): void {
  const values = [candidate.s0, candidate.s1, candidate.s2];
  if (kind === 'unscored') {
    expect(by).toBe('combine');
    expect(values.every((value, k) => value === undefined && spec.scorers[k]!.on_absent === 'skip')).toBe(true);
  } else if (by === 'kinds') expect([kind, candidate.kind.length]).toEqual(['veto', 2]);
  else if (kind === 'absent') {
    const onAbsent = by === 'low' ? spec.vetoAbsent : spec.scorers[Number(by.slice(1))]!.on_absent;
    expect([onAbsent, values[by === 'low' ? 0 : Number(by.slice(1))]]).toEqual(['refuse', undefined]);
  } else {
    expect([kind, by]).toEqual(['veto', 'low']);
    expect(candidate.s0).toBeLessThan(spec.vetoBelow!);
  }
}

/**
 * Checks every reason of a ranking with its own implementation.
 *
 * @param earlier the ids of the scored that are selected on earlier pages
 * @returns the reasons that occurred
 */
export function checkReasons(spec: Spec, ranking: Ranking<Offer>, earlier: readonly string[] = []): readonly string[] {
  const outcome = new Outcome(spec, ranking, earlier);
  for (const row of ranking.refused) for (const { kind, by } of row.all) checkRefusal(row.candidate, kind, by, spec);
  for (const row of ranking.notSelected) {
    const check = SENTENCES[row.reason];
    if (!check) throw new Error(`no sentence is implemented for ${row.reason}`);
    check(row, outcome);
    const { notSelected } = ranking.explain({ index: row.index }).outcome as { notSelected?: object };
    const { reason, text, replacedBy } = row;
    expect(notSelected).toEqual({ reason, text, ...(replacedBy && { replacedBy }) });
  }
  // The group limit applies to the selected, whatever chose them.
  for (const { candidate } of ranking.selected) {
    const same = ranking.selected.filter(({ candidate: one, because }) => !because && one.brand === candidate.brand);
    if (candidate.brand !== undefined && spec.per !== undefined) expect(same.length).toBeLessThanOrEqual(spec.per);
  }
  // The rows chosen before packing follow the definition.
  const unpacked = outcome.chosen.map(({ row }) => row.id).slice(earlier.length);
  const scored = ranking.selected.flatMap(({ id, because }) => (because ? [] : [id]));
  if (!spec.pack) expect(spec.place ? scored.toSorted() : scored).toEqual(spec.place ? unpacked.toSorted() : unpacked);
  else if (!spec.place) expect(scored).toEqual(unpacked.filter((id) => scored.includes(id)));
  return [...ranking.notSelected.map(({ reason }) => reason), ...ranking.refused.map(({ kind }) => kind)];
}
