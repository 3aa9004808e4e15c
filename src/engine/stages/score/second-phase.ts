import type { ScorerEntry } from '../../../profile/index.js';
import { replacementOf, RunFailed } from '../../failures.js';
import { type Arithmetic, combineRow } from '../../kernel/combine-methods.js';
import { PartialRows, fillPositions, prefixOf, refuseKept } from '../../kernel/run-buffers.js';
import { sortRows, topRows } from '../../kernel/top-rows.js';
import { VERDICT_NOT_EVALUATED } from '../../kernel/veto-loop.js';
import type { RuleStep } from '../../plan.js';
import type { RunState } from '../../run-state.js';
import { awaitAll, isTask, type Task } from '../../tasks.js';
import type { PruneGoal, ScoredRows, Scoring, SecondPhasePlan } from '../../tier-plans.js';
import { applyRule } from '../adjust.js';
import {
  type DeferredPrepareFailure,
  type DeferredScorer,
  type DeferredScores,
  recordPrepareFailure,
} from './prepare-scorers.js';
import { combineResolved, resolveInto, resolveScore, verdictOfError, wasEvaluated, withSlack } from './resolve.js';
import { makeScoring, withPrepareFailure } from './scoring.js';

/**
 * Tier 2 with deferred scorers, which are evaluated only on rows that need them. The other rows are not in the ranking.
 *
 * @param first the scoring, including the deferred scorers; all other scorers are prepared
 */
export function* scoreSecondPhase(
  run: RunState,
  phase: SecondPhasePlan,
  first: Scoring,
  scorers: readonly DeferredScorer[],
): Task<ScoredRows> {
  const { context, failures, kept, abort } = run;
  const { score: plan } = run.plan;
  let scoring = first;
  let left = scorers;
  let rows = new DeferredRows(run, scoring);
  // If a scorer cannot be prepared, its rule applies to all rows; after a timeout, to those without a score.
  const withoutScorer = (failure: DeferredPrepareFailure): void => {
    const { scorer: failed, cause } = failure;
    if (!failed.failRest(failure)) {
      left = left.filter((other) => other !== failed);
      recordPrepareFailure(failed.scorer, cause, kept.length, failures);
      const active = scoring.active.map((one) =>
        one.entry === failed.scorer.entry ? withPrepareFailure(one, cause) : one,
      );
      scoring = makeScoring(plan, active);
      context.scores = scoring.scores;
    }
    rows = new DeferredRows(run, scoring);
  };
  const onResume = (): void => abort.throwIfAborted();
  let scores: DeferredScores | undefined;
  onResume();
  if (phase.how === 'rerank') {
    const reranked = yield* rerank(rows, scorers, kept.length, phase.top);
    onResume();
    for (const one of reranked.unprepared) withoutScorer(one);
    scores = reranked;
    left = scorers;
  } else {
    while (!scores) {
      const outcome = yield* prune(rows, left, kept.length, phase, onResume);
      if ('done' in outcome) scores = outcome;
      else withoutScorer(outcome);
    }
  }
  return resolveSeen(run, phase, scoring, left, scores, rows);
}

/** Resolves the rows on which every scorer was evaluated, and removes the others from the ranking. */
function resolveSeen(
  run: RunState,
  plan: SecondPhasePlan,
  scoring: Scoring,
  scorers: readonly DeferredScorer[],
  { upperBounds, done, minCompetitiveScore }: DeferredScores,
  { failed, complete }: DeferredRows,
): ScoredRows {
  const { buffers, kept } = run;
  const totals = prefixOf(buffers.totals, kept.length);
  const partial = new PartialRows(kept.length);
  let count = 0;
  for (let row = 0; row < kept.length; row++) {
    if (complete[row] === 1) continue;
    if (done[row] === 1) {
      const present = resolveInto(run, scoring, totals, row);
      if (present < scoring.active.length) partial.set(row, present);
    } else {
      count += 1;
      refuseKept(buffers, kept[row]!, VERDICT_NOT_EVALUATED);
      if (failed) countFailures(run, scoring, row);
    }
  }
  const entries = scorers.map(({ scorer, count: evaluated }) => {
    return { entry: scorer.entry.id, evaluated, pruned: kept.length - evaluated };
  });
  if (count === 0 && entries.every(({ pruned }) => pruned === 0)) return { scoring, totals, partial };
  const rows = (): Int32Array => sortRows(upperBounds).filter((row) => done[row] === 0);
  const pruned = { plan, count, rows, most: upperBounds, floor: minCompetitiveScore, entries };
  return { scoring, totals, partial, pruned };
}

