import { diffRankings, type Pipeline, type Ranking, type RankingDiff } from 'assize';
import { checkOptions } from 'assize/internal';
import type { Random } from './significance/distributions.js';
import { signTest } from './significance/tests.js';

/** The ranking that an item was taken from. */
export type Team = 'a' | 'b';

/** An item of an interleaved list. */
export interface DraftedItem<T> {
  readonly item: T;
  /** Undefined for an item that is shown after one of the rankings is exhausted: clicks on it count for neither. */
  readonly team: Team | undefined;
}

/** The clicks on one interleaved list, by the ranking that contributed the clicked items. */
export interface Credit {
  readonly a: number;
  readonly b: number;
}

/**
 * Interleaves two rankings by team draft. In each round a coin decides which ranking picks first, and each picks its best
 * item that is not in the list yet. A click then counts for the ranking that contributed the item, and position
 * favours neither (Radlinski, Kurup and Joachims 2008).
 *
 * Teams stop picking when either ranking is exhausted. Otherwise the longer ranking would have more items in the list and
 * win by their number alone. The remaining items are shown after them and belong to no team. O(length).
 *
 * ```ts
 * const shown = teamDraft(live.ranked, other.ranked, { key: ({ id }) => id, length: 10 });
 * ```
 *
 * @param a best first; so is `b`
 */
export function teamDraft<T>(
  a: readonly T[],
  b: readonly T[],
  options: {
    /** The identity of an item. */
    readonly key: (item: T) => unknown;
    /** The number of items to show. Default: all. */
    readonly length?: number;
    /** From 0 to below 1. Default: `Math.random`. */
    readonly random?: Random;
  },
): readonly DraftedItem<T>[] {
  const { key, length = Number.POSITIVE_INFINITY, random = Math.random } = options;
  const drafted: DraftedItem<T>[] = [];
  const taken = new Set<unknown>();
  const next = { a: 0, b: 0 };
  const lists = { a, b };
  /** The position of the best item of a ranking that is not taken, from a position on; the length if all are taken. */
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

/** Counts the clicked items by the ranking that contributed them. */
export function creditOf<T>(shown: readonly DraftedItem<T>[], clicked: (item: T) => boolean): Credit {
  const of = (team: Team): number => shown.filter((one) => one.team === team && clicked(one.item)).length;
  return { a: of('a'), b: of('b') };
}

/** The result of `compareInterleaved`. */
export interface InterleavedComparison {
  /** The number of lists that each ranking won by more clicks, and the number of draws. */
  readonly a: number;
  readonly b: number;
  readonly ties: number;
  /** The share of lists that b won, without draws; NaN if all are draws. */
  readonly share: number;
  /** Two-sided, of the sign test. */
  readonly p: number;
  readonly verdict: 'a is preferred' | 'b is preferred' | 'no difference shown';
}

const LEVEL = 0.05;

/**
 * Tests whether users preferred one of two rankings: the sign test over the interleaved lists that one of them won. Lists
 * of one person are not independent: sum the credits of each person first.
 */
export function compareInterleaved(credits: Iterable<Credit>): InterleavedComparison {
  const won = { a: 0, b: 0, ties: 0 };
  for (const { a, b } of credits) won[a > b ? 'a' : b > a ? 'b' : 'ties'] += 1;
  const p = signTest(won.a, won.b);
  const verdict = p >= LEVEL ? 'no difference shown' : won.a > won.b ? 'a is preferred' : 'b is preferred';
  return { ...won, share: won.b / (won.a + won.b), p, verdict };
}

export interface ShadowOptions {
  /** Called after the live answer with the changes that the shadow would have made. Not called without changes. */
  readonly onDifference: (difference: RankingDiff) => unknown;
  /** Called with the error if the shadow or `onDifference` failed. Default: errors are ignored. */
  readonly onFailure?: (error: unknown) => unknown;
  /** The number of candidates in a difference. Each costs two explanations. Default: 20. */
  readonly most?: number;
  /** Milliseconds after which the shadow is aborted. Synchronous work is not interrupted. Default: 10,000. */
  readonly timeout?: number;
}

/** The counts of shadow runs by result. */
export interface ShadowCounts {
  readonly same: number;
  readonly different: number;
  readonly failed: number;
  /** Calls that arrived while the shadow was still running. It did not rank them. */
  readonly skipped: number;
}

/** A live pipeline with a shadow. */
export interface ShadowedPipeline<T> {
  /** The `rank` of the live pipeline. */
  readonly rank: Pipeline<T>['rank'];
  readonly counts: ShadowCounts;
  /** Resolves when the shadow is idle. For shutdown and tests. */
  settled(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
/** The longest time of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const OPTIONS = {
  onDifference: 'function',
  onFailure: 'function',
  most: { integerFrom: 0 },
  timeout: { integerFrom: 1 },
} as const;

/**
 * Ranks the candidates of a live pipeline with a second profile, to report what it would change. The live answer never
 * waits: the shadow starts in a later turn of the event loop, handles one call at a time, and reports errors only to
 * `onFailure`. It does not update memories. It runs in the same thread, so a slow shadow delays later calls.
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
    await new Promise((resolve) => void setImmediate(resolve)); // a later turn of the event loop
    try {
      const { signal: _, ...same } = asked;
      const signal = AbortSignal.timeout(Math.min(timeout, MAX_TIMER_MS));
      const ranking = await shadow.rank(
        candidates,
        { ...context, now: answer.now },
        { ...same, updateMemory: false, signal },
      );
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
          .catch(() => {}) // onFailure itself failed
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
