import type { Score } from '../../../contract/index.js';
import type { CombineMethod, Use } from '../../../profile/profile.js';
import { arithmeticOf } from '../../combine-methods.js';
import { type FusedLoop, makeFusedLoop } from '../../kernel/fused-loop.js';
import { makeScoreLoop, type ScoreLoop, type ScoreShape } from '../../kernel/score-loop.js';
import type { ActiveVeto } from '../veto/veto.js';
import type { ActiveScorer } from './resolve-score.js';

/** The loops of a profile: one a set of scorers, because an entry whose `when` is false is not in the run. */
export class LoopCache {
  readonly #score = new LoopPerScorers<ScoreLoop>();
  readonly #row = new LoopPerScorers<FusedLoop>();
  readonly #shape: Omit<ScoreShape, 'sizes'>;

  constructor(
    combine: CombineMethod,
    cases: boolean,
    private readonly codegen: boolean,
    /** How many scorers the profile has: where it has some and none is in the run, nothing is scored. */
    private readonly scorers: number,
  ) {
    this.#shape = { arithmetic: arithmeticOf(combine), cases };
  }

  /** The loop over rows that are kept already. */
  score(runs: readonly ActiveScorer[]): ScoreLoop {
    if (runs.length === 0 && this.scorers > 0) return (k, from, to) => void k.totals.fill(Number.NaN, from, to);
    return this.#score.of(runs, () => makeScoreLoop(this.#shapeOf(runs), this.codegen));
  }

  /** The loop that asks the vetoes, too. */
  row(vetoes: readonly ActiveVeto[], runs: readonly ActiveScorer[]): FusedLoop {
    const sizes = (): readonly number[] => vetoes.map(({ entry, refuses }) => estimatedBytecodes(entry.use, refuses));
    return this.#row.of(runs, () => makeFusedLoop(sizes(), this.#shapeOf(runs), this.codegen));
  }

  #shapeOf(runs: readonly ActiveScorer[]): ScoreShape {
    const sizes = runs.map(({ entry, raw }) => estimatedBytecodes(entry.use, raw));
    return { ...this.#shape, sizes: this.#shape.arithmetic === 'formula' ? [0] : sizes };
  }
}

/**
 * About how many bytecodes a function is with all that it calls: by its operations where it is an expression, else by
 * its text.
 */
const estimatedBytecodes = (use: Use, score: Score<unknown, unknown>): number =>
  use.kind === 'expr' ? 20 + 24 * use.expression.size : 0.6 * score.toString().length;

/** One loop a set of scorers. The set is most often that of the last run. */
class LoopPerScorers<L> {
  readonly #made = new Map<string, L>();
  #last: { readonly runs: readonly ActiveScorer[]; readonly loop: L } | undefined;

  of(runs: readonly ActiveScorer[], make: () => L): L {
    if (this.#last?.runs === runs) return this.#last.loop;
    const key = runs.map((run) => run.refuser).join(' ');
    const loop = this.#made.get(key) ?? make();
    this.#made.set(key, loop);
    this.#last = { runs, loop };
    return loop;
  }
}