/** Counts the failures on a row that is not in the ranking. */
function countFailures({ candidates, failures, kept }: RunState, { active }: Scoring, row: number): void {
  for (const one of active) {
    if (!wasEvaluated(one, row)) continue;
    resolveScore(one, candidates[kept[row]!], row, undefined, (entry, error) =>
      failures.add(entry, 'score', error, replacementOf(one.entry.onError)),
    );
  }
}

/** Runs the deferred scorers, concurrently, on only the best rows by the other scorers. */
function* rerank(
  rows: DeferredRows,
  scorers: readonly DeferredScorer[],
  count: number,
  top: number,
): Task<DeferredScores & { readonly unprepared: readonly DeferredPrepareFailure[] }> {
  const soFar = new Float64Array(count);
  const done = new Uint8Array(count);
  for (let row = 0; row < count; row++) {
    const score = rows.scoreSoFar(row);
    soFar[row] = score ?? -Infinity;
    if (score === undefined) done[row] = 1;
  }
  const open = fillPositions(new Int32Array(count)).filter((row) => done[row] === 0);
  const scores = Float64Array.from(open, (row) => soFar[row]!);
  const best = topRows(scores, Math.min(top, open.length))
    .map((k) => open[k]!)
    .sort();
  for (const row of best) done[row] = 1;
  const pending = awaitAll(scorers.map((scorer) => scorer.prepareFor(best)));
  const failures = isTask(pending) ? yield* pending : pending;
  const unprepared = scorers.flatMap((scorer, k) => {
    const failure = failures[k];
    return failure ? [{ scorer, cause: failure.cause }] : [];
  });
  return { upperBounds: soFar, done, minCompetitiveScore: -Infinity, unprepared };
}

/** The minimum size of the first batch: preparing rows together is cheaper than one by one. */
const MIN_BATCH = 8;

/**
 * Runs the deferred scorers on the rows that can still reach the top, the most promising first. The best rows that are fully
 * scored determine the minimum upper bound of such a row (Lucene's `setMinCompetitiveScore`). Batches double in size, so that
 * rows are prepared together. In each batch the cheapest scorer runs first, and the next one only on the rows that remain.
 *
 * @param scorers the cheapest first
 * @param onResume called after each wait
 * @returns the scores, or the scorer that could not be prepared; in that case, run it again without this scorer
 */
function* prune(
  rows: DeferredRows,
  scorers: readonly DeferredScorer[],
  count: number,
  { top, minScore = -Infinity, byPosition }: PruneGoal,
  onResume: () => void,
): Task<DeferredScores | DeferredPrepareFailure> {
  const upperBounds = new Float64Array(count);
  const done = new Uint8Array(count);
  const reached = new Float64Array(count).fill(-Infinity);
  let minCompetitiveScore = -Infinity;
  let last = count;
  const updateRow = (row: number): void => {
    const bound = rows.upperBound(row);
    upperBounds[row] = bound ?? -Infinity;
    if (bound === undefined) done[row] = 1;
    else if (scorers.every((scorer) => scorer.evaluated(row))) {
      done[row] = 1;
      reached[row] = bound;
    }
  };
  const raiseFloor = (): void => {
    const best = topRows(reached, top)[top - 1];
    minCompetitiveScore = best === undefined ? -Infinity : reached[best]!;
    last = best ?? count;
  };
  const isOpen = (row: number): boolean => {
    const bound = upperBounds[row]!;
    if (done[row] !== 0 || bound < minScore) return false;
    return bound > minCompetitiveScore || (bound === minCompetitiveScore && (!byPosition || row < last));
  };
  for (let row = 0; row < count; row++) updateRow(row);
  raiseFloor();
  let open = fillPositions(new Int32Array(count)).filter(isOpen);
  for (let size = Math.max(top, MIN_BATCH); open.length > 0; size *= 2) {
    let batch = mostPromising(open, upperBounds, size);
    for (const scorer of scorers) {
      const unseen = batch.filter((row) => !scorer.evaluated(row));
      const failure = yield* scorer.prepareFor(unseen);
      onResume();
      if (failure) return { scorer, cause: failure.cause };
      for (const row of unseen) updateRow(row);
      batch = batch.filter(isOpen);
    }
    raiseFloor();
    open = open.filter(isOpen);
  }
  return { upperBounds, done, minCompetitiveScore };
}

