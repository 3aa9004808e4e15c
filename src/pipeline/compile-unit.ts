import type { Child, Live, Prepared, Run, Score, UnitClass, UnitInstance } from '../contract/index.js';
import { nested } from '../explain/recorder.js';
import { describeValue } from '../expression/describe.js';
import type { ChildUse, ClassUse, MemoryUse, Use } from '../profile/profile.js';
import { type Batch, type Cell, type Compiled, Refused, type RunState } from '../stages/plan.js';
import { type Binder, entered } from './bind.js';
import { Memories } from './memories.js';

/** Makes an instance of a unit class, with its services injected. */
export type Instantiate = (unit: UnitClass) => UnitInstance;

/** A use that is compiled, with its function that never changes. */
interface Stable extends Compiled<unknown> {
  readonly stable: Score<unknown, unknown>;
}

/** A child that is compiled: `score` is what its parent calls, after `on_absent`. */
interface CompiledChild {
  readonly unit: Stable;
  readonly use: ChildUse;
}

/** A unit's methods as the engine calls them. Its params are what its own schema gave, which no type can say here. */
interface Callable {
  check?(params: unknown): void;
  fingerprint?(params: unknown): string;
  compile?(params: unknown, live: Live): Score<unknown, unknown>;
  prepare?(
    params: unknown,
    run: Run,
    memory: unknown,
  ): Prepared<unknown, unknown, unknown> | Promise<Prepared<unknown, unknown, unknown>>;
}

/** A unit has looked at its params, and refuses them. */
export class ParamsRefused extends Error {
  constructor(override readonly cause: unknown) {
    super('the params are refused', { cause });
  }
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
  readonly memories = new Memories();
  /** The slots of the memories, by where in the profile their units are used. */
  readonly #remembering = new Map<
    string,
    {
      readonly entry: string;
      readonly slot: number;
      readonly unit: UnitClass;
      readonly params: never;
      /** What its memory is made with; undefined where the unit does not say. */
      readonly madeWith: () => string | undefined;
    }
  >();

  constructor(
    private readonly cell: Cell,
    private readonly binder: Binder,
    private readonly instantiate: Instantiate,
  ) {}

  /** Compiles an entry. V is the kind's value: what else it gives is found out by who asks, and is a failure. */
  compile<V>(use: Use, stage: string, entry: string, memory?: MemoryUse): Compiled<V> {
    const unit =
      use.kind === 'expr' ? alone(this.binder.bindUnchecked(use.expression)) : this.unit(use, [stage, entry], memory);
    return unit as Compiled<V>;
  }

  /**
   * Starts from the memories of another compiler's units, and leaves files alone. An entry that has changed starts from
   * one that is made with the same, under the limits of its new params; of another one it starts empty.
   */
  adopt(other: UnitCompiler, memories: ReadonlyMap<number, unknown>, changed: ReadonlySet<string>): void {
    this.memories.leaveFiles();
    for (const [where, { entry, slot, unit, params, madeWith }] of this.#remembering) {
      const theirs = other.#remembering.get(where);
      if (theirs?.unit !== unit) continue;
      const memory = memories.get(theirs.slot);
      if (!changed.has(entry)) this.memories.hold(slot, memory);
      else if (madeWith() !== undefined && madeWith() === theirs.madeWith())
        this.memories.hold(slot, relimited(unit, memory, params));
    }
  }

  private stable(use: Use, where: readonly string[]): Stable {
    return use.kind === 'expr' ? alone(this.binder.bind(use.expression)) : this.unit(use, where);
  }

  private unit(use: ClassUse, where: readonly string[], memory?: MemoryUse): Stable {
    const instance = this.instantiate(use.unit) as Callable;
    checkParams(instance, use.params);
    const children = new Map(
      [...use.children].map(([child, inside], k): [Child, CompiledChild] => [
        child,
        { unit: this.stable(inside.use, [...where, String(k)]), use: inside },
      ]),
    );
    return instance.compile
      ? this.compiled(use, instance, children)
      : this.prepared(use, instance, children, where, memory);
  }

  private compiled(use: ClassUse, instance: Callable, children: ReadonlyMap<Child, CompiledChild>): Stable {
    const { cell } = this;
    const live: Live = {
      now: () => cell.state.now,
      context: () => cell.state.context,
      signals: () => cell.state.signals,
      child: (child) => childScore(childOf(children, child)),
      expression: (expression) => this.binder.param(expression),
    };
    const stable = scoreFrom('compile', instance.compile!(use.params, live));
    const inside = [...children.values()].filter(({ unit }) => unit.batch);
    return {
      batch: inside.length > 0,
      stable,
      scoreIn: () => stable,
      prepare: (batch) => prepareAll(inside, batch),
    };
  }

