import type { ExpressionParam, Score } from '../../contract/index.js';
import type { BoundExpression, Expression } from '../../expression/expression.js';
import type { VariableBinding, VariableBindings } from '../../expression/scope.js';
import { failRun } from '../prepare-entry.js';
import type { CurrentRun, RunContext } from '../run-context.js';

/** Binds expressions to whatever run is the cell's when they are asked. */
export class Binder {
  readonly #roots: VariableBindings;
  /** A unit's schema knows no profile: its expressions may read any field of the context. */
  readonly #paramRoots: VariableBindings;

  constructor(
    private readonly cell: CurrentRun,
    names: {
      readonly measures: readonly string[];
      readonly scorers: readonly string[];
      readonly context: readonly string[] | undefined;
    },
  ) {
    const measure =
      (id: string): VariableBinding =>
      (_candidate, row) => {
        const value = cell.context.measures[id]?.[row];
        return value === undefined || Number.isNaN(value) ? undefined : value;
      };
    const score =
      (_id: string, k: number): VariableBinding =>
      (candidate, row) =>
        cell.context.scores[k]?.(candidate, row);
    const field =
      (key: string): VariableBinding =>
      () =>
        cell.context.context[key];
    const value =
      (_id: string, k: number): VariableBinding =>
      () =>
        cell.context.values[k];
    this.#roots = {
      ...record(names.scorers, value), // a formula calls scorers by their ids; an id is none of the names below
      scores: record(names.scorers, score),
      context: names.context ? record(names.context, field) : () => cell.context.context,
      now: () => cell.context.now,
      score: () => cell.context.score,
      signals: () => cell.context.signals,
      measures: record(names.measures, measure),
      generated: () => cell.context.counts.generated,
      vetoed: () => cell.context.counts.vetoed,
      failed: () => cell.context.counts.failed,
      strategies: () => cell.context.counts.strategies,
    };
    this.#paramRoots = { ...this.#roots, context: () => cell.context.context };
  }

  bind(expression: Expression): BoundExpression {
    return expression.bind(this.#roots);
  }

  /** For the loops, which test every value themselves. */
  bindUnchecked(expression: Expression): BoundExpression {
    return expression.bindUnchecked(this.#roots);
  }

  /** An expression among the params of a unit: one that `expression()` made. */
  param(expression: ExpressionParam): BoundExpression {
    if (!('bind' in expression)) throw new TypeError('an expression param is made with expression()');
    return (expression as Expression).bind(this.#paramRoots);
  }

  /** The same for one run. */
  paramsOf(state: RunContext): (expression: ExpressionParam) => BoundExpression {
    return (expression) => insideRun(this.cell, state, this.param(expression));
  }

  /** An expression asked once a run: `when` and its like. True only when it comes out true. */
  condition(expression: Expression | undefined, entry: string, stage: string): () => boolean {
    if (!expression) return () => true;
    const evaluate = this.once(expression, entry, stage);
    return () => evaluate() === true;
  }

  /** A value asked once a run. Where it fails, the run does: there is no candidate to blame. */
  once(expression: Expression, entry: string, stage: string): () => unknown {
    const evaluate = this.bind(expression);
    return () => orFailRun(entry, stage, () => evaluate(undefined, 0));
  }
}

/** A function that belongs to a run: after an `await`, another run may have been the current one. */
export const insideRun =
  <V>(cell: CurrentRun, state: RunContext, score: Score<unknown, V>): Score<unknown, V> =>
  (candidate, index, note) => {
    cell.context = state;
    return score(candidate, index, note);
  };

/** What fails in here fails the run, and names the entry. */
export function orFailRun<R>(entry: string, stage: string, work: () => R): R {
  try {
    return work();
  } catch (error) {
    return failRun(entry, stage, error);
  }
}

const record = (
  ids: readonly string[],
  root: (id: string, k: number) => VariableBinding,
): Readonly<Record<string, VariableBinding>> => Object.fromEntries(ids.map((id, k) => [id, root(id, k)]));
