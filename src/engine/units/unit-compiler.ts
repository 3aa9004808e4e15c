import {
  EntryTimedOut,
  type Child,
  type Live,
  type Prepared,
  type Run,
  type Score,
  type UnitClass,
  type UnitInstance,
  type ExpressionParam,
  type RunFacts,
} from '../../sdk/index.js';
import { type ProblemCode, toAssizeError, AssizeError, type Place, type Problem } from '../../base/index.js';
import {
  type ClassUse,
  type Entry,
  type EntryMemoryFile,
  type NamedExpression,
  rowFormula,
  type StatisticEntry,
  STATISTICS,
  type Use,
} from '../../profile/index.js';
import type { MemoryFiles } from '../../services/node.js';
import type { CompiledChild, CompiledUnit, CurrentRun, PrepareFailure, PrepareInput, RunContext } from '../entries.js';
import { causeOf, orFailRun } from '../failures.js';
import { UnitMemories } from '../memories.js';
import {
  awaitPromise,
  describeWrongValue,
  isPromise,
  isTask,
  type MaybeAsync,
  type Task,
  untilAborted,
} from '../tasks.js';
import { Children, type PreparesGroups } from './note-recorder.js';
import {
  type Expression,
  type BoundExpression,
  LET_BINDINGS,
  type RowFormula,
  type VariableBinding,
  type VariableBindings,
} from '../../expression/index.js';

type PreparedUnit = Prepared<unknown, unknown, unknown>;

/** A unit's methods as the engine calls them. Its params come from its own schema, which has no static type here. */
interface Callable extends PreparesGroups {
  check?(params: unknown): void;
  fingerprint?(params: unknown): string;
  compile?(params: unknown, live: Live): Score<unknown, unknown>;
  alone?(params: unknown, live: Live): Score<unknown, unknown> | undefined;
  prepare?(params: unknown, run: Run, memory: unknown): PreparedUnit | Promise<PreparedUnit>;
}

/** Compiles the uses of units in a profile. Each use has its own instance and, if it prepares, a slot in the run's context. */
export class UnitCompiler {
  #slots = 0;
  readonly memories: UnitMemories;

  constructor(
    private readonly current: CurrentRun,
    private readonly binder: Binder,
    private readonly instantiate: Instantiate,
    memoryFiles: MemoryFiles,
    private readonly idOf: (candidate: unknown) => string | undefined,
  ) {
    this.memories = new UnitMemories(memoryFiles);
  }

  /** A new slot in run contexts for a prepared score function. */
  newSlot(): number {
    return this.#slots++;
  }

  /**
   * Compiles an entry. V is the value of its kind. A unit in plain JavaScript that returns something else fails when it is
   * called.
   *
   * @throws AssizeError with the entry's place if its unit cannot be created
   */
  entry<V>(entry: Entry, stage: string): CompiledUnit<V> {
    const { id, use, memory } = entry;
    const compile = (): CompiledUnit<unknown> =>
      use.kind === 'expr'
        ? withoutPrepare(this.binder.bindUnchecked(use.expression), () => rowFormula(use, this.binder.variables))
        : this.#class(use, [stage, id], memory);
    return reportUnitProblem(entry, compile) as CompiledUnit<V>;
  }

  #class(use: ClassUse, path: readonly string[], memory?: EntryMemoryFile): CompiledUnit<unknown> {
    const instance = this.instantiate(use.unit) as Callable;
    checkParams(instance, use.params);
    const children = new Map<Child, CompiledChild>();
    for (const [child, inside] of use.children) {
      children.set(child, { unit: this.#child(inside.use, [...path, String(children.size)]), use: inside });
    }
    const all = new Children(children);
    return this.#row(use, instance, all) ?? this.#batch(use, instance, all, path, memory);
  }

  /** Unchecked, as for an entry: `applyOnAbsent` checks the value, and null is a failure, not an abstention. */
  #child(use: Use, path: readonly string[]): CompiledUnit<unknown> {
    return use.kind === 'expr'
      ? withoutPrepare(this.binder.bindUnchecked(use.expression), () => rowFormula(use, this.binder.variables))
      : this.#class(use, path);
  }

