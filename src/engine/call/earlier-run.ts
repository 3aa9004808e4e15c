import type { Score, Signals } from '../../sdk/index.js';
import { isObject } from '../../base/index.js';
import type { ChildUse, Entry } from '../../profile/index.js';
import {
  type CompiledChild,
  type CompiledUnit,
  contextOfRows,
  type CurrentRun,
  type PrepareFailure,
  type PrepareInput,
  type RunContext,
} from '../entries.js';
import { fillPositions, itemsAt } from '../kernel/run-buffers.js';
import type { Plan } from '../plan.js';
import type { RunResult } from '../run-state.js';
import { chain, type MaybeAsync } from '../tasks.js';
import { renameRecorded } from '../units/note-recorder.js';

/** An earlier run and its plan. */
interface EarlierRun {
  readonly plan: Plan;
  readonly result: RunResult;
}

/** Candidates that were changed in one field, for runs that differ only in this field. */
export interface StandIns {
  /** The candidate that each changed one replaces. */
  readonly originals: WeakMap<object, unknown>;
  /** Whether an entry may read the changed field. Otherwise, its score for the original is kept. */
  readonly mayRead: (entry: string) => boolean;
}

/**
 * A plan for one run that reuses what unchanged entries prepared in an earlier run, if they would prepare the same. All
 * scores are as if every entry was prepared again.
 *
 * @param plan    a change of the earlier run's plan, with the same memories
 * @param changed the ids of the changed entries
 */
export function reusingPlan(plan: Plan, earlier: EarlierRun, changed: ReadonlySet<string>, standIns?: StandIns): Plan {
  if (plan.fusedPass) return plan; // nothing is prepared
  if (plan.stats.length > 0) return plan; // any entry may read what differs if one candidate does
  const reuse = <V>(
    { id, scopes }: Pick<Entry, 'id' | 'scopes'>,
    unit: CompiledUnit<V>,
    measures: readonly string[] | undefined,
    find: (run: EarlierRun, id: string) => FoundEntry<V> | undefined,
  ): CompiledUnit<V> => {
    const entry = unit.prepares && measures && !changed.has(id) ? find(earlier, id) : undefined;
    if (!entry || !measures) return unit;
    const byCandidate = scopes.size === 1 && scopes.has('candidate');
    const { earlierUnit, ...known } = entry;
    const score = renamed(known.score, usesOf(earlierUnit.children, unit.children));
    const { current } = plan;
    const newSlot = (): number => plan.units.newSlot();
    const originals = standIns?.mayRead(id) === false ? standIns.originals : undefined;
    return new ReusedUnit(unit, { current, newSlot, earlier: { ...known, score, originals }, measures, byCandidate });
  };
  const groups = plan.vetoes.groups.map(({ vetoes, loop }) => ({
    vetoes: vetoes.map((one) => ({ ...one, unit: reuse(one.entry, one.unit, [], earlierVeto) })),
    loop,
  }));
  const measures = plan.measures.map((one, k) => {
    const before = sameMeasures(plan, earlier.plan, one.id);
    return { ...one, unit: reuse(plan.profile.measures[k]!, one.unit, before, earlierMeasure) };
  });
  const all = sameMeasures(plan, earlier.plan);
  const scorers = plan.score.scorers.map((one) => ({
    ...one,
    unit: reuse(one.entry, one.unit, all, earlierScorer),
  }));
  return { ...plan, vetoes: { ...plan.vetoes, groups }, measures, score: { ...plan.score, scorers } };
}

/** The ids of all measures, or of those before one; undefined if the two plans differ in these measures. */
function sameMeasures(plan: Plan, earlier: Plan, before?: string): readonly string[] | undefined {
  const idsIn = ({ measures }: Plan): readonly string[] => {
    const ids = measures.map(({ id }) => id);
    return before === undefined ? ids : ids.slice(0, ids.indexOf(before));
  };
  const [now, then] = [idsIn(plan), idsIn(earlier)];
  return now.length === then.length && now.every((id, k) => id === then[k]) ? now : undefined;
}

