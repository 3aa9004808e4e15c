import type { Child, Live, Prepared, Run, Score, UnitClass, UnitInstance } from '../../contract/index.js';
import { describeValue } from '../../expression/describe.js';
import type { ClassUse, MemoryUse, Use } from '../../profile/profile.js';
import { untilAborted } from '../../stages/limits.js';
import type { Batch, Cell, Compiled, RunState, Unprepared } from '../../stages/plan.js';
import { isPromise, isSteps, type Soon, type Steps, waitFor } from '../../stages/wait.js';
import { type Binder, entered } from './bind.js';
import { Children, type CompiledChild } from './child.js';
import { ParamsRefused } from './made.js';
import { Remembering } from './remembering.js';

/** Makes an instance of a unit class, with its services injected. */
export type Instantiate = (unit: UnitClass) => UnitInstance;

type AnyPrepared = Prepared<unknown, unknown, unknown>;

/** A unit's methods as the engine calls them. Its params are what its own schema gave, which no type can say here. */
interface Callable {
  check?(params: unknown): void;
  fingerprint?(params: unknown): string;
  compile?(params: unknown, live: Live): Score<unknown, unknown>;
  prepare?(params: unknown, run: Run, memory: unknown): AnyPrepared | Promise<AnyPrepared>;
}

function checkParams(instance: Callable, params: unknown): void {
  try {
    instance.check?.(params);
  } catch (error) {
    throw new ParamsRefused(error);
  }
}

/** Compiles the uses of a profile. Each has one instance; what is prepared has a slot in the run's state. */
export class UnitCompiler {
  #slots = 0;
  readonly remembering = new Remembering();

  constructor(
    private readonly cell: Cell,
    private readonly binder: Binder,
    private readonly instantiate: Instantiate,
  ) {}

  /** Compiles an entry. V is the kind's value: what else it gives is found out by who asks, and is a failure. */
  compile<V>(use: Use, stage: string, entry: string, memory?: MemoryUse): Compiled<V> {
    const unit =
      use.kind === 'expr' ? alone(this.binder.bindUnchecked(use.expression)) : this.#unit(use, [stage, entry], memory);
    return unit as Compiled<V>;
  }

  #stable(use: Use, where: readonly string[]): Compiled<unknown> {
    return use.kind === 'expr' ? alone(this.binder.bind(use.expression)) : this.#unit(use, where);
  }

  #unit(use: ClassUse, where: readonly string[], memory?: MemoryUse): Compiled<unknown> {
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

  #compiled(use: ClassUse, instance: Callable, children: Children): Compiled<unknown> {
    const { cell, binder } = this;
    const live: Live = {
      now: () => cell.state.now,
      context: () => cell.state.context,
      signals: () => cell.state.signals,
      child: (child) => children.score(child),
      expression: (expression) => binder.param(expression),
    };
    const stable = scoreFrom('compile', instance.compile!(use.params, live));
    return {
      batch: children.batch,
      stable,
      scoreIn: () => stable,
      prepare: (batch) => children.prepare(batch),
    };
  }

  #prepared(
    use: ClassUse,
    instance: Callable,
    children: Children,
    where: readonly string[],
    memory: MemoryUse | undefined,
  ): Compiled<unknown> {
    const { binder, cell, remembering } = this;
    const slot = this.#slots++;
    remembering.add(slot, where, use, instance.fingerprint?.bind(instance), memory);
    const [stage = '', entry = ''] = where;
    const own = (batch: Batch): Soon<Unprepared | undefined> => {
      const { candidates, state, abort } = batch;
      const { now, context, signals, measures } = state;
      const run: Run = {
        candidates,
        now,
        context,
        signals,
        measures,
        abort,
        child: (child) => entered(cell, state, children.score(child)),
        expression: binder.paramsOf(state),
      };
      cell.state = state;
      const given = instance.prepare!(use.params, run, remembering.memories.of(slot));
      return isPromise(given) ? later(given, batch) : keep(given, batch);
    };
    const later = function* (given: PromiseLike<AnyPrepared>, batch: Batch): Steps<Unprepared | undefined> {
      return keep(yield* waitFor({ entry, stage }, untilAborted(given, batch.abort)), batch);
    };
    const keep = (given: AnyPrepared, { state, learnt }: Batch): Unprepared | undefined => {
      if (given instanceof Error) return { cause: given };
      const remembered = typeof given === 'object' && given !== null;
      state.prepared[slot] = scoreFrom('prepare', remembered ? given.score : given);
      if (remembered) learnt.push([slot, given.memory]);
      return undefined;
    };
    const withChildren = function* (batch: Batch): Steps<Unprepared | undefined> {
      const failed = yield* children.prepare(batch);
      if (failed) return failed;
      const prepared = own(batch);
      return isSteps(prepared) ? yield* prepared : prepared;
    };
    return {
      batch: true,
      stable: (candidate, index, note) => preparedIn(cell.state, slot)(candidate, index, note),
      scoreIn: (state) => preparedIn(state, slot),
      prepare: children.batch ? withChildren : own,
    };
  }
}

/** What needs nothing to be prepared. */
const alone = (stable: Score<unknown, unknown>): Compiled<unknown> => ({
  batch: false,
  stable,
  scoreIn: () => stable,
  prepare: () => undefined,
});

/** What a unit gave for a score: in plain JavaScript that may be anything. */
function scoreFrom(method: string, given: unknown): Score<unknown, unknown> {
  if (typeof given === 'function') return given as Score<unknown, unknown>;
  throw new TypeError(`${method} gives a function of one candidate, and it gave ${describeValue(given)}`);
}

function preparedIn(state: RunState, slot: number): Score<unknown, unknown> {
  const score = state.prepared[slot];
  if (!score) throw new Error('it was asked before it was prepared');
  return score;
}
