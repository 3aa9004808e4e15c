import type { AssizeError } from '../../contract/index.js';
import { failure } from '../../document/failure.js';
import { frozen } from '../../explain/plain.js';
import { influences, type Move, type RankingCounts, type RankingDiff } from '../../explain/ranking-diff.js';
import { atLeast, checkOptions } from '../check-options.js';
import type { Ranking } from '../ranking.js';

export interface DiffOptions {
  /** How many of the candidates that changed are listed, with what changed them; 20 when not said. */
  readonly most?: number;
}

const MOST = 20;

/** Where a candidate stands, as far as it takes to see that it moved. */
interface Place {
  readonly id: string;
  readonly candidate: unknown;
  /** Missing for what is refused, or pinned. */
  rank?: number;
  refused?: true;
  selected?: true;
}

/**
 * How two rankings of the same candidates differ: whose rank, selection or refusal changed, and which scorers and rules
 * changed it. Candidates are matched by their position. Only what is listed is explained: O(n log n) for the rest.
 *
 * ```ts
 * const { counts, moves } = diffRankings(ranking, await ranking.whatIf({ weights: { novelty: 0.5 } }));
 * ```
 *
 * @throws AssizeError where the two are not of the same candidates (ASZ508), or one has changed since (ASZ503)
 */
export function diffRankings<T>(before: Ranking<T>, after: Ranking<T>, options: DiffOptions = {}): RankingDiff {
  checkOptions('diffRankings', options, { most: atLeast(0) });
  const { most = MOST } = options;
  const [old, now] = [placesOf(before), placesOf(after)];
  checkSame(old, now);
  const changed = [...old].flatMap(([index, was]) => {
    const is = now.get(index);
    return is && differ(was, is) ? [{ index, was, is }] : [];
  });
  const count = (test: (was: Place, is: Place) => boolean): number =>
    changed.filter(({ was, is }) => test(was, is)).length;
  const listed = changed.toSorted((x, y) => weightOf(y.was, y.is) - weightOf(x.was, x.is) || nowAt(x.is) - nowAt(y.is));
  return frozen({
    before: { profile: before.profile, ...countsOf(before) },
    after: { profile: after.profile, ...countsOf(after) },
    counts: {
      given: old.size,
      moved: count((was, is) => distance(was, is) > 0),
      entered: count((was, is) => !was.selected && is.selected === true),
      left: count((was, is) => was.selected === true && !is.selected),
      refused: count((was, is) => !was.refused && is.refused === true),
      admitted: count((was, is) => was.refused === true && !is.refused),
      changed: changed.length,
    },
    moves: listed.slice(0, most).map(({ index }) => moveOf(before, after, index)),
  });
}

function moveOf<T>(before: Ranking<T>, after: Ranking<T>, index: number): Move {
  const [was, is] = [before.explain({ index }), after.explain({ index })];
  return { id: is.id, index, before: was.outcome, after: is.outcome, because: influences(was, is) };
}

const countsOf = ({ ranked, selected, refused }: Ranking<unknown>): RankingCounts => ({
  ranked: ranked.length,
  selected: selected.length,
  refused: refused.length,
});

function placesOf({ ranked, selected, leftOut, refused }: Ranking<unknown>): ReadonlyMap<number, Place> {
  const places = new Map<number, Place>();
  for (const { index, id, candidate, rank } of ranked) places.set(index, { id, candidate, rank });
  for (const { index, id, candidate } of refused) places.set(index, { id, candidate, refused: true });
  for (const { index, id, candidate } of leftOut) if (!places.has(index)) places.set(index, { id, candidate }); // pinned
  for (const { index, id, candidate, because } of selected) {
    if (index < 0) continue; // only a fallback made it
    // What a fallback brings back is in no other list, unless it is ranked.
    const place: Place = places.get(index) ?? { id, candidate, ...(because === 'fallback' && { refused: true }) };
    place.selected = true;
    places.set(index, place);
  }
  return places;
}

function differ(was: Place, is: Place): boolean {
  return was.rank !== is.rank || was.refused !== is.refused || was.selected !== is.selected;
}

/** How many ranks lie between; 0 where one of the two is none. */
const distance = ({ rank: was }: Place, { rank: is }: Place): number =>
  was === undefined || is === undefined ? 0 : Math.abs(was - is);

/** What is listed first: another verdict, then another selection, then the longest way. */
function weightOf(was: Place, is: Place): number {
  const verdict = was.refused !== is.refused || (was.rank === undefined) !== (is.rank === undefined);
  return (verdict ? 2 : was.selected === is.selected ? 0 : 1) * 1e12 + distance(was, is);
}

const nowAt = ({ rank }: Place): number => rank ?? Number.MAX_SAFE_INTEGER;

/** Other candidates at the same positions have nothing to do with each other. */
function checkSame(old: ReadonlyMap<number, Place>, now: ReadonlyMap<number, Place>): void {
  const wrong = (message: string): AssizeError =>
    failure([{ code: 'ASZ508', message, hint: 'give both profiles the same list of candidates' }]);
  if (old.size !== now.size) throw wrong(`the rankings are of ${old.size} and of ${now.size} candidates`);
  for (const [index, { id, candidate }] of old) {
    const other = now.get(index);
    if (other?.candidate === candidate || other?.id === id) continue;
    throw wrong(`candidate ${index} is ${id} in one ranking, and ${other?.id ?? 'not there'} in the other`);
  }
}