/** An entry of the earlier run and its unit in that run. */
type FoundEntry<V> = EarlierEntry<V> & { readonly earlierUnit: CompiledUnit<V> };

/** The score function that a unit prepared in a run, callable from any other run. */
function scoreOf<V>({ plan, result }: EarlierRun, unit: CompiledUnit<V>): Score<unknown, V> {
  const score = unit.scoreIn(result.context);
  // If that run reused a score function itself, it belongs to the run that prepared it.
  return unit instanceof ReusedUnit || unit instanceof SlotUnit ? score : plan.current.bind(result.context, score);
}

/** The score functions of the prepared entries inside a unit, in pre-order. */
const insideOf = (run: EarlierRun, { children }: CompiledUnit<unknown>): readonly Score<unknown, unknown>[] =>
  children.flatMap(({ unit }) => (unit.prepares ? [scoreOf(run, unit), ...insideOf(run, unit)] : []));

function found<V>(
  run: EarlierRun,
  earlierUnit: CompiledUnit<V>,
  candidates: readonly unknown[],
  failure: PrepareFailure | undefined,
): FoundEntry<V> {
  const { context } = run.result;
  const common = { earlierUnit, candidates, rows: undefined, context, failure };
  if (failure) return { ...common, score: () => undefined, inside: [] };
  return { ...common, score: scoreOf(run, earlierUnit), inside: insideOf(run, earlierUnit) };
}

function earlierVeto(run: EarlierRun, id: string): FoundEntry<boolean> | undefined {
  const { candidates, vetoes } = run.result;
  const one = vetoes.runs.find(({ entry }) => entry.id === id);
  const compiled = run.plan.vetoes.groups.flatMap((group) => group.vetoes).find(({ entry }) => entry.id === id);
  if (!one || !compiled) return undefined;
  const list = one.given ? itemsAt(candidates, one.given) : candidates;
  return found(run, compiled.unit, list, one.failure);
}

function earlierMeasure(run: EarlierRun, id: string): FoundEntry<number> | undefined {
  const one = run.result.measures.find((active) => active.id === id);
  const compiled = run.plan.measures.find((measure) => measure.id === id);
  if (!one || !compiled) return undefined;
  return found(run, compiled.unit, keptOf(run.result), one.score ? undefined : { cause: one.cause });
}

/** A deferred scorer with its scores for the rows on which it was evaluated. */
function earlierScorer(run: EarlierRun, id: string): FoundEntry<number> | undefined {
  const { context, scored } = run.result;
  const one = scored.scoring.active.find(({ entry }) => entry.id === id);
  if (!one) return undefined;
  const { unit, raw, failed, evaluated } = one;
  const candidates = keptOf(run.result);
  if (failed || !evaluated) return found(run, unit, candidates, failed && { cause: failed.cause });
  if (unit.children.some((child) => child.unit.prepares)) return undefined; // their scores are known only in their batches
  const rows = fillPositions(new Int32Array(candidates.length)).filter(evaluated);
  const score: Score<unknown> = (candidate, index, note) => raw(candidate, rows[index]!, note);
  const seen = itemsAt(candidates, rows);
  return { earlierUnit: unit, candidates: seen, rows, context, score, failure: undefined, inside: [] };
}

/** Maps the entries inside a unit of the earlier plan to those of this plan. */
function usesOf(
  earlier: readonly CompiledChild[],
  now: readonly CompiledChild[],
  uses = new Map<ChildUse, ChildUse>(),
): ReadonlyMap<ChildUse, ChildUse> {
  for (const [k, { use, unit }] of now.entries()) {
    const then = earlier[k];
    if (!then) continue;
    uses.set(then.use, use);
    usesOf(then.unit.children, unit.children, uses);
  }
  return uses;
}

/** A score function that records the entries inside it as entries of this plan. */
function renamed<V>(score: Score<unknown, V>, uses: ReadonlyMap<ChildUse, ChildUse>): Score<unknown, V> {
  if (uses.size === 0) return score;
  return (candidate, index, note) => {
    if (note === undefined) return score(candidate, index);
    try {
      return score(candidate, index, note);
    } finally {
      renameRecorded(note, uses);
    }
  };
}

