import { timeoutSignal } from '../contract/index.js';
import { checkOptions, FUNCTION, integerFrom, type OptionTypes } from '../diagnostics/index.js';
import { diffRankings, type Pipeline, type Ranking, type RankingDiff } from '../index.js';
import type { Random } from './significance/distributions.js';
import { signTest } from './significance/tests.js';

/** Which of two rankings an item was taken from. */
export type Team = 'a' | 'b';

/** An item of an interleaved list. */
export interface DraftedItem<T> {
  readonly item: T;
  /** Undefined for an item that is shown after one of the rankings is exhausted: clicks on it count for neither. */
  readonly team: Team | undefined;
}

/** What people did with one interleaved list: how many of the items that they clicked each ranking had brought. */
export interface Credit {
  readonly a: number;
  readonly b: number;
}

/**
 * Interleaves two rankings as two captains pick teams: in each round a coin says who picks first, and each picks the best
 * of its own ranking that is not taken yet. A click then counts for the ranking that contributed the item, and position
 * favours neither (Radlinski, Kurup and Joachims 2008).
 *
 * Teams stop picking when either ranking is exhausted. Otherwise the longer ranking would have more items in the list and
 * win by their number alone. The remaining items are shown after them and belong to no team. O(length).
 *
 * ```ts
 * const shown = teamDraft(live.ranked, other.ranked, { key: ({ id }) => id, length: 10, random: Math.random });
 * ```
 *
 * @param a best first; so is `b`
 */
export function teamDraft<T>(
  a: readonly T[],
  b: readonly T[],
  options: {
    /** What makes two items the same one. */
    readonly key: (item: T) => unknown;
    /** How many are shown; all when not given. */
    readonly length?: number;
    readonly random: Random;
  },
): readonly DraftedItem<T>[] {
  const { key, length = Number.POSITIVE_INFINITY, random } = options;
  const drafted: DraftedItem<T>[] = [];
  const taken = new Set<unknown>();
  const next = { a: 0, b: 0 };
  const lists = { a, b };
  /** The position of a ranking's best item that is not taken, at a position or after it; its length if there is none. */
  const free = (team: Team, from: number, except?: T): number => {
    const list = lists[team];
    const isTaken = (item: T): boolean => taken.has(key(item)) || (except !== undefined && key(item) === key(except));
    let at = from;
    while (at < list.length && isTaken(list[at]!)) at += 1;
    return at;
  };
  const canAnswer = (first: Team, second: Team): boolean => {
    const item = lists[first][next[first]];
    return item !== undefined && free(second, next[second], item) < lists[second].length;
  };
  const show = (item: T, team: Team | undefined): void => {
    if (drafted.length >= length) return;
    taken.add(key(item));
    drafted.push({ item, team });
  };
  while (drafted.length < length) {
    for (const team of ['a', 'b'] as const) next[team] = free(team, next[team]);
    // Checked for both orders before the coin: a round that only one order completes would favour a team by position.
    if (!canAnswer('a', 'b') || !canAnswer('b', 'a')) break;
    const order: readonly [Team, Team] = random() < 0.5 ? ['a', 'b'] : ['b', 'a'];
    for (const team of order) show(lists[team][free(team, next[team])]!, team);
  }
  const longer = a.length - next.a >= b.length - next.b ? [a, b] : [b, a];
  for (const item of longer.flat()) if (!taken.has(key(item))) show(item, undefined);
  return drafted;
}

/** How many of the clicked items each ranking had brought. An item that was not shown counts for neither. */
export function creditOf<T>(shown: readonly DraftedItem<T>[], clicked: (item: T) => boolean): Credit {
  const of = (team: Team): number => shown.filter((one) => one.team === team && clicked(one.item)).length;
  return { a: of('a'), b: of('b') };
}

/** Which of two rankings people preferred. */
export interface InterleavedComparison {
  /** How many lists each of them won, by more clicks; and how many neither did. */
  readonly a: number;
  readonly b: number;
  readonly ties: number;
  /** The share of the lists that b won, of those that one of the two won; NaN where none was. */
  readonly share: number;
  /** Two-sided, of the sign test. */
  readonly p: number;
  readonly verdict: 'a is preferred' | 'b is preferred' | 'no difference shown';
}

