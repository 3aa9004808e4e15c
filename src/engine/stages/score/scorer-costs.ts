import type { Score } from '../../../contract/index.js';
import type { RunContext } from '../../entries/run-context.js';
import { KeptScores, type ScoresOfCandidates } from './kept-scores.js';
import { makeScoring } from './scoring.js';
import type { ActiveScorer, CompiledScorer, ScorePlan, Scoring } from './types.js';

/** A scorer that takes longer for a candidate is called once for each in a run, and its column is kept. Milliseconds. */
const EXPENSIVE_MS = 0.01;

/** From this declared cost on the same holds: 100 is a comparison of vectors, or reading a long text. */
const EXPENSIVE_COST = 100;

/** On how many rows a cost is measured, and among how many candidates such rows are searched. */
export const SAMPLED_ROWS = 16;
export const SEARCHED_CANDIDATES = 1024;

/** How few measurements say nothing yet. */
const MIN_SAMPLES = 4;

/** After how many rows a cost is measured again: candidates may have become longer. */
const REMEASURE_ROWS = 1_000_000;

/** What scoring one candidate costs, by scorer of a profile: declared by its class, or measured on the first rows of runs. */
export class ScorerCosts {
  readonly #expensive = new Map<CompiledScorer['refuser'], boolean>();
  readonly #declared = new Set<CompiledScorer['refuser']>();
  #rowsLeft = 0;
  #anyExpensive = false;

  constructor(scorers: readonly CompiledScorer[]) {
    for (const { entry, refuser, unit } of scorers) {
      // Of a unit that prepares, the declared cost is that of preparing: its score may be a look-up.
      if (unit.prepares || entry.use.kind !== 'class' || entry.use.unit.meta.cost === undefined) continue;
      this.#declared.add(refuser);
      this.#set(refuser, entry.cost >= EXPENSIVE_COST);
    }
  }

  /** Starts the scoring of some rows; undefined where every scorer is known to be cheap, as in most runs. */
  start(
    plan: Omit<ScorePlan, 'scoringOf'>,
    scoring: Scoring,
    rows: number,
    context: RunContext,
    stream: ScoresOfCandidates | undefined,
  ): MeasuredScoring | undefined {
    const { active } = scoring;
    this.#rowsLeft -= rows;
    const measures = this.#rowsLeft < 0 && active.some(({ refuser }) => !this.#declared.has(refuser));
    if (!measures && !this.#anyExpensive) return undefined;
    return new MeasuredScoring(plan, scoring, rows, context, this, measures, stream);
  }

  isExpensive({ refuser }: ActiveScorer): boolean {
    return this.#expensive.get(refuser) ?? false;
  }

  isMeasured({ refuser, asked, failed }: ActiveScorer): boolean {
    return !this.#declared.has(refuser) && asked === undefined && failed === undefined;
  }

  /** Takes note of what was measured. */
  learn({ refuser }: ActiveScorer, isExpensive: boolean): void {
    this.#set(refuser, isExpensive);
    this.#rowsLeft = REMEASURE_ROWS;
  }

  #set(refuser: number, isExpensive: boolean): void {
    this.#expensive.set(refuser, isExpensive);
    this.#anyExpensive = [...this.#expensive.values()].includes(true);
  }
}

/** The scorers of one run that are measured, or that are expensive, so that their scores are kept. */
export class MeasuredScoring {
  readonly #kept = new Map<ActiveScorer, KeptScores>();
  readonly #times = new Map<ActiveScorer, number[]>();
  /** For the first rows: every scorer that is measured is timed, and its scores are kept. */
  readonly first: Scoring;

  constructor(
    private readonly plan: Omit<ScorePlan, 'scoringOf'>,
    private readonly scoring: Scoring,
    rows: number,
    context: RunContext,
    private readonly costs: ScorerCosts,
    /** Whether costs are measured in this run. */
    readonly measures: boolean,
    stream: ScoresOfCandidates | undefined,
  ) {
    for (const one of scoring.active) {
      if (one.asked || one.failed) continue; // a scorer of the second phase keeps its own
      const isMeasured = measures && costs.isMeasured(one);
      if (!isMeasured && !costs.isExpensive(one)) continue;
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
        if (times.length >= MIN_SAMPLES) this.costs.learn(one, isExpensive);
        if (isExpensive) expensive.add(one);
      } else if (this.costs.isExpensive(one)) expensive.add(one);
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