/** The most promising of some rows, in the given order. */
function mostPromising(rows: Int32Array, upperBounds: Float64Array, count: number): Int32Array {
  if (count >= rows.length) return rows;
  const bounds = new Float64Array(rows.length);
  for (let k = 0; k < rows.length; k++) bounds[k] = upperBounds[rows[k]!]!;
  const least = bounds.slice().sort()[rows.length - count]!;
  let equals = count;
  for (const one of bounds) if (one > least) equals -= 1;
  return rows.filter((_, k) => bounds[k]! > least || (bounds[k] === least && equals-- > 0));
}

/** The rows of a run with deferred scorers, and the scores and bounds of each row so far. */
class DeferredRows {
  readonly #bounds: readonly ScoreBounds[];
  /** For the current row: its resolved scores, and the positions of the scorers that were not evaluated on it. */
  readonly #values: (number | undefined)[];
  readonly #open: number[] = [];
  #unresolved = false;
  /** Whether a scorer failed on a row. */
  failed = false;
  /** By row: 1 if all scorers returned a number, so that its total is written and final. */
  readonly complete: Uint8Array;

  constructor(
    private readonly run: RunState,
    private readonly scoring: Scoring,
  ) {
    this.complete = new Uint8Array(run.kept.length);
    this.#values = scoring.active.map(() => undefined);
    this.#bounds = scoring.active.map(({ entry }) => scoreBounds(entry));
  }

  /**
   * The upper bound of a row's score after the rules. If every scorer was evaluated, it is the score itself.
   *
   * @returns undefined if the row is already refused
   */
  upperBound(row: number): number | undefined {
    return this.#withRow(row, (candidate) => {
      const { arithmetic, weightsOf } = this.scoring;
      if (this.#open.length === 0 || !arithmetic) return this.#combined(candidate, row, true);
      const bound = upperBound(arithmetic, this.#values, weightsOf(candidate, row), this.#open, this.#bounds);
      return Number.isFinite(bound) ? this.#boundAfterRules(candidate, row, bound) : Infinity;
    });
  }

