import type { Evaluate, Expression } from '../expression/expression.js';
import type { Root, Roots } from '../expression/scope.js';
import type { Cell } from '../stages/plan.js';

/** Binds expressions to whatever run is the cell's when they are asked. */
export class Binder {
  readonly #roots: Roots;

  constructor(
    cell: Cell,
    names: {
      readonly signals: readonly string[];
      readonly measures: readonly string[];
      readonly scorers: readonly string[];
    },
  ) {
    const signal =
      (id: string): Root =>
      () =>
        cell.state.signals[id];
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
    const scores = record(names.scorers, score);
    this.#roots = {
      ...scores, // a formula calls scorers by their ids; an id is none of the names below
      scores,
      context: () => cell.state.context,
      now: () => cell.state.now,
      score: () => cell.state.score,
      signals: record(names.signals, signal),
      measures: record(names.measures, measure),
      generated: () => cell.state.tally.generated,
      vetoed: () => cell.state.tally.vetoed,
      failed: () => cell.state.tally.failed,
      strategies: () => cell.state.tally.strategies,
    };
  }

  bind(expression: Expression): Evaluate {
    return expression.bind(this.#roots);
  }

  /** For the loops, which test every value themselves. */
  bindUnchecked(expression: Expression): Evaluate {
    return expression.bindUnchecked(this.#roots);
  }

  /** An expression asked once a run: `when` and its like. True only when it comes out true. */
  holds(expression: Expression | undefined): () => boolean {
    if (!expression) return () => true;
    const evaluate = this.bind(expression);
    return () => evaluate(undefined, 0) === true;
  }

  /** A value asked once a run. */
  once(expression: Expression): () => unknown {
    const evaluate = this.bind(expression);
    return () => evaluate(undefined, 0);
  }
}

const record = (ids: readonly string[], root: (id: string, k: number) => Root): Readonly<Record<string, Root>> =>
  Object.fromEntries(ids.map((id, k) => [id, root(id, k)]));
