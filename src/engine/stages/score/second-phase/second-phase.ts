import { replacementOf } from '../../../failures/failures.js';
import { prefixOf, refuseKept } from '../../../kernel/run-buffers.js';
import { sortRows } from '../../../kernel/top-rows.js';
import { NOT_ASKED } from '../../../kernel/verdict.js';
import type { RunState } from '../../../run-state.js';
import type { Task } from '../../../tasks/task.js';
import { recordPrepareFailure } from '../prepare-scorers.js';
import { resolveScore, wasAsked } from '../resolve-score.js';
import { resolveInto } from '../resolve-rows.js';
import { makeScoring, withPrepareFailure } from '../scoring.js';
import type { ScoredRows, Scoring, SecondPhasePlan } from '../types.js';
import { DeferredRows } from './deferred-rows.js';
import type { DeferredPrepareFailure, DeferredScorer, DeferredScores } from './deferred-scorer.js';
import { prune } from './prune.js';
import { rerank } from './rerank.js';

/**
 * Tier 2 with deferred scorers, which see only the rows that are worth it. The other rows are not in the ranking.
 *
 * @param first with the deferred scorers in their places; the others are prepared
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
  // A scorer that could not be prepared is one constant for all, as if it had seen no row.
  const withoutScorer = ({ scorer: failed, cause }: DeferredPrepareFailure): void => {
    left = left.filter((other) => other !== failed);
    recordPrepareFailure(failed.scorer, cause, kept.length, failures);
    const active = scoring.active.map((one) =>
      one.entry === failed.scorer.entry ? withPrepareFailure(one, cause) : one,
    );
    scoring = makeScoring(plan, active);
    context.scores = scoring.scores;
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

/** Resolves the rows that every scorer has seen, and takes the others out of the ranking. */
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
  const partial = new Map<number, number>();
  let count = 0;
  for (let row = 0; row < kept.length; row++) {
    if (complete[row] === 1) continue;
    if (done[row] === 1) {
      const present = resolveInto(run, scoring, totals, row);
      if (present < scoring.active.length) partial.set(row, present);
    } else {
      count += 1;
      refuseKept(buffers, kept[row]!, NOT_ASKED);
      if (failed) countFailures(run, scoring, row);
    }
  }
  const entries = scorers.map(({ scorer, count: asked }) => {
    return { entry: scorer.entry.id, asked, pruned: kept.length - asked };
  });
  if (count === 0 && entries.every(({ pruned }) => pruned === 0)) return { scoring, totals, partial };
  const rows = (): Int32Array => sortRows(upperBounds).filter((row) => done[row] === 0);
  const pruned = { plan, count, rows, most: upperBounds, floor: minCompetitiveScore, entries };
  return { scoring, totals, partial, pruned };
}

/** Counts what failed on a row that is left out. */
function countFailures({ candidates, failures, kept }: RunState, { active }: Scoring, row: number): void {
  for (const one of active) {
    if (!wasAsked(one, row)) continue;
    resolveScore(one, candidates[kept[row]!], row, undefined, (entry, error) =>
      failures.add(entry, 'score', error, replacementOf(one.entry.onError)),
    );
  }
}
