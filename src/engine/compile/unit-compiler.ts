import type { Child, Live, Prepared, Run, Score, UnitClass, UnitInstance } from '../../contract/index.js';
import { describeValue } from '../../diagnostics/describe-value.js';
import type { ClassUse, EntryMemoryFile, Use } from '../../profile/profile.js';
import { untilAborted } from '../limits.js';
import { UnitMemories } from '../memory/unit-memories.js';
import type { CompiledUnit, CurrentRun, PrepareFailure, PrepareInput, RunContext } from '../run-context.js';
import { awaitPromise, isPromise, isTask, type MaybeAsync, type Task } from '../task.js';
import { type Binder, insideRun } from './binder.js';
import { Children, type CompiledChild } from './children.js';
import { ParamsRejected } from './unit-problems.js';

/** Makes an instance of a unit class, with its services injected. */
export type Instantiate = (unit: UnitClass) => UnitInstance;

type PreparedUnit = Prepared<unknown, unknown, unknown>;

/** A unit's methods as the engine calls them. Its params are what its own schema gave, which no type can say here. */
interface Callable {
  check?(params: unknown): void;
  fingerprint?(params: unknown): string;
  compile?(params: unknown, live: Live): Score<unknown, unknown>;
  prepare?(params: unknown, run: Run, memory: unknown): PreparedUnit | Promise<PreparedUnit>;
}

function checkParams(instance: Callable, params: unknown): void {
  try {
    instance.check?.(params);
  } catch (error) {
    throw new ParamsRejected(error);
  }
}

/** Compiles the uses of a profile. Each has one instance; what is prepared has a slot in the run's state. */
export class UnitCompiler {
  #slots = 0;
  readonly memories = new UnitMemories();

  constructor(
    private readonly cell: CurrentRun,
    private readonly binder: Binder,
    private readonly instantiate: Instantiate,
  ) {}

  /** Compiles an entry. V is the kind's value: what else it gives is found out by who asks, and is a failure. */
  compile<V>(use: Use, stage: string, entry: string, memory?: EntryMemoryFile): CompiledUnit<V> {
    const unit =
      use.kind === 'expr'
        ? withoutPrepare(this.binder.bindUnchecked(use.expression))
        : this.#unit(use, [stage, entry], memory);
    return unit as CompiledUnit<V>;
  }

  #stable(use: Use, where: readonly string[]): CompiledUnit<unknown> {
    return use.kind === 'expr' ? withoutPrepare(this.binder.bind(use.expression)) : this.#unit(use, where);
  }

  #unit(use: ClassUse, where: readonly string[], memory?: EntryMemoryFile): CompiledUnit<unknown> {
    const instance = this.instantiate(use.unit) as Callable;
    checkParams(instance, use.params);
    const children = new Children(
      new Map(
        [...use.children].map(([child, inside], k): [Child, CompiledChild] => [
          child,
          { unit: this.#stable(inside.use, [...where, String(k)]), use: inside },
        ]),
      ),
    );
    return instance.compile
      ? this.#compiled(use, instance, children)
      : this.#prepared(use, instance, children, where, memory);
  }

  #compiled(use: ClassUse, instance: Callable, children: Children): CompiledUnit<unknown> {
    const { cell, binder } = this;
    const live: Live = {
      now: () => cell.context.now,
      context: () => cell.context.context,
      signals: () => cell.context.signals,
      child: (child) => children.score(child),
      expression: (expression) => binder.param(expression),
    };
    const score = scoreFrom('compile', instance.compile!(use.params, live));
    return {
      prepares: children.batch,
      score,
      scoreIn: () => score,
      prepare: (batch) => children.prepare(batch),
    };
  }

  #prepared(
    use: ClassUse,
    instance: Callable,
    children: Children,
    where: readonly string[],
    memory: EntryMemoryFile | undefined,
  ): CompiledUnit<unknown> {
    const { binder, cell, memories } = this;
    const slot = this.#slots++;
    memories.add(slot, where, use, instance.fingerprint?.bind(instance), memory);
    const [stage = '', entry = ''] = where;
    const own = (batch: PrepareInput): MaybeAsync<PrepareFailure | undefined> => {
      const { candidates, context: state, abort } = batch;
      const { now, context, signals, measures } = state;
      const run: Run = {
        candidates,
        now,
        context,
        signals,
        measures,
        abort,
        child: (child) => insideRun(cell, state, children.score(child)),
        expression: binder.paramsOf(state),
      };
      cell.context = state;
      const given = instance.prepare!(use.params, run, memories.memories.get(slot));
      return isPromise(given) ? later(given, batch) : keep(given, batch);
    };
    const later = function* (given: PromiseLike<PreparedUnit>, batch: PrepareInput): Task<PrepareFailure | undefined> {
      return keep(yield* awaitPromise({ entry, stage }, untilAborted(given, batch.abort)), batch);
    };
    const keep = (given: PreparedUnit, { context, updates }: PrepareInput): PrepareFailure | undefined => {
      if (given instanceof Error) return { cause: given };
      const remembered = typeof given === 'object' && given !== null;
      context.prepared[slot] = scoreFrom('prepare', remembered ? given.score : given);
      if (remembered) updates.push([slot, given.memory]);
      return undefined;
    };
    const withChildren = function* (batch: PrepareInput): Task<PrepareFailure | undefined> {
      const failed = yield* children.prepare(batch);
      if (failed) return failed;
      const prepared = own(batch);
      return isTask(prepared) ? yield* prepared : prepared;
    };
    return {
      prepares: true,
      score: (candidate, index, note) => preparedScore(cell.context, slot)(candidate, index, note),
      scoreIn: (state) => preparedScore(state, slot),
      prepare: children.batch ? withChildren : own,
    };
  }
}

/** What needs nothing to be prepared. */
const withoutPrepare = (score: Score<unknown, unknown>): CompiledUnit<unknown> => ({
  prepares: false,
  score,
  scoreIn: () => score,
  prepare: () => undefined,
});

/** What a unit gave for a score: in plain JavaScript that may be anything. */
function scoreFrom(method: string, given: unknown): Score<unknown, unknown> {
  if (typeof given === 'function') return given as Score<unknown, unknown>;
  throw new TypeError(`${method} gives a function of one candidate, and it gave ${describeValue(given)}`);
}

function preparedScore(state: RunContext, slot: number): Score<unknown, unknown> {
  const score = state.prepared[slot];
  if (!score) throw new Error('it was asked before it was prepared');
  return score;
}