const keptOf = ({ candidates, kept }: RunResult): readonly unknown[] =>
  kept.length === candidates.length ? candidates : itemsAt(candidates, kept);

/** The input and the result of preparing an entry in an earlier run. */
interface EarlierEntry<V> {
  /** The candidates, in the order that the entry received. */
  readonly candidates: readonly unknown[];
  /** By position in these: the row in the measures of that run, if it differs. */
  readonly rows: Int32Array | undefined;
  readonly context: RunContext;
  /** The score by position in these; callable from any run. */
  readonly score: Score<unknown, V>;
  /** Why it could not be prepared, if it failed. */
  readonly failure: PrepareFailure | undefined;
  /** The score functions of the prepared entries inside it, in the order of the params, in pre-order. */
  readonly inside: readonly Score<unknown, unknown>[];
  /** By candidate with a change that the unit does not read: the original candidate. */
  readonly originals?: WeakMap<object, unknown> | undefined;
}

/** How a unit is reused. */
interface Reuse<V> {
  readonly current: CurrentRun;
  /** Allocates a slot for a score function in run contexts. */
  readonly newSlot: () => number;
  readonly earlier: EarlierEntry<V>;
  /** The measures that it may read. */
  readonly measures: readonly string[];
  /** Whether a candidate's score does not depend on the other candidates. */
  readonly byCandidate: boolean;
}

/**
 * A unit of an entry that was prepared in an earlier run with the same params, context, time and memory. The earlier result
 * is reused if the candidates, the signals and the measures are the same. If only the candidates differ, a unit of scope
 * `candidate` is prepared for the new ones only; any other unit is prepared again.
 */
class ReusedUnit<V> implements CompiledUnit<V> {
  readonly prepares = true;
  readonly children: readonly CompiledChild[];
  readonly #own: SlotUnit<V>;
  /** The prepared entries inside it, in the order of the params, in pre-order. */
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

  /** Whether the candidates, their order and their measures are the same. */
  #isSame({ candidates, context }: PrepareInput): boolean {
    const { earlier } = this.reuse;
    if (candidates.length !== earlier.candidates.length) return false;
    for (let k = 0; k < candidates.length; k++) {
      if (this.#original(candidates[k]) !== earlier.candidates[k] || !this.#sameMeasures(context, k, k)) return false;
    }
    return true;
  }

  /** The candidate of the earlier run: the original of a changed candidate, otherwise the candidate itself. */
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

  /** Prepares it for the new candidates. */
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

  /** By candidate: its position among the earlier ones, or −1 if it is new or its measures differ. */
  #placesOf({ candidates, context }: PrepareInput): Int32Array {
    const positions = new Map<unknown, number>();
    for (const [k, candidate] of this.reuse.earlier.candidates.entries()) positions.set(candidate, k);
    return Int32Array.from(candidates, (candidate, index) => {
      const place = positions.get(this.#original(candidate));
      return place !== undefined && this.#sameMeasures(context, index, place) ? place : -1;
    });
  }

  /** Stores its score function and those of the entries inside it, which the matrix reads. */
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

/** Chooses, by row, the earlier score or one that was prepared in a new context. */
type Choose = <W>(known: Score<unknown, W>, anew: (context: RunContext) => Score<unknown, W>) => Score<unknown, W>;

const NEVER_ASKED = (): undefined => undefined;

/** A unit whose score function is put into its slot from outside. */
class SlotUnit<V> implements CompiledUnit<V> {
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
    if (!score) throw new Error('it was called before it was prepared');
    return score as Score<unknown, V>;
  }

  /** The score function of the unit itself. Entries inside it read the context in which they were prepared. */
  scoreAnew(context: RunContext): Score<unknown, V> {
    return this.current.bind(context, this.unit.scoreIn(context));
  }

  keep({ prepared }: RunContext, score: Score<unknown, V>): void {
    prepared[this.slot] = score;
  }

  /** Never called: the outer unit is prepared. */
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