  /** A unit that scores a candidate alone: the same function in every run. Undefined if these params need the batch. */
  #row(use: ClassUse, instance: Callable, children: Children): CompiledUnit<unknown> | undefined {
    const { current, binder } = this;
    const live: Live = {
      now: () => current.context.now,
      context: () => current.context.context,
      signals: () => current.context.signals,
      child: (child) => children.score(child),
      expression: (expression) => binder.param(expression),
    };
    const method = instance.compile ? 'compile' : 'alone';
    const given = instance[method]?.(use.params, live);
    if (given === undefined && method === 'alone') return undefined;
    const score = scoreFrom(method, given);
    return {
      prepares: children.prepares,
      score,
      scoreIn: () => score,
      formula: () => (children.prepares ? undefined : rowFormula(use, binder.variables)),
      prepare: (input) => children.prepare(input),
      children: children.list,
    };
  }

  /** A unit with `prepare`: a function per run, in a slot of the run's context. */
  #batch(
    use: ClassUse,
    instance: Callable,
    children: Children,
    path: readonly string[],
    memoryFile: EntryMemoryFile | undefined,
  ): CompiledUnit<unknown> {
    const { binder, current, memories } = this;
    const slot = this.newSlot();
    memories.add(slot, path, use, instance.fingerprint?.bind(instance), memoryFile);
    const [stage = '', entry = ''] = path;
    const prepare = (input: PrepareInput): MaybeAsync<PrepareFailure | undefined> => {
      const { candidates, context: own, abort } = input;
      const { now, context, signals, measures } = own;
      const late: LateScore = { score: undefined };
      const run: Run = {
        candidates,
        now,
        context,
        signals,
        measures,
        abort,
        idOf: this.idOf,
        child: (child) => current.bind(own, children.score(child)),
        expression: binder.paramsOf(own),
        partial: (score) => void (late.score = score),
      };
      const memory = own.memories ? own.memories.get(slot) : memories.store.get(slot);
      const given = current.enter(own, () => instance.prepare!(use.params, run, memory));
      return isPromise(given) ? whenPrepared(given, late, input) : keep(given, input);
    };
    const whenPrepared = function* (
      given: PromiseLike<PreparedUnit>,
      late: LateScore,
      input: PrepareInput,
    ): Task<PrepareFailure | undefined> {
      let prepared: PreparedUnit;
      try {
        prepared = yield* awaitPromise({ entry, stage }, untilAborted(given, input.abort));
      } catch (error) {
        // The unit's own error after the abort may come first.
        const stop: unknown = input.abort.aborted ? input.abort.reason : undefined;
        if (!(stop instanceof EntryTimedOut)) throw error;
        if (late.score === undefined) throw stop;
        prepared = late.score;
      }
      return keep(prepared, input);
    };
    const keep = (given: PreparedUnit, { context, updates }: PrepareInput): PrepareFailure | undefined => {
      if (given instanceof Error) return { cause: given };
      const hasMemory = typeof given === 'object' && given !== null;
      context.prepared[slot] = scoreFrom('prepare', hasMemory ? given.score : given);
      if (hasMemory) updates.push([slot, given.memory]);
      return undefined;
    };
    const prepareWithChildren = function* (input: PrepareInput): Task<PrepareFailure | undefined> {
      const failure = yield* children.prepare(input);
      if (failure) return failure;
      const pending = prepare(input);
      return isTask(pending) ? yield* pending : pending;
    };
    return {
      prepares: true,
      score: (candidate, index, note) => preparedScore(current.context, slot)(candidate, index, note),
      scoreIn: (context) => preparedScore(context, slot),
      prepare: children.prepares ? prepareWithChildren : prepare,
      prepareGroups: children.groupsPreparer(use.params, instance),
      children: children.list,
    };
  }
}

