import { timeoutSignal } from '../../contract/index.js';
import { checkOptions, FUNCTION, integerFrom, type OptionTypes } from '../../diagnostics/index.js';
import { diffRankings, type Pipeline, type Ranking, type RankingDiff } from '../../index.js';

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
