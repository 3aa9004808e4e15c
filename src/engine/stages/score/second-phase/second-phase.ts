import { replacementOf } from '../../../failures.js';
import { prefixOf, refuseKept } from '../../../kernel/run-buffers.js';
import { sortRows } from '../../../kernel/top-rows.js';
import { NOT_ASKED } from '../../../kernel/verdict.js';
import type { Task } from '../../../task.js';
import type { CompiledRule } from '../../adjust/adjust.js';
import { recordPrepareFailure } from '../prepare-scorers.js';
import { resolveScore, wasAsked } from '../resolve-score.js';
import { resolveInto, type ScoredRows, type ScoringInput } from '../score.js';
import { type ScorePlan, type Scoring, scoringOf, withPrepareFailure } from '../scoring.js';
import { DeferredRows } from './deferred-rows.js';
import type { DeferredPrepareFailure, DeferredScorer, DeferredScores } from './deferred-scorer.js';
import { type PruneGoal, prune } from './prune.js';
import { rerank } from './rerank.js';

/** Who is asked late, and about whom. */
export type SecondPhasePlan = {
  /** The ids of the scorers, the cheapest first. */
  readonly ask: readonly string[];
} & (({ readonly how: 'prune' } & PruneGoal) | { readonly how: 'rerank'; readonly top: number });

/** Whom scorers were spared, and why. */
export interface PrunedRows {
  readonly plan: SecondPhasePlan;
  /** How many rows were not asked about by all. */
  readonly count: number;
  /** Which, the most promising first. */
  rows(): Int32Array;
  /** By row: the most that it can come to; after a rerank its score by the others. */
  readonly most: Float64Array;
  /** The score of the last that is selected, where so many are. */
  readonly floor: number;
  readonly entries: readonly { readonly entry: string; readonly asked: number; readonly pruned: number }[];
}

/** What is scored late, and how. */
export interface SecondPhase {
  readonly plan: ScorePlan;
  readonly late: SecondPhasePlan;
  /** What is made of a score afterwards. */
  readonly rules: readonly CompiledRule[];
  readonly input: ScoringInput;
  readonly kept: Int32Array;
  readonly abort: AbortSignal;
}

/**
 * Tier 2 where some scorers are asked late: about the rows that are worth it. The others are in no row of the ranking.
 *
 * @param scoring with the late scorers in their places; the others are prepared
 */
export function* scoreSecondPhase(
  what: SecondPhase,
  scoring: Scoring,
  scorers: readonly DeferredScorer[],
): Task<ScoredRows> {
  const { plan, late, rules, input, kept, abort } = what;
  const { current, context, failures } = input;
  const resumed = (): void => {
    abort.throwIfAborted();
    current.context = context;
  };
  resumed();
  let now = scoring;
  let left = scorers;
  let rows = new DeferredRows(plan, now, input, kept, rules);
  // Who could not be prepared is one constant for all, as if nobody had been asked.
  const without = ({ scorer: one, cause }: DeferredPrepareFailure): void => {
    left = left.filter((other) => other !== one);
    recordPrepareFailure(one.scorer, cause, failures);
    const runs = now.active.map((run) => (run.entry === one.scorer.entry ? withPrepareFailure(run, cause) : run));
    now = scoringOf(plan, runs);
    context.scores = now.scores;
    rows = new DeferredRows(plan, now, input, kept, rules);
  };
  let asked: DeferredScores | undefined;
  if (late.how === 'rerank') {
    const reranked = yield* rerank(rows, scorers, kept.length, late.top);
    resumed();
    for (const one of reranked.unprepared) without(one);
    asked = reranked;
  } else {
    while (!asked) {
      const outcome = yield* prune(rows, left, kept.length, late, resumed);
      if ('done' in outcome) asked = outcome;
      else without(outcome);
    }
  }
  return resolveAsked(what, now, late.how === 'rerank' ? scorers : left, asked, rows);
}

/** Settles who was asked about by all; who was not is left out. */
function resolveAsked(
  { plan, late, input, kept }: SecondPhase,
  scoring: Scoring,
  scorers: readonly DeferredScorer[],
  { upperBounds, done, minCompetitiveScore }: DeferredScores,
  { failed, complete }: DeferredRows,
): ScoredRows {
  const { buffers } = input;
  const totals = prefixOf(buffers.totals, kept.length);
  const partial = new Map<number, number>();
  let count = 0;
  for (let row = 0; row < kept.length; row++) {
    const position = kept[row]!;
    if (complete[row] === 1) continue;
    if (done[row] === 1) {
      const present = resolveInto(plan, scoring, input, totals, position, row);
      if (present < scoring.active.length) partial.set(row, present);
    } else {
      count += 1;
      refuseKept(buffers, position, NOT_ASKED);
      if (failed) countFailures(scoring, input, position, row);
    }
  }
  const entries = scorers.map((one) => ({
    entry: one.scorer.entry.id,
    asked: one.count,
    pruned: kept.length - one.count,
  }));
  if (count === 0 && entries.every(({ pruned }) => pruned === 0)) return { scoring, totals, partial };
  const rows = (): Int32Array => sortRows(upperBounds).filter((row) => done[row] === 0);
  return {
    scoring,
    totals,
    partial,
    pruned: { plan: late, count, rows, most: upperBounds, floor: minCompetitiveScore, entries },
  };
}

/** What failed on a row that is left out is told as well. */
function countFailures(
  { active }: Scoring,
  { candidates, failures }: ScoringInput,
  position: number,
  row: number,
): void {
  for (const run of active) {
    if (!wasAsked(run, row)) continue;
    resolveScore(run, candidates[position], row, undefined, (entry, error) =>
      failures.add(entry, 'score', error, replacementOf(run.entry.onError)),
    );
  }
}
