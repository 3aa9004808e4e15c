import type { Score } from '../../../contract/index.js';
import type { RunContext } from '../../entries/run-context.js';
import { KeptScores } from './kept-scores.js';
import { makeScoring } from './scoring.js';
import type { ActiveScorer, ScorePlan, ScoresOfCandidates, Scoring } from './types.js';

/** A scorer that takes longer for a candidate is called once for each in a run, and its column is kept. Milliseconds. */
const EXPENSIVE_MS = 0.01;

/** On how many rows a cost is measured, and among how many candidates such rows are searched. */
export const SAMPLED_ROWS = 16;
export const SEARCHED_CANDIDATES = 1024;

/** How few measurements say nothing yet. */
const MIN_SAMPLES = 4;

/** The scorers of one run that are measured, or that are expensive, so that their scores are kept. */
export class MeasuredScoring {
  readonly #kept = new Map<ActiveScorer, KeptScores>();
  readonly #times = new Map<ActiveScorer, number[]>();
  /** For the first rows: every scorer that is measured is timed, and its scores are kept. */
  readonly first: Scoring;

  constructor(
    private readonly plan: ScorePlan,
    private readonly scoring: Scoring,
    rows: number,
    context: RunContext,
    /** Whether costs are measured in this run. */
    readonly measures: boolean,
    stream: ScoresOfCandidates | undefined,
  ) {
    for (const one of scoring.active) {
      if (one.asked || one.failed) continue; // a scorer of the second phase keeps its own
      const isMeasured = measures && plan.costs.isMeasured(one);
      if (!isMeasured && !plan.costs.isExpensive(one)) continue;
      const score = one.unit.prepares ? one.unit.scoreIn(context) : one.raw;
      const called = isMeasured ? timed(score, this.#timesOf(one)) : score;
      this.#kept.set(one, new KeptScores(rows, called, one.entry.id, stream));
    }
    this.first = this.#with(() => true);
  }

  /** For the rows after the first: the scores of expensive scorers are kept. */
  settle(): Scoring {
    const expensive = new Set<ActiveScorer>();
    for (const one of this.#kept.keys()) {
      const times = this.#times.get(one);
      if (times && times.length > 0) {
        const isExpensive = costOf(times) > EXPENSIVE_MS;
        if (times.length >= MIN_SAMPLES) this.plan.costs.learn(one, isExpensive);
        if (isExpensive) expensive.add(one);
      } else if (this.plan.costs.isExpensive(one)) expensive.add(one);
    }
    return expensive.size === 0 ? this.scoring : this.#with((one) => expensive.has(one));
  }

  #with(keeps: (one: ActiveScorer) => boolean): Scoring {
    const active = this.scoring.active.map((one) => {
      const kept = this.#kept.get(one);
      return kept && keeps(one) ? { ...one, raw: kept.raw, kept: true } : one;
    });
    return makeScoring(this.plan, active);
  }

  #timesOf(one: ActiveScorer): number[] {
    const times: number[] = [];
    this.#times.set(one, times);
    return times;
  }
}

/** Times the first calls of a score. */
const timed =
  (score: Score<unknown>, times: number[]): Score<unknown> =>
  (candidate, row, note) => {
    if (times.length >= SAMPLED_ROWS) return score(candidate, row, note);
    const start = performance.now();
    try {
      return score(candidate, row, note);
    } finally {
      times.push(performance.now() - start);
    }
  };

/** The mean without the slowest quarter: the first calls are not compiled yet, and a collection of garbage may interrupt one. */
function costOf(times: readonly number[]): number {
  const most = times.toSorted((a, b) => a - b).slice(0, Math.max(1, Math.floor(times.length * 0.75)));
  return most.reduce((sum, time) => sum + time, 0) / most.length;
}
