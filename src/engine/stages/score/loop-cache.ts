import type { Score } from '../../../contract/index.js';
import type { CombineMethod, Use } from '../../../profile/index.js';
import { arithmeticOf } from '../../kernel/combine-methods.js';
import { type ColumnLoop, makeColumnLoop } from '../../kernel/column-loop.js';
import { type CombineLoop, makeCombineLoop } from '../../kernel/combine-loop.js';
import { type FusedLoop, makeFusedLoop } from '../../kernel/fused-loop.js';
import { makeScoreLoop, type ScoreLoop } from '../../kernel/score-loop.js';
import type { ScoreShape } from '../../kernel/score-loop-text.js';
import type { ActiveVeto } from '../veto/types.js';
import type { ActiveScorer, LoopForm, Loops } from './types.js';

/** Makes the loops of a profile: one for each set of scorers, because an entry whose `when` is false is not in the run. */
export class LoopCache implements Loops {
  readonly #score = new LoopPerForm<ScoreLoop>();
  readonly #fused = new LoopPerForm<FusedLoop>();
  readonly #columns = new LoopPerForm<ColumnLoop>();
  readonly #combine = new LoopPerScorers<CombineLoop>();
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

  score(active: readonly ActiveScorer[], form: LoopForm): ScoreLoop {
    if (active.length === 0 && this.scorers > 0) return (k, from, to) => void k.totals.fill(Number.NaN, from, to);
    return this.#score.of(form, active, () => makeScoreLoop({ ...this.#shapeOf(active), ...form }, this.codegen));
  }

  fused(vetoes: readonly ActiveVeto[], active: readonly ActiveScorer[], form: LoopForm): FusedLoop {
    const sizes = (): readonly number[] => vetoes.map(({ entry, refuses }) => estimatedBytecodes(entry.use, refuses));
    const shape = (): ScoreShape => ({ ...this.#shapeOf(active), ...form });
    return this.#fused.of(form, active, () => makeFusedLoop(sizes(), shape(), this.codegen));
  }

  plainScore(active: readonly ActiveScorer[], form: LoopForm): ScoreLoop {
    return makeScoreLoop({ ...this.#shapeOf(active), ...form }, false);
  }

  plainFused(vetoes: readonly ActiveVeto[], active: readonly ActiveScorer[], form: LoopForm): FusedLoop {
    return makeFusedLoop(
      vetoes.map(() => 0),
      { ...this.#shapeOf(active), ...form },
      false,
    );
  }

  columns(active: readonly ActiveScorer[], byColumn: boolean): ColumnLoop {
    const make = (): ColumnLoop => makeColumnLoop(sizesOf(active), this.codegen, byColumn);
    return this.#columns.of({ byColumn, keeps: true }, active, make);
  }

  combine(active: readonly ActiveScorer[]): CombineLoop {
    return this.#combine.of(active, () => makeCombineLoop({ ...this.#shape, sizes: sizesOf(active) }, this.codegen));
  }

  #shapeOf(active: readonly ActiveScorer[]): ScoreShape {
    return { ...this.#shape, sizes: this.#shape.arithmetic ? sizesOf(active) : [0] };
  }
}

const sizesOf = (active: readonly ActiveScorer[]): readonly number[] =>
  active.map(({ entry, raw }) => estimatedBytecodes(entry.use, raw));

/**
 * About how many bytecodes a function is with all that it calls: by its operations where it is an expression, else by
 * its text.
 */
const estimatedBytecodes = (use: Use, score: Score<unknown, unknown>): number =>
  use.kind === 'expr' ? 20 + 24 * use.expression.size : 0.6 * score.toString().length;

/** One loop for each set of scorers. The set is most often that of the last run. */
class LoopPerScorers<L> {
  readonly #made = new Map<string, L>();
  #last: { readonly active: readonly ActiveScorer[]; readonly loop: L } | undefined;

  of(active: readonly ActiveScorer[], make: () => L): L {
    if (this.#last?.active === active) return this.#last.loop;
    const key = active.map((run) => run.refuser).join(' ');
    const loop = this.#made.get(key) ?? make();
    this.#made.set(key, loop);
    this.#last = { active, loop };
    return loop;
  }
}

/** The loops of each form. */
class LoopPerForm<L> {
  readonly #forms = Array.from({ length: 4 }, () => new LoopPerScorers<L>());

  of({ byColumn, keeps }: LoopForm, active: readonly ActiveScorer[], make: () => L): L {
    return this.#forms[(byColumn ? 2 : 0) + (keeps ? 1 : 0)]!.of(active, make);
  }
}