  private prepared(
    use: ClassUse,
    instance: Callable,
    children: ReadonlyMap<Child, CompiledChild>,
    where: readonly string[],
    memory: MemoryUse | undefined,
  ): Stable {
    const { cell, memories } = this;
    const slot = this.#slots++;
    const { memory: remembers } = use.unit.meta;
    if (remembers) {
      const params = use.params as never;
      memories.hold(slot, remembers.empty(params));
      const madeWith = (): string | undefined => instance.fingerprint?.(params);
      this.#remembering.set(where.join('/'), { entry: where[1] ?? '', slot, unit: use.unit, params, madeWith });
      if (memory && remembers.file) {
        const { version } = remembers.file;
        const owner = { unit: `${use.pack}/${use.name}`, version, madeWith: madeWith() ?? '' };
        memories.addFile(slot, memory, owner, remembers.file, params);
      }
    }
    const inside = [...children.values()].filter(({ unit }) => unit.batch);
    const prepare = async (batch: Batch): Promise<void> => {
      await prepareAll(inside, batch);
      const { state } = batch;
      const run: Run = {
        candidates: batch.candidates,
        now: state.now,
        context: state.context,
        signals: state.signals,
        measures: state.measures,
        abort: batch.abort,
        child: (child) => entered(cell, state, childScore(childOf(children, child))),
        expression: this.binder.paramsOf(state),
      };
      cell.state = state;
      const result = await instance.prepare!(use.params, run, memories.of(slot));
      const remembered = typeof result === 'object' && result !== null;
      state.prepared[slot] = scoreFrom('prepare', remembered ? result.score : result);
      if (remembered) batch.learnt.set(slot, result.memory);
    };
    return {
      batch: true,
      stable: (candidate, index, note) => preparedIn(cell.state, slot)(candidate, index, note),
      scoreIn: (state) => preparedIn(state, slot),
      prepare,
    };
  }
}

/** A memory under other params, as a file of it would be read; empty where it cannot be one of theirs. */
function relimited({ meta }: UnitClass, memory: unknown, params: never): unknown {
  const format = meta.memory?.file;
  if (!format) return memory;
  try {
    return format.restore(format.store(memory as never), params);
  } catch {
    return meta.memory?.empty(params);
  }
}

/** What needs nothing to be prepared. */
const alone = (stable: Score<unknown, unknown>): Stable => ({
  batch: false,
  stable,
  scoreIn: () => stable,
  prepare: async () => {},
});

/** What a unit gave for a score: in plain JavaScript that may be anything. */
function scoreFrom(method: string, given: unknown): Score<unknown, unknown> {
  if (typeof given === 'function') return given as Score<unknown, unknown>;
  throw new TypeError(`${method} gives a function of one candidate, and it gave ${describeValue(given)}`);
}

async function prepareAll(children: readonly CompiledChild[], batch: Batch): Promise<void> {
  for (const { unit } of children) await unit.prepare(batch);
}

function preparedIn(state: RunState, slot: number): Score<unknown, unknown> {
  const score = state.prepared[slot];
  if (!score) throw new Error('it was asked before it was prepared');
  return score;
}

function childOf(children: ReadonlyMap<Child, CompiledChild>, child: Child): CompiledChild {
  const found = children.get(child);
  if (!found) throw new TypeError('a child is one of the entries that the params gave');
  return found;
}

/** A child's score as its parent asks it: after its `on_absent`, and with its notes nested under its parent's. */
function childScore({ unit, use }: CompiledChild): Score<unknown> {
  const { onAbsent, label } = use;
  const score = unit.stable as Score<unknown>;
  const settled = (value: number | undefined): number | undefined => {
    if (typeof value === 'number') return value;
    // Arithmetic would take null for 0 and '5' for 5: only a unit that says nothing abstains.
    if (value !== undefined)
      throw new TypeError(`${label} gives a number or abstains, and it gave ${describeValue(value)}`);
    if (onAbsent === 'refuse') throw new Refused(label, 'absent');
    return onAbsent === 'skip' ? undefined : onAbsent;
  };
  return (candidate, index, note) => {
    if (note === undefined) return settled(score(candidate, index));
    return nested(note, use, (inner) => score(candidate, index, inner), settled);
  };
}