/** The score that a unit passed to `run.partial`. It is used if the entry's timeout fires first. */
interface LateScore {
  score: Score<unknown, unknown> | undefined;
}

/** A unit that does not prepare. */
export const withoutPrepare = <V>(
  score: Score<unknown, V>,
  formula?: () => RowFormula | undefined,
): CompiledUnit<V> => ({
  prepares: false,
  score,
  scoreIn: () => score,
  ...(formula && { formula }),
  prepare: () => undefined,
  children: [],
});

/** Checks a score function: a unit in plain JavaScript may return anything. */
function scoreFrom(method: string, given: unknown): Score<unknown, unknown> {
  const expected = `expected a function of one candidate from ${method}, found`;
  if (typeof given !== 'function') throw new TypeError(`${expected} ${describeWrongValue(given)}`);
  if (!isAsyncFunction(given)) return given as Score<unknown, unknown>;
  throw new TypeError(`${expected} an async function: scores are synchronous; wait in prepare, or use scorer(async …)`);
}

function preparedScore({ prepared }: RunContext, slot: number): Score<unknown, unknown> {
  const score = prepared[slot];
  if (!score) throw new Error('it was called before it was prepared');
  return score;
}

/** Creates an instance of a unit class, with its services injected. */
export type Instantiate = (unit: UnitClass) => UnitInstance;

/** The method of the kinds that always depend on the run, as the engine calls it. Params come from their schema. */
interface Prepares<R, V> {
  prepare(params: unknown, run: R): V | Promise<V>;
}

/** A unit that concerns the whole run (signal, generator, report), as a function of the run. */
export function runUnit<R, V>(id: string, use: ClassUse, instantiate: Instantiate): (run: R) => V | Promise<V> {
  const unit = reportUnitProblem({ id }, () => instantiate(use.unit)) as Prepares<R, V>;
  return (run) => unit.prepare(use.params, run);
}

function checkParams(instance: Callable, params: unknown): void {
  try {
    instance.check?.(params);
  } catch (error) {
    throw new ParamsRejected(error);
  }
}

/** Thrown if a unit's own check rejects its params. */
class ParamsRejected extends Error {
  constructor(override readonly cause: unknown) {
    super('the params are invalid', { cause });
  }
}

/** Creates the unit of an entry. Any error becomes a problem of the entry, with its place. */
export function reportUnitProblem<R>(
  entry: { readonly id: string; readonly path?: string; readonly place?: Place | undefined },
  make: () => R,
): R {
  try {
    return make();
  } catch (error) {
    const { id, path = id, place } = entry;
    const cause = error instanceof ParamsRejected ? error.cause : error;
    const [first, ...rest] = causeOf(cause).split('\n');
    const hint = rest.length === 0 ? undefined : rest.join('\n');
    const problem: Problem =
      error instanceof ParamsRejected
        ? { code: codeOf(cause) ?? 'ASZ202', message: `the params of ${id} are invalid: ${first}`, path, place, hint }
        : {
            code: codeOf(cause) ?? 'ASZ305',
            message: `the unit of ${id} cannot be created: ${first}`,
            path,
            place,
            hint,
          };
    throw toAssizeError([problem], { cause: error });
  }
}

/** The code of a problem in a unit's service, if any: a missing package is not an invalid value. */
const codeOf = (cause: unknown): ProblemCode | undefined => (cause instanceof AssizeError ? cause.code : undefined);

/** Binds expressions to the run that is current when they are evaluated. */
export class Binder {
  readonly variables: VariableBindings;
  /** A unit's schema does not know the profile, so its expressions may read any field of the context. */
  readonly #paramVariables: VariableBindings;

