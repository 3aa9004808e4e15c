import { type AssizeError, checkOptions, integerFrom, toAssizeError } from '../../diagnostics/index.js';
import { type CandidateMove, influences, type RankingCounts, type RankingDiff } from './ranking-diff.js';
import { deepFreeze, omitUndefined } from '../../explain/index.js';
import type { Ranking } from '../ranking.js';

export interface RankingDiffOptions {
  /** How many of the candidates that changed are listed with their influences; 20 when not given. */
  readonly most?: number;
}

const DEFAULT_MOVES = 20;

/** The place of a candidate in one ranking. */
interface RankPlacement {
  readonly id: string;
  readonly candidate: unknown;
  /** Missing for a refused or pinned candidate. */
  rank?: number;
  refused?: true;
  selected?: true;
}

/**
 * Compares two rankings of the same candidates: the candidates whose rank, selection or refusal changed, and the scorers
 * and rules that changed it. Candidates are matched by position. O(n log n), and two explanations for each listed move.
 *
 * ```ts
 * const { counts, moves } = diffRankings(ranking, await ranking.whatIf({ weights: { novelty: 0.5 } }));
 * ```
 *
 * @throws AssizeError where the two are not of the same candidates (ASZ508), or one has changed since (ASZ503)
 */
export function diffRankings<T>(before: Ranking<T>, after: Ranking<T>, options: RankingDiffOptions = {}): RankingDiff {
  checkOptions('diffRankings', options, { most: integerFrom(0) });
  const { most = DEFAULT_MOVES } = options;
  const [old, now] = [placementsOf(before), placementsOf(after)];
  checkSameCandidates(old, now);
  const changed = [...old].flatMap(([index, was]) => {
    const is = now.get(index);
    return is && hasMoved(was, is) ? [{ index, was, is }] : [];
  });
  const count = (test: (was: RankPlacement, is: RankPlacement) => boolean): number =>
    changed.filter(({ was, is }) => test(was, is)).length;
  const listed = changed.toSorted(
    (x, y) => moveSize(y.was, y.is) - moveSize(x.was, x.is) || rankOrLast(x.is) - rankOrLast(y.is),
  );
  return deepFreeze({
    before: { profile: before.profile, ...countsOf(before) },
    after: { profile: after.profile, ...countsOf(after) },
    counts: {
      given: old.size,
      moved: count((was, is) => rankDistance(was, is) > 0),
      entered: count((was, is) => !was.selected && is.selected === true),
      left: count((was, is) => was.selected === true && !is.selected),
      refused: count((was, is) => !was.refused && is.refused === true),
      admitted: count((was, is) => was.refused === true && !is.refused),
      changed: changed.length,
    },
    moves: listed.slice(0, most).map(({ index }) => candidateMove(before, after, index)),
  });
}

function candidateMove<T>(before: Ranking<T>, after: Ranking<T>, index: number): CandidateMove {
  const [was, is] = [before.explain({ index }), after.explain({ index })];
  const { id, sameId } = is;
  return omitUndefined({ id, index, sameId, before: was.outcome, after: is.outcome, because: influences(was, is) });
}

const countsOf = ({ ranked, selected, refused }: Ranking<unknown>): RankingCounts => ({
  ranked: ranked.length,
  selected: selected.length,
  refused: refused.length,
});

function placementsOf({ ranked, selected, leftOut, refused }: Ranking<unknown>): ReadonlyMap<number, RankPlacement> {
  const places = new Map<number, RankPlacement>();
  for (const { index, id, candidate, rank } of ranked) places.set(index, { id, candidate, rank });
  for (const { index, id, candidate } of refused) places.set(index, { id, candidate, refused: true });
  for (const { index, id, candidate } of leftOut) if (!places.has(index)) places.set(index, { id, candidate }); // pinned
  for (const { index, id, candidate, because } of selected) {
    if (index < 0) continue; // not given: a fallback generated it
    // A candidate that a fallback selects is in no other list, unless it is ranked.
    const place: RankPlacement = places.get(index) ?? {
      id,
      candidate,
      ...(because === 'fallback' && { refused: true }),
    };
    place.selected = true;
    places.set(index, place);
  }
  return places;
}

function hasMoved(was: RankPlacement, is: RankPlacement): boolean {
  return was.rank !== is.rank || was.refused !== is.refused || was.selected !== is.selected;
}

/** How many ranks a candidate moved; 0 where it is not ranked in both. */
const rankDistance = ({ rank: was }: RankPlacement, { rank: is }: RankPlacement): number =>
  was === undefined || is === undefined ? 0 : Math.abs(was - is);

/** Orders the moves: changed verdicts, then changed selections, then the most ranks. */
function moveSize(was: RankPlacement, is: RankPlacement): number {
  const verdict = was.refused !== is.refused || (was.rank === undefined) !== (is.rank === undefined);
  return (verdict ? 2 : was.selected === is.selected ? 0 : 1) * 1e12 + rankDistance(was, is);
}

const rankOrLast = ({ rank }: RankPlacement): number => rank ?? Number.MAX_SAFE_INTEGER;

/** Candidates are matched by position, so that both rankings must be of the same list. */
function checkSameCandidates(old: ReadonlyMap<number, RankPlacement>, now: ReadonlyMap<number, RankPlacement>): void {
  const wrong = (message: string): AssizeError =>
    toAssizeError([{ code: 'ASZ508', message, hint: 'give both profiles the same list of candidates' }]);
  if (old.size !== now.size) throw wrong(`the rankings are of ${old.size} and of ${now.size} candidates`);
  for (const [index, { id, candidate }] of old) {
    const other = now.get(index);
    if (other?.candidate === candidate || other?.id === id) continue;
    throw wrong(`candidate ${index} is ${id} in one ranking, and ${other?.id ?? 'not there'} in the other`);
  }
}
