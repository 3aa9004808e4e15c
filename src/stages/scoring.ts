import type { Score } from '../contract/index.js';
import type { Expression } from '../expression/expression.js';
import { makeRowLoop, type RowLoop } from '../matrix/row-loop.js';
import { type Arithmetic, makeScoreLoop, type ScoreLoop, type ScoreShape } from '../matrix/score-loop.js';
import type { CaseWeights, Combine } from '../profile/profile.js';
import { arithmeticOf } from './combine.js';
import { keyText } from './key-text.js';
import type { Cell, CompiledScorer, RunState } from './plan.js';
import type { ScorerRun } from './settle.js';
import { ownWeight, weightVector } from './weights.js';

/** How a profile scores: its scorers, and how their scores become one number. */
export interface ScorePlan {
  readonly cell: Cell;
  readonly scorers: readonly CompiledScorer[];
  readonly combine: Combine;
  /** The formula, where `combine` is one: reads the settled scores of the cell's run. */
  readonly formula: Score<unknown, unknown> | undefined;
  readonly cases: (CaseWeights & { readonly evaluate: (candidate: unknown, row: number) => unknown }) | undefined;
  /** What a verdict calls the first scorer, and what refuses when nothing is left to combine. */
  readonly firstJudge: number;
  readonly combineJudge: number;
  /** What a weight that is an expression gives in the cell's run. */
  readonly weightOf: (expression: Expression) => unknown;
  readonly loops: Loops;
}

/** The scorers of one run with their weights: what scores a row, and what explains it later. */
export interface Scoring {
  readonly runs: readonly ScorerRun[];
  /** What the loop calls, by position in `runs`. */
  readonly fast: readonly Score<unknown>[];
  /** The settled scores by position in the profile, for rules and formulas; undefined is not in the run. */
  readonly scores: RunState['scores'];
  readonly arithmetic: Arithmetic;
  readonly weights: Float64Array;
  readonly weightsOf: (candidate: unknown, row: number) => Float64Array;
}

const keyOf = (runs: readonly ScorerRun[]): string => runs.map((run) => run.judge).join(' ');

/** The loops and weights of a profile: one a set of scorers, because an entry whose `when` is false is not in the run. */
export class Loops {
  readonly #score = new Map<string, ScoreLoop>();
  readonly #row = new Map<string, RowLoop>();
  readonly #weighed = new Map<string, Weighed>();
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
    return this.#made(this.#score, runs, (shape) => makeScoreLoop(shape, this.codegen));
  }

  /** The loop that asks the vetoes, too. */
  row(vetoes: number, runs: readonly ScorerRun[]): RowLoop {
    return this.#made(this.#row, runs, (shape) => makeRowLoop(vetoes, shape, this.codegen));
  }

  /** The weights, which are the same in every run of a set of scorers unless one of them is an expression. */
  weighed(runs: readonly ScorerRun[], weighing: () => Weighed): Weighed {
    if (runs.some((run) => typeof run.entry.weight !== 'number')) return weighing();
    const key = keyOf(runs);
    const weighed = this.#weighed.get(key) ?? weighing();
    this.#weighed.set(key, weighed);
    return weighed;
  }

  #made<L>(loops: Map<string, L>, runs: readonly ScorerRun[], make: (shape: ScoreShape) => L): L {
    const key = keyOf(runs);
    const scorers = this.#shape.arithmetic === 'formula' ? 1 : runs.length;
    const loop = loops.get(key) ?? make({ ...this.#shape, scorers });
    loops.set(key, loop);
    return loop;
  }
}

/** Weights by position in the run, and how they differ by candidate. */
export type Weighed = Pick<Scoring, 'weights' | 'weightsOf'>;

/** The weights of a set of scorers in the cell's run. */
export function weigh(plan: ScorePlan, runs: readonly ScorerRun[]): Weighed {
  const ids = runs.map((run) => run.entry.id);
  const own = runs.map((run) => ownWeight(run.entry, plan.weightOf));
  const weights = weightVector(plan.combine, ids, own);
  const { cases } = plan;
  if (!cases) return { weights, weightsOf: () => weights };
  const vectors = new Map<string, Float64Array>();
  for (const [name, byId] of cases.cases) {
    const of = ids.map((id, k) => byId.get(id) ?? own[k]!);
    vectors.set(name, weightVector(plan.combine, ids, of));
  }
  return { weights, weightsOf: (candidate, row) => vectors.get(keyText(cases.evaluate(candidate, row))) ?? weights };
}
