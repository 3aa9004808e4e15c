import type { Score, Signals } from '../../contract/index.js';
import { isObject } from '../../diagnostics/index.js';
import type { CompiledChild, CompiledUnit, PrepareFailure, PrepareInput } from '../entries/compiled-unit.js';
import { itemsAt } from '../kernel/run-buffers.js';
import { contextOfRows, type CurrentRun, type RunContext } from '../entries/run-context.js';
import { chain, type MaybeAsync } from '../tasks/task.js';

/** What an entry was prepared for in an earlier run, and what that gave. */
export interface EarlierEntry<V> {
  /** The candidates, in the order in which it was given them. */
  readonly candidates: readonly unknown[];
  /** By position in these: the row in the measures of that run, where that is another. */
  readonly rows: Int32Array | undefined;
  readonly context: RunContext;
  /** By position in these; it may be called from any run. */
  readonly score: Score<unknown, V>;
  /** Why it could not be prepared, where it could not. */
  readonly failure: PrepareFailure | undefined;
  /** The scores of the prepared entries inside it, in the order of the params, each before those inside that. */
  readonly inside: readonly Score<unknown, unknown>[];
  /** By candidate that was changed where the unit does not look: the one that it stands for. */
  readonly originals?: WeakMap<object, unknown> | undefined;
}

/** How a unit is reused. */
interface Reuse<V> {
  readonly current: CurrentRun;
  /** Makes a place for a score in the context of a run. */
  readonly newSlot: () => number;
  readonly earlier: EarlierEntry<V>;
  /** The measures that it may read. */
  readonly measures: readonly string[];
  /** Whether it gives a candidate the same score whichever others it is prepared with. */
  readonly byCandidate: boolean;
}

/**
 * A unit of an entry that was prepared in an earlier run with the same params, context, time and memory. What that gave
 * holds where the candidates, the signals and the measures are the same. Where only the candidates differ, one that
 * scores each for itself is prepared for the new ones alone; any other is prepared anew.
 */
export class ReusedUnit<V> implements CompiledUnit<V> {
  readonly prepares = true;
  readonly children: readonly CompiledChild[];
  readonly #own: SlotUnit<V>;
  /** The prepared entries inside it, in the order of the params, each before those inside that. */
  readonly #inside: readonly SlotUnit<unknown>[];

  constructor(
    private readonly unit: CompiledUnit<V>,
    private readonly reuse: Reuse<V>,
  ) {
    const inside: SlotUnit<unknown>[] = [];
    const inSlots = (children: readonly CompiledChild[]): readonly CompiledChild[] =>
      children.map((child) => {
        if (!child.unit.prepares) return child;
        const at = inside.length;
        inside.length += 1;
        inside[at] = new SlotUnit(child.unit, reuse.current, reuse.newSlot(), inSlots(child.unit.children));
        return { use: child.use, unit: inside[at] };
      });
    this.children = inSlots(unit.children);
    this.#own = new SlotUnit(unit, reuse.current, reuse.newSlot(), this.children);
    this.#inside = inside;
  }

  readonly score: Score<unknown, V> = (candidate, index, note) => this.#own.score(candidate, index, note);

  scoreIn(context: RunContext): Score<unknown, V> {
    return this.#own.scoreIn(context);
  }

  prepare(input: PrepareInput): MaybeAsync<PrepareFailure | undefined> {
    const { earlier, byCandidate } = this.reuse;
    if (!sameSignals(input.context.signals, earlier.context.signals)) return this.#prepareAnew(input);
    if (this.#isSame(input)) {
      if (!earlier.failure) this.#keep(input, (known) => known);
      return earlier.failure;
    }
    return byCandidate && !earlier.failure ? this.#prepareOthers(input) : this.#prepareAnew(input);
  }

  /** Whether the candidates are the same ones, in the same order, with the same measures. */
  #isSame({ candidates, context }: PrepareInput): boolean {
    const { earlier } = this.reuse;
    if (candidates.length !== earlier.candidates.length) return false;
    for (let k = 0; k < candidates.length; k++) {
      if (this.#original(candidates[k]) !== earlier.candidates[k] || !this.#sameMeasures(context, k, k)) return false;
    }
    return true;
  }

