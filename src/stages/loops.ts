import { makeRowLoop, type RowLoop } from '../matrix/row-loop.js';
import { makeScoreLoop, type ScoreLoop, type ScoreShape } from '../matrix/score-loop.js';
import type { Combine } from '../profile/profile.js';
import { arithmeticOf } from './combine.js';
import type { ScorerRun } from './settle.js';

/** The loops of a profile: one a set of scorers, because an entry whose `when` is false is not in the run. */
export class Loops {
  readonly #score = new LoopOf<ScoreLoop>();
  readonly #row = new LoopOf<RowLoop>();
  readonly #shape: Omit<ScoreShape, 'scorers'>;

  constructor(
    combine: Combine,
    cases: boolean,
    private readonly codegen: boolean,
    /** How many scorers the profile has: where it has some and none is in the run, nothing is scored. */
    private readonly scorers: number,
  ) {
    this.#shape = { arithmetic: arithmeticOf(combine), cases };
  }

  /** The loop over rows that are kept already. */
  score(runs: readonly ScorerRun[]): ScoreLoop {
    if (runs.length === 0 && this.scorers > 0) return (k, from, to) => void k.totals.fill(Number.NaN, from, to);
    return this.#score.of(runs, () => makeScoreLoop(this.#shapeOf(runs), this.codegen));
  }

  /** The loop that asks the vetoes, too. */
  row(vetoes: number, runs: readonly ScorerRun[]): RowLoop {
    return this.#row.of(runs, () => makeRowLoop(vetoes, this.#shapeOf(runs), this.codegen));
  }

  #shapeOf(runs: readonly ScorerRun[]): ScoreShape {
    return { ...this.#shape, scorers: this.#shape.arithmetic === 'formula' ? 1 : runs.length };
  }
}

/** One loop a set of scorers. The set is most often that of the last run. */
class LoopOf<L> {
  readonly #made = new Map<string, L>();
  #last: { readonly runs: readonly ScorerRun[]; readonly loop: L } | undefined;

  of(runs: readonly ScorerRun[], make: () => L): L {
    if (this.#last?.runs === runs) return this.#last.loop;
    const key = runs.map((run) => run.judge).join(' ');
    const loop = this.#made.get(key) ?? make();
    this.#made.set(key, loop);
    this.#last = { runs, loop };
    return loop;
  }
}
