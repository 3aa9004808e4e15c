import type { Score, Signals } from '../contract/index.js';
import type { CompiledChild, CompiledUnit, PrepareFailure, PrepareInput } from './compiled-unit.js';
import { itemsAt } from './kernel/run-buffers.js';
import { contextOfRows, type CurrentRun, type RunContext } from './run-context.js';
import { chain, type MaybeAsync } from './task.js';

/** What an entry was prepared for in an earlier run, and what that gave. */
export interface EarlierEntry<V> {
  readonly unit: CompiledUnit<V> | undefined;
  /** The candidates, in the order in which it was given them. */
  readonly candidates: readonly unknown[];
  /** By position in these: the row in the measures of that run, where that is another. */
  readonly rows: Int32Array | undefined;
  readonly context: RunContext;
  /** By position in these; it may be called from any run. */
  readonly score: Score<unknown, V>;
  /** Why it could not be prepared, where it could not. */
  readonly failure: PrepareFailure | undefined;
}

/** How a unit is reused. */
interface Reuse<V> {
  readonly current: CurrentRun;
  /** Where its score stands in the context of a run. */
  readonly slot: number;
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

  constructor(
    private readonly unit: CompiledUnit<V>,
    private readonly reuse: Reuse<V>,
  ) {}

  get children(): readonly CompiledChild[] {
    return this.unit.children;
  }

  /** The same unit as other runs have compiled it: what it notes may be theirs. */
  get others(): readonly CompiledUnit<V>[] {
    const { unit } = this.reuse.earlier;
    return unit ? [unit, ...(unit instanceof ReusedUnit ? (unit as ReusedUnit<V>).others : [])] : [];
  }

  readonly score: Score<unknown, V> = (candidate, index, note) =>
    this.scoreIn(this.reuse.current.context)(candidate, index, note);

  scoreIn({ prepared }: RunContext): Score<unknown, V> {
    const score = prepared[this.reuse.slot];
    if (!score) throw new Error('it was asked before it was prepared');
    return score as Score<unknown, V>;
  }

  prepare(input: PrepareInput): MaybeAsync<PrepareFailure | undefined> {
    const { earlier, byCandidate } = this.reuse;
    if (!sameSignals(input.context.signals, earlier.context.signals)) return this.#prepareAnew(input);
    if (this.#isSame(input)) {
      if (!earlier.failure) this.#keep(input, earlier.score);
      return earlier.failure;
    }
    return byCandidate && !earlier.failure ? this.#prepareOthers(input) : this.#prepareAnew(input);
  }

  /** Whether the candidates are the same ones, in the same order, with the same measures. */
  #isSame({ candidates, context }: PrepareInput): boolean {
    const { earlier } = this.reuse;
    if (candidates.length !== earlier.candidates.length) return false;
    for (let k = 0; k < candidates.length; k++) {
      if (candidates[k] !== earlier.candidates[k] || !this.#sameMeasures(context, k, k)) return false;
    }
    return true;
  }

  #sameMeasures({ measures }: RunContext, index: number, earlierIndex: number): boolean {
    const { earlier, measures: ids } = this.reuse;
    const row = earlier.rows ? earlier.rows[earlierIndex]! : earlierIndex;
    for (const id of ids) if (!Object.is(measures[id]?.[index], earlier.context.measures[id]?.[row])) return false;
    return true;
  }

  #prepareAnew(input: PrepareInput): MaybeAsync<PrepareFailure | undefined> {
    return chain(this.unit.prepare(input), (failure) => {
      if (!failure) this.#keep(input, this.#scoreOf(input.context));
      return failure;
    });
  }

  /** Prepares it for the candidates that it has not seen. */
  #prepareOthers(input: PrepareInput): MaybeAsync<PrepareFailure | undefined> {
    const { candidates, context, abort, updates } = input;
    const { score } = this.reuse.earlier;
    const places = this.#placesOf(input);
    const others = Int32Array.from(places.keys()).filter((index) => places[index] === -1);
    if (others.length === candidates.length) return this.#prepareAnew(input);
    if (others.length === 0) {
      this.#keep(input, (candidate, index, note) => score(candidate, places[index]!, note));
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
      const scoreOther = this.#scoreOf(own.context);
      const placesOfOthers = new Int32Array(candidates.length);
      for (const [place, index] of others.entries()) placesOfOthers[index] = place;
      this.#keep(input, (candidate, index, note) => {
        const place = places[index]!;
        return place === -1 ? scoreOther(candidate, placesOfOthers[index]!, note) : score(candidate, place, note);
      });
      return undefined;
    });
  }

  /** By candidate: its position among the earlier ones, or −1 where it is new or its measures are others. */
  #placesOf({ candidates, context }: PrepareInput): Int32Array {
    const positions = new Map<unknown, number>();
    for (const [k, candidate] of this.reuse.earlier.candidates.entries()) positions.set(candidate, k);
    return Int32Array.from(candidates, (candidate, index) => {
      const place = positions.get(candidate);
      return place !== undefined && this.#sameMeasures(context, index, place) ? place : -1;
    });
  }

  /** Entries inside it read the context that they were prepared in. */
  #scoreOf(context: RunContext): Score<unknown, V> {
    return this.reuse.current.bind(context, this.unit.scoreIn(context));
  }

  #keep({ context }: PrepareInput, score: Score<unknown, V>): void {
    context.prepared[this.reuse.slot] = score;
  }
}

function sameSignals(some: Signals, others: Signals): boolean {
  const ids = Object.keys(some);
  return (
    ids.length === Object.keys(others).length && ids.every((id) => id in others && Object.is(some[id], others[id]))
  );
}
