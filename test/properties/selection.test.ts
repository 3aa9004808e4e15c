/* Order, cut and fallback, compared with a naive implementation. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput, type Ranked } from 'assize';
import { type Candidate, candidatesWith } from './arbitraries.js';
import { field, profiles, units } from './losing.js';
import { rankBy } from './ranked.js';

/** The value of an expression that reads one field, or a list of it: null is absent. */
const keyOf = (expression: string, candidate: Candidate): unknown =>
  candidate[expression.match(/f\d/)![0]] ?? undefined;

/** Numbers come first, then NaN, then strings, then absent values. */
const kindOf = (key: unknown): number =>
  key === undefined ? 3 : typeof key === 'string' ? 2 : Number.isNaN(key) ? 1 : 0;

/** Whether a candidate comes before another of the same score. */
function isFirst(ties: readonly string[], a: Ranked<Candidate>, b: Ranked<Candidate>): boolean {
  for (const tie of ties) {
    if (tie === 'input') break;
    const [one, other] = [keyOf(tie, a.candidate), keyOf(tie, b.candidate)];
    if (kindOf(one) !== kindOf(other)) return kindOf(one) < kindOf(other);
    if (kindOf(one) === 0 && one !== other) return (one as number) < (other as number);
  }
  return a.index < b.index;
}

type Left = readonly [id: string, reason: string, instead: readonly string[] | undefined];

/** The selected and left out of candidates that are in order, best first. */
function model(
  { duplicates, min_score = -Infinity, per, top = Infinity }: NonNullable<ProfileInput['select']>,
  rows: readonly Ranked<Candidate>[],
) {
  const selected: string[] = [];
  const left: Left[] = [];
  const firstWith = new Map<unknown, string>();
  const groups = new Map<unknown, string[]>();
  for (const { id, score, candidate } of rows) {
    const key = duplicates === undefined ? undefined : keyOf(duplicates, candidate);
    const first = key === undefined ? undefined : firstWith.get(key);
    if (first !== undefined) left.push([id, 'duplicate', [first]]);
    else {
      if (key !== undefined) firstWith.set(key, id);
      if (score < Number(min_score)) left.push([id, 'min_score', undefined]);
      else if (selected.length >= Number(top)) left.push([id, 'top', undefined]);
      else {
        const group = per && keyOf(per.by, candidate);
        const others = groups.get(group) ?? [];
        if (per && group !== undefined && others.length >= per.top) left.push([id, 'per', others]);
        else {
          groups.set(group, [...others, id]);
          selected.push(id);
        }
      }
    }
  }
  return { selected, left };
}

/** The fallback if nothing is selected: a generated candidate, or one of the given. */
const fallingTo = (use: string, candidates: readonly Candidate[]): string[] =>
  use === 'spare' ? ['spare/spare'] : candidates.some(({ id }) => id === use) ? [use] : [];

describe('select', () => {
  test('orders, cuts and falls back like a naive implementation', async () => {
    const reasons = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(profiles, candidatesWith(field, 20), async (drawn, candidates: Candidate[]) => {
        const profile = { ...drawn, tier1_scorers: [] }; // refused candidates are never read
        const { ranked, selected, notSelected } = await rankBy(profile, candidates, {}, { units });
        const { select = {}, fallback = [] } = profile;
        for (const [k, row] of ranked.entries()) {
          expect(row.rank).toBe(k + 1);
          const next = ranked[k + 1];
          if (next)
            expect(row.score === next.score ? isFirst(select.ties ?? [], row, next) : row.score > next.score).toBe(
              true,
            );
        }
        const expected = model(select, ranked);
        const scored = selected.filter(({ because }) => because === undefined);
        expect(scored.map(({ id }) => id)).toEqual(expected.selected);
        for (const { id, rank, score } of scored) expect(ranked[rank! - 1]).toMatchObject({ id, score });
        const fallen = selected.filter(({ because }) => because === 'fallback').map(({ id }) => id);
        expect(fallen).toEqual(
          selected.length > fallen.length ? [] : fallback.flatMap(({ use }) => fallingTo(use, candidates)),
        );
        const left = expected.left.filter(([id]) => !fallen.includes(id));
        expect(notSelected.map(({ id, reason, replacedBy }): Left => [id, reason, replacedBy])).toEqual(left);
        for (const [, reason] of left) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }),
      { numRuns: 300 },
    );
    for (const reason of ['duplicate', 'min_score', 'top']) expect(reasons.get(reason)).toBeGreaterThan(5);
  });

  test('breaks ties by infinite numbers too, and puts values that are not numbers last', async () => {
    const pipeline = await createPipeline<{ id: string; k: number }>({
      tier2_scorers: [{ id: 's', expr: '1.0' }],
      select: { top: 4, ties: ['candidate.k', 'candidate.id'] },
    });
    const all: [string, number][] = [
      ['f', Number.NaN],
      ['e', Infinity],
      ['d', 2],
      ['c', Number.NaN],
      ['b', Infinity],
      ['a', 3],
    ];
    const candidates = all.map(([id, k]) => ({ id, k }));
    const { ranked } = await pipeline.rank(candidates);
    expect(ranked.map(({ id }) => id)).toEqual(['d', 'a', 'b', 'e', 'c', 'f']);
    const { selected } = await pipeline.rankStream(candidates);
    expect(selected.map(({ id }) => id)).toEqual(['d', 'a', 'b', 'e']);
  });

  test('distinguishes lists of numbers that are equal as JSON', async () => {
    const keys = [[Number.NaN], [Infinity], [Number.NaN], ['NaN'], [null]];
    const candidates = keys.map((k, i) => ({ id: `c${i}`, k }));
    const ranking = await rankBy({ select: { duplicates: 'candidate.k' } }, candidates);
    expect(ranking.selected.map(({ id }) => id)).toEqual(['c0', 'c1', 'c3', 'c4']);
  });
});