  constructor(
    private readonly current: CurrentRun,
    names: {
      readonly measures: readonly string[];
      readonly stats: readonly StatisticEntry[];
      readonly lets: readonly NamedExpression[];
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
    this.variables = {
      ...record(names.scorers, value), // a formula reads scorers by their ids; no id equals a name below
      scores: record(names.scorers, score),
      context: names.context ? record(names.context, field) : () => current.context.context,
      now: () => current.context.now,
      score: () => current.context.score,
      place: () => current.context.place,
      signals: () => current.context.signals,
      measures: record(names.measures, measure),
      ...Object.fromEntries(names.stats.map((entry) => [entry.id, record(STATISTICS, statisticOf(current, entry))])),
      [LET_BINDINGS]: Object.fromEntries(names.lets.map((one) => [one.name, this.#remembered(one)])),
      generated: () => current.context.counts.generated,
      vetoed: () => current.context.counts.vetoed,
      failed: () => current.context.counts.failed,
      strategies: () => current.context.counts.strategies,
    };
    this.#paramVariables = { ...this.variables, context: () => current.context.context };
  }

  /** The value of a named expression, computed once for each candidate that a stage visits. */
  #remembered({ expression }: NamedExpression): BoundExpression {
    let evaluate: BoundExpression | undefined;
    let [context, work, candidate, row, value]: [RunContext?, number?, unknown?, number?, unknown?] = [];
    const { current } = this;
    return (c, i) => {
      evaluate ??= this.bindUnchecked(expression);
      if (c === undefined) return evaluate(c, i); // before the candidates are known, signals still change
      if (c === candidate && i === row && current.context === context && current.work === work) return value;
      candidate = undefined; // the evaluation may throw
      value = evaluate(c, i);
      ({ context, work } = current);
      [candidate, row] = [c, i];
      return value;
    };
  }

  bind(expression: Expression): BoundExpression {
    return expression.bind(this.variables, this.steps);
  }

  /** For the loops, which check every value themselves. */
  bindUnchecked(expression: Expression): BoundExpression {
    return expression.bindUnchecked(this.variables, this.steps);
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

  /**
   * A condition of the whole run, such as `when`. It holds only if it evaluates to true.
   *
   * @param ifAbsent whether it holds if it is absent
   */
  condition(expression: Expression | undefined, entry: string, stage: string, ifAbsent = false): () => boolean {
    if (!expression) return () => true;
    const evaluate = this.once(expression, entry, stage);
    return () => (evaluate() ?? ifAbsent) === true;
  }

  /** A value that is evaluated once per run. An error fails the run, because the value does not concern a candidate. */
  once(expression: Expression, entry: string, stage: string): () => unknown {
    const evaluate = this.bind(expression);
    return () => orFailRun(entry, stage, () => evaluate(undefined, 0));
  }
}

/** Reads a number of a statistic. Without groups it is the same for all rows, and the function takes none. */
const statisticOf =
  (current: CurrentRun, { name, by }: StatisticEntry) =>
  (which: (typeof STATISTICS)[number]): VariableBinding => {
    const valueIn = (group: number): number | undefined => {
      const value = current.context.stats[name]?.groups[group]?.[which];
      return value === undefined || Number.isNaN(value) ? undefined : value;
    };
    return by ? (_candidate, row) => valueIn(current.context.stats[name]?.groupOf?.[row] ?? -1) : () => valueIn(0);
  };

const record = <Id extends string>(
  ids: readonly Id[],
  root: (id: Id, k: number) => VariableBinding,
): Readonly<Record<string, VariableBinding>> => Object.fromEntries(ids.map((id, k) => [id, root(id, k)]));

/** A value as a key of a case or a table. YAML keys are text, so `1` becomes '1' and true becomes 'true'. */
export const keyText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return String(value);
  // A list or a map is never a key, and its text may be too long to build.
  return typeof value === 'object' && value !== null ? typeof value : (JSON.stringify(value) ?? typeof value);
};

/** Whether a function is declared `async`, and so always returns a promise. */
const isAsyncFunction = (value: unknown): boolean =>
  typeof value === 'function' && Object.prototype.toString.call(value) === '[object AsyncFunction]';
