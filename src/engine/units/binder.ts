import type { ExpressionParam, RunFacts } from '../../sdk/index.js';
import type { Expression, BoundExpression, VariableBinding, VariableBindings } from '../../expression/index.js';
import type { CurrentRun, RunContext } from '../entries.js';
import { orFailRun } from '../failures.js';

/** Binds expressions to the run that is current when they are evaluated. */
export class Binder {
  readonly #variables: VariableBindings;
  /** A unit's schema does not know the profile, so its expressions may read any field of the context. */
  readonly #paramVariables: VariableBindings;

  constructor(
    private readonly current: CurrentRun,
    names: {
      readonly measures: readonly string[];
      readonly scorers: readonly string[];
      readonly context: readonly string[] | undefined;
    },
    /** The maximum number of steps of an evaluation. */
    private readonly steps: number,
  ) {
    const measure =
      (id: string): VariableBinding =>
      (_candidate, row) => {
        const value = current.context.measures[id]?.[row];
        return value === undefined || Number.isNaN(value) ? undefined : value;
      };
    const score =
      (_id: string, k: number): VariableBinding =>
      (candidate, row) =>
        current.context.scores[k]?.(candidate, row);
    const field =
      (key: string): VariableBinding =>
      () =>
        current.context.context[key];
    const value =
      (_id: string, k: number): VariableBinding =>
      () =>
        current.context.values[k];
    this.#variables = {
      ...record(names.scorers, value), // a formula reads scorers by their ids; no id equals a name below
      scores: record(names.scorers, score),
      context: names.context ? record(names.context, field) : () => current.context.context,
      now: () => current.context.now,
      score: () => current.context.score,
      signals: () => current.context.signals,
      measures: record(names.measures, measure),
      generated: () => current.context.counts.generated,
      vetoed: () => current.context.counts.vetoed,
      failed: () => current.context.counts.failed,
      strategies: () => current.context.counts.strategies,
    };
    this.#paramVariables = { ...this.#variables, context: () => current.context.context };
  }

  bind(expression: Expression): BoundExpression {
    return expression.bind(this.#variables, this.steps);
  }

  /** For the loops, which check every value themselves. */
  bindUnchecked(expression: Expression): BoundExpression {
    return expression.bindUnchecked(this.#variables, this.steps);
  }

  /** Binds an expression among the params of a unit, created by `expression()`. */
  param(expression: ExpressionParam): BoundExpression {
    if (!('bind' in expression)) throw new TypeError('create an expression param with expression()');
    return (expression as Expression).bind(this.#paramVariables, this.steps);
  }

  /** The same, bound to one run instead of the current one. */
  paramsOf(context: RunContext): (expression: ExpressionParam) => BoundExpression {
    return (expression) => this.current.bind(context, this.param(expression));
  }

  /** The facts of a run that every unit receives. */
  runFacts(run: RunContext, abort: AbortSignal): RunFacts {
    const { now, context, signals } = run;
    return { now, context, signals, abort, expression: this.paramsOf(run) };
  }

  /** A condition of the whole run, such as `when`. It holds only if it evaluates to true. */
  condition(expression: Expression | undefined, entry: string, stage: string): () => boolean {
    if (!expression) return () => true;
    const evaluate = this.once(expression, entry, stage);
    return () => evaluate() === true;
  }

  /** A value that is evaluated once per run. An error fails the run, because the value does not concern a candidate. */
  once(expression: Expression, entry: string, stage: string): () => unknown {
    const evaluate = this.bind(expression);
    return () => orFailRun(entry, stage, () => evaluate(undefined, 0));
  }
}

const record = (
  ids: readonly string[],
  root: (id: string, k: number) => VariableBinding,
): Readonly<Record<string, VariableBinding>> => Object.fromEntries(ids.map((id, k) => [id, root(id, k)]));

/** A value as a key of a case or a table. YAML keys are text, so `1` becomes '1' and true becomes 'true'. */
export const keyText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  // A list or a map is never a key, and its text may be too long to build.
  return typeof value === 'object' && value !== null ? typeof value : (JSON.stringify(value) ?? typeof value);
};