  /** The candidate of the earlier run that one stands for: itself unless it was changed. */
  #original(candidate: unknown): unknown {
    const { originals } = this.reuse.earlier;
    return (isObject(candidate) && originals?.get(candidate)) || candidate;
  }

  #sameMeasures({ measures }: RunContext, index: number, earlierIndex: number): boolean {
    const { earlier, measures: ids } = this.reuse;
    const row = earlier.rows ? earlier.rows[earlierIndex]! : earlierIndex;
    for (const id of ids) if (!Object.is(measures[id]?.[index], earlier.context.measures[id]?.[row])) return false;
    return true;
  }

  #prepareAnew(input: PrepareInput): MaybeAsync<PrepareFailure | undefined> {
    return chain(this.unit.prepare(input), (failure) => {
      if (!failure) this.#keep(input, (_known, anew) => anew(input.context));
      return failure;
    });
  }

  /** Prepares it for the candidates that it has not seen. */
  #prepareOthers(input: PrepareInput): MaybeAsync<PrepareFailure | undefined> {
    const { candidates, context, abort, updates } = input;
    const places = this.#placesOf(input);
    const others = Int32Array.from(places.keys()).filter((index) => places[index] === -1);
    if (others.length === candidates.length) return this.#prepareAnew(input);
    if (others.length === 0) {
      this.#keep(input, (known) => (candidate, index, note) => known(candidate, places[index]!, note));
      return undefined;
    }
    const own: PrepareInput = {
      candidates: itemsAt(candidates, others),
      context: contextOfRows(context, others),
      abort,
      updates,
    };
    return chain(this.unit.prepare(own), (failure) => {
      if (failure) return failure;
      const placesOfOthers = new Int32Array(candidates.length);
      for (const [place, index] of others.entries()) placesOfOthers[index] = place;
      this.#keep(input, (known, anew) => {
        const other = anew(own.context);
        return (candidate, index, note) => {
          const place = places[index]!;
          return place === -1 ? other(candidate, placesOfOthers[index]!, note) : known(candidate, place, note);
        };
      });
      return undefined;
    });
  }

  /** By candidate: its position among the earlier ones, or −1 where it is new or its measures are others. */
  #placesOf({ candidates, context }: PrepareInput): Int32Array {
    const positions = new Map<unknown, number>();
    for (const [k, candidate] of this.reuse.earlier.candidates.entries()) positions.set(candidate, k);
    return Int32Array.from(candidates, (candidate, index) => {
      const place = positions.get(this.#original(candidate));
      return place !== undefined && this.#sameMeasures(context, index, place) ? place : -1;
    });
  }

  /** Keeps its score, and those of the entries inside it, which the matrix reads. */
  #keep({ context }: PrepareInput, choose: Choose): void {
    const { earlier } = this.reuse;
    this.#own.keep(
      context,
      choose(earlier.score, (own) => this.#own.scoreAnew(own)),
    );
    for (const [k, unit] of this.#inside.entries()) {
      unit.keep(
        context,
        choose(earlier.inside[k] ?? NEVER_ASKED, (own) => unit.scoreAnew(own)),
      );
    }
  }
}

/** Chooses by row between the score that is known and one that was prepared anew in a context. */
type Choose = <W>(known: Score<unknown, W>, anew: (context: RunContext) => Score<unknown, W>) => Score<unknown, W>;

const NEVER_ASKED = (): undefined => undefined;

/** A unit whose score is put into a slot from outside. */
export class SlotUnit<V> implements CompiledUnit<V> {
  readonly prepares = true;

  constructor(
    private readonly unit: CompiledUnit<V>,
    private readonly current: CurrentRun,
    private readonly slot: number,
    readonly children: readonly CompiledChild[],
  ) {}

  readonly score: Score<unknown, V> = (candidate, index, note) =>
    this.scoreIn(this.current.context)(candidate, index, note);

  scoreIn({ prepared }: RunContext): Score<unknown, V> {
    const score = prepared[this.slot];
    if (!score) throw new Error('it was asked before it was prepared');
    return score as Score<unknown, V>;
  }

  /** What the unit itself prepared; entries inside it read the context that they were prepared in. */
  scoreAnew(context: RunContext): Score<unknown, V> {
    return this.current.bind(context, this.unit.scoreIn(context));
  }

  keep({ prepared }: RunContext, score: Score<unknown, V>): void {
    prepared[this.slot] = score;
  }

  /** Never: the unit that it stands in is. */
  prepare(): undefined {
    return undefined;
  }
}

function sameSignals(some: Signals, others: Signals): boolean {
  const ids = Object.keys(some);
  return (
    ids.length === Object.keys(others).length && ids.every((id) => id in others && Object.is(some[id], others[id]))
  );
}
