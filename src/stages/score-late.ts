import { sortRows } from '../matrix/order.js';
import { drop, firstOf } from '../matrix/slab.js';
import { NOT_ASKED } from '../matrix/verdict.js';
import type { CompiledRule } from './adjust.js';
import { insteadOf } from './failures.js';
import { LateRows } from './late-rows.js';
import type { Asked, LateScorer, LateUnprepared } from './late-scorer.js';
import { tellUnprepared } from './prepare-scorers.js';
import { type Goal, prune } from './prune.js';
import { rerank } from './rerank.js';
import { type Scored, type ScoringInput, settleInto } from './score.js';
import { type ScorePlan, type Scoring, scoringOf, unprepared } from './scoring.js';
import { isAsked, settle } from './settle.js';
import type { Steps } from './wait.js';

/** Who is asked late, and about whom. */
export type LatePlan = {
  /** The ids of the scorers, the cheapest first. */
  readonly ask: readonly string[];
} & (({ readonly how: 'prune' } & Goal) | { readonly how: 'rerank'; readonly top: number });

/** Whom scorers were spared, and why. */
export interface SparedRows {
  readonly late: LatePlan;
  /** How many rows were not asked about by all. */
  readonly count: number;
  /** Which, the most promising first. */
  rows(): Int32Array;
  /** By row: the most that it can come to; after a rerank its score by the others. */
  readonly most: Float64Array;
  /** The score of the last that is selected, where so many are. */
  readonly floor: number;
  readonly entries: readonly { readonly entry: string; readonly asked: number; readonly spared: number }[];
}

/** What is scored late, and how. */
export interface ScoringLate {
  readonly plan: ScorePlan;
  readonly late: LatePlan;
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
export function* scoreLate(what: ScoringLate, scoring: Scoring, scorers: readonly LateScorer[]): Steps<Scored> {
  const { plan, late, rules, input, kept, abort } = what;
  const { cell, state, failures } = input;
  const resumed = (): void => {
    abort.throwIfAborted();
    cell.state = state;
  };
  resumed();
  let now = scoring;
  let left = scorers;
  let rows = new LateRows(plan, now, input, kept, rules);
  // Who could not be prepared is one constant for all, as if nobody had been asked.
  const without = ({ late: one, cause }: LateUnprepared): void => {
    left = left.filter((other) => other !== one);
    tellUnprepared(one.scorer, cause, failures);
    const runs = now.runs.map((run) => (run.entry === one.scorer.entry ? unprepared(run, cause) : run));
    now = scoringOf(plan, runs);
    state.scores = now.scores;
    rows = new LateRows(plan, now, input, kept, rules);
  };
  let asked: Asked | undefined;
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
  return settled(what, now, late.how === 'rerank' ? scorers : left, asked, rows);
}

/** Settles who was asked about by all; who was not is left out. */
function settled(
  { plan, late, input, kept }: ScoringLate,
  scoring: Scoring,
  scorers: readonly LateScorer[],
  { most, done, floor }: Asked,
  { failed, sound }: LateRows,
): Scored {
  const { slab } = input;
  const totals = firstOf(slab.totals, kept.length);
  const partial = new Map<number, number>();
  let count = 0;
  for (let row = 0; row < kept.length; row++) {
    const position = kept[row]!;
    if (sound[row] === 1) continue;
    if (done[row] === 1) {
      const present = settleInto(plan, scoring, input, totals, position, row);
      if (present < scoring.runs.length) partial.set(row, present);
    } else {
      count += 1;
      drop(slab, position, NOT_ASKED);
      if (failed) countFailures(scoring, input, position, row);
    }
  }
  const entries = scorers.map((one) => ({
    entry: one.scorer.entry.id,
    asked: one.count,
    spared: kept.length - one.count,
  }));
  if (count === 0 && entries.every(({ spared }) => spared === 0)) return { scoring, totals, partial };
  const rows = (): Int32Array => sortRows(most).filter((row) => done[row] === 0);
  return { scoring, totals, partial, spared: { late, count, rows, most, floor, entries } };
}

/** What failed on a row that is left out is told as well. */
function countFailures({ runs }: Scoring, { candidates, failures }: ScoringInput, position: number, row: number): void {
  for (const run of runs) {
    if (!isAsked(run, row)) continue;
    settle(run, candidates[position], row, undefined, (entry, error) =>
      failures.add(entry, 'score', error, insteadOf(run.entry.onError)),
    );
  }
}
