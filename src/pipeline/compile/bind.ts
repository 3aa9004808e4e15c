import type { ExpressionParam, Score } from '../../contract/index.js';
import type { Evaluate, Expression } from '../../expression/expression.js';
import type { Root, Roots } from '../../expression/scope.js';
import type { Cell, RunState } from '../../stages/plan.js';
import { failRun } from '../../stages/prepare.js';

/** Binds expressions to whatever run is the cell's when they are asked. */
export class Binder {
  readonly #roots: Roots;
  /** A unit's schema knows no profile: its expressions may read any field of the context. */
  readonly #paramRoots: Roots;

  constructor(
    private readonly cell: Cell,
    names: {
      readonly measures: readonly string[];
      readonly scorers: readonly string[];
      readonly context: readonly string[] | undefined;
    },
  ) {
    const measure =
      (id: string): Root =>
      (_candidate, row) => {
        const value = cell.state.measures[id]?.[row];
        return value === undefined || Number.isNaN(value) ? undefined : value;
      };
    const score =
      (_id: string, k: number): Root =>
      (candidate, row) =>
        cell.state.scores[k]?.(candidate, row);
    const field =
      (key: string): Root =>
      () =>
        cell.state.context[key];
    const value =
      (_id: string, k: number): Root =>
      () =>
        cell.state.values[k];
    this.#roots = {
      ...record(names.scorers, value), // a formula calls scorers by their ids; an id is none of the names below
      scores: record(names.scorers, score),
      context: names.context ? record(names.context, field) : () => cell.state.context,
      now: () => cell.state.now,
      score: () => cell.state.score,
      signals: () => cell.state.signals,
      measures: record(names.measures, measure),
      generated: () => cell.state.tally.generated,
      vetoed: () => cell.state.tally.vetoed,
      failed: () => cell.state.tally.failed,
      strategies: () => cell.state.tally.strategies,
    };
    this.#paramRoots = { ...this.#roots, context: () => cell.state.context };
  }

  bind(expression: Expression): Evaluate {
    return expression.bind(this.#roots);
  }

  /** For the loops, which test every value themselves. */
  bindUnchecked(expression: Expression): Evaluate {
    return expression.bindUnchecked(this.#roots);
  }

  /** An expression among the params of a unit: one that `expression()` made. */
  param(expression: ExpressionParam): Evaluate {
    if (!('bind' in expression)) throw new TypeError('an expression param is made with expression()');
    return (expression as Expression).bind(this.#paramRoots);
  }

  /** The same for one run. */
  paramsOf(state: RunState): (expression: ExpressionParam) => Evaluate {
    return (expression) => entered(this.cell, state, this.param(expression));
  }

  /** An expression asked once a run: `when` and its like. True only when it comes out true. */
  holds(expression: Expression | undefined, entry: string, stage: string): () => boolean {
    if (!expression) return () => true;
    const evaluate = this.once(expression, entry, stage);
    return () => evaluate() === true;
  }

  /** A value asked once a run. Where it fails, the run does: there is no candidate to blame. */
  once(expression: Expression, entry: string, stage: string): () => unknown {
    const evaluate = this.bind(expression);
    return () => failing(entry, stage, () => evaluate(undefined, 0));
  }
}

/** A function that belongs to a run: after an `await`, another run may have been the current one. */
export const entered =
  <V>(cell: Cell, state: RunState, score: Score<unknown, V>): Score<unknown, V> =>
  (candidate, index, note) => {
    cell.state = state;
    return score(candidate, index, note);
  };

/** What fails in here fails the run, and names the entry. */
export function failing<R>(entry: string, stage: string, work: () => R): R {
  try {
    return work();
  } catch (error) {
    return failRun(entry, stage, error);
  }
}

const record = (ids: readonly string[], root: (id: string, k: number) => Root): Readonly<Record<string, Root>> =>
  Object.fromEntries(ids.map((id, k) => [id, root(id, k)]));