const LEVEL = 0.05;

/**
 * Whether people preferred one of two rankings, by the credits of interleaved lists: the sign test over the lists that
 * one of the two won. Lists of one person are alike: give one credit a person, the sum of all of hers.
 */
export function compareInterleaved(credits: Iterable<Credit>): InterleavedComparison {
  const won = { a: 0, b: 0, ties: 0 };
  for (const { a, b } of credits) won[a > b ? 'a' : b > a ? 'b' : 'ties'] += 1;
  const p = signTest(won.a, won.b);
  const verdict = p >= LEVEL ? 'no difference shown' : won.a > won.b ? 'a is preferred' : 'b is preferred';
  return { ...won, share: won.b / (won.a + won.b), p, verdict };
}

export interface ShadowOptions {
  /** Called with what the shadow would have changed, after the answer was given; not where nothing differs. */
  readonly onDifference: (difference: RankingDiff) => unknown;
  /** Called with why the shadow has no ranking, or why `onDifference` failed. Ignored when not given. */
  readonly onFailure?: (error: unknown) => unknown;
  /** How many candidates a difference lists; 20 when not given. Each costs two explanations. */
  readonly most?: number;
  /** After so many milliseconds the shadow is stopped; 10,000 when not given. What runs without a pause is not. */
  readonly timeout?: number;
}

/** How often the shadow ran, and with what result. */
export interface ShadowCounts {
  readonly same: number;
  readonly different: number;
  readonly failed: number;
  /** Calls that came while the shadow was still at an earlier one: it did not see them. */
  readonly skipped: number;
}

/** A pipeline whose answers a shadow follows. */
export interface ShadowedPipeline<T> {
  /** The ranking of the live pipeline, as its own `rank` gives it. */
  readonly rank: Pipeline<T>['rank'];
  readonly counts: ShadowCounts;
  /** Resolves when the shadow is idle: for the end of a program, and for tests. */
  settled(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const OPTIONS: OptionTypes = {
  onDifference: FUNCTION,
  onFailure: FUNCTION,
  most: integerFrom(0),
  timeout: integerFrom(1),
};

/**
 * Lets a second profile rank what a live one ranks, to see what it would change. The live one's answer is given first,
 * whatever the shadow does: it starts in a later turn of the event loop, one call at a time, and its failure goes to
 * `onFailure` alone. It updates no memory: its scores are those that the call would have had. It shares this thread: a shadow that computes for long delays what comes next.
 *
 * ```ts
 * const pipeline = withShadow(live, candidate, { onDifference: ({ counts }) => log.info(counts) });
 * const { selected } = await pipeline.rank(repositories);
 * ```
 */
export function withShadow<T>(live: Pipeline<T>, shadow: Pipeline<T>, options: ShadowOptions): ShadowedPipeline<T> {
  checkOptions('withShadow', options, OPTIONS);
  const { onDifference, onFailure, most = 20, timeout = TIMEOUT_MS } = options;
  const counts = { same: 0, different: 0, failed: 0, skipped: 0 };
  let running: Promise<void> | undefined;

  const follow = async (answer: Ranking<T>, [candidates, context = {}, asked = {}]: RankCall<T>): Promise<void> => {
    await nextTurn();
    try {
      const { abort: _, ...same } = asked;
      const abort = timeoutSignal(timeout);
      const ranking = await shadow.rank(candidates, { ...context, now: answer.now }, { ...same, learn: false, abort });
      const difference = diffRankings(answer, ranking, { most });
      const isSame = difference.counts.changed === 0;
      counts[isSame ? 'same' : 'different'] += 1;
      if (!isSame) await onDifference(difference);
    } catch (error) {
      counts.failed += 1;
      await onFailure?.(error);
    }
  };

  return {
    counts,
    async rank(...call) {
      const answer = await live.rank(...call);
      if (running) counts.skipped += 1;
      else {
        running = follow(answer, call)
          .catch(() => {}) // onFailure itself has failed: there is nothing left to call
          .finally(() => {
            running = undefined;
          });
      }
      return answer;
    },
    async settled() {
      await running;
    },
  };
}

type RankCall<T> = Parameters<Pipeline<T>['rank']>;

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