  /**
   * The score of a row by the scorers that were evaluated on it, after the rules.
   *
   * @returns undefined if the row is already refused, −Infinity if it has no score
   */
  scoreSoFar(row: number): number | undefined {
    return this.#withRow(row, (candidate) => {
      try {
        return this.#combined(candidate, row) ?? -Infinity;
      } catch (error) {
        verdictOfError(this.run.plan.score, error);
        return -Infinity; // the remaining scorers may change it
      }
    });
  }

  /** Resolves the scorers that were evaluated on a row, then computes a value from them. */
  #withRow(row: number, compute: (candidate: unknown) => number | undefined): number | undefined {
    const position = this.run.kept[row]!;
    const candidate = this.run.candidates[position];
    try {
      this.#resolve(candidate, row);
      return compute(candidate);
    } catch (error) {
      if (error instanceof RunFailed) throw new RunFailed(error.entry, error.stage, error.failure, position);
      verdictOfError(this.run.plan.score, error);
      return undefined;
    }
  }

  #resolve(candidate: unknown, row: number): void {
    const { active } = this.scoring;
    this.#open.length = 0;
    this.#unresolved = false;
    for (let k = 0; k < active.length; k++) {
      this.#values[k] = undefined;
      if (wasEvaluated(active[k]!, row))
        this.#values[k] = this.#fast(k, candidate, row) ?? this.#slow(k, candidate, row);
      else this.#open.push(k);
    }
  }

  /** A finite number, or undefined if the score must be resolved. */
  #fast(k: number, candidate: unknown, row: number): number | undefined {
    try {
      const value = this.scoring.scorers[k]!(candidate, row);
      return Number.isFinite(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  #slow(k: number, candidate: unknown, row: number): number | undefined {
    this.#unresolved = true;
    return resolveScore(this.scoring.active[k]!, candidate, row, undefined, () => void (this.failed = true)).value;
  }

  /** @returns undefined if no score can be combined, or a rule refuses */
  #combined(candidate: unknown, row: number, isWhole = false): number | undefined {
    const { plan, buffers, context } = this.run;
    const total = combineResolved(plan.score, this.scoring, this.#values, candidate, row);
    if (isWhole && total !== undefined && !this.#unresolved) {
      buffers.totals[row] = total;
      this.complete[row] = 1;
    }
    if (total === undefined || plan.rules.length === 0) return total;
    try {
      return plan.rules.reduce((score, rule) => applyRule(rule, score, candidate, row, context), total);
    } catch {
      return undefined; // counted when the rules are applied
    }
  }

  /**
   * The bound after the rules. Rules increase with the score unless a factor is negative. If a rule fails, there is no bound
   * until the score is known.
   */
  #boundAfterRules(candidate: unknown, row: number, bound: number): number {
    const { rules } = this.run.plan;
    if (rules.length === 0) return bound;
    let falls = false;
    const onStep = ({ operation, amount }: RuleStep): void => {
      if (operation === 'multiply' && amount < 0) falls = true;
    };
    try {
      const { context } = this.run;
      const after = rules.reduce((score, rule) => applyRule(rule, score, candidate, row, context, onStep), bound);
      return falls ? Infinity : after;
    } catch {
      return Infinity;
    }
  }
}

/** The bounds of a score that was not yet computed. */
export interface ScoreBounds {
  readonly lower: number;
  readonly upper: number;
  /** Whether the scorer may be skipped in the row. */
  readonly maySkip: boolean;
}

/** The range of a scorer, extended by the numbers that its rules may return instead. */
export function scoreBounds({ range, onAbsent, onError }: ScorerEntry): ScoreBounds {
  const rules = [onAbsent, onError];
  const ends = [
    ...(range ? withSlack(range) : [-Infinity, Infinity]),
    ...rules.filter((rule) => typeof rule === 'number'),
  ];
  return { lower: Math.min(...ends), upper: Math.max(...ends), maySkip: rules.includes('skip') };
}

/**
 * The upper bound of a row's total, for any results of the scorers that were not yet evaluated on it: the row's own arithmetic
 * with each of these scores at an end of its range. The total is monotonic in each score, so it is greatest when all are at an
 * end. Rounding needs no tolerance, because it preserves the order of sums and products.
 *
 * @param values the resolved scores; the positions of `open` are overwritten
 * @param open   the positions of the scorers that were not evaluated on the row; `bounds` are by position
 * @returns −Infinity if no score can be combined; Infinity if the total has no bound
 */
export function upperBound(
  arithmetic: Arithmetic,
  values: (number | undefined)[],
  weights: Float64Array,
  open: readonly number[],
  bounds: readonly ScoreBounds[],
  from = 0,
): number {
  if (from === open.length) return combinedBound(arithmetic, values, weights);
  const position = open[from]!;
  const { lower, upper, maySkip } = bounds[position]!;
  const end = arithmetic.highEnd(weights[position]!);
  values[position] = end === 'lower' ? lower : upper;
  let best = upperBound(arithmetic, values, weights, open, bounds, from + 1);
  if (end === 'both') {
    values[position] = lower;
    best = Math.max(best, upperBound(arithmetic, values, weights, open, bounds, from + 1));
  }
  if (maySkip) {
    values[position] = undefined;
    best = Math.max(best, upperBound(arithmetic, values, weights, open, bounds, from + 1));
  }
  return best;
}

function combinedBound(arithmetic: Arithmetic, values: readonly (number | undefined)[], weights: Float64Array): number {
  const total = combineRow(arithmetic, values, weights);
  if (total === undefined) return -Infinity;
  return Number.isNaN(total) ? Infinity : total * arithmetic.slack;
}
