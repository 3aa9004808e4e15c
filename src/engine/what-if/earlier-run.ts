import type { Score } from '../../contract/index.js';
import type { ChildUse, Entry } from '../../profile/index.js';
import type { CompiledChild, CompiledUnit, PrepareFailure } from '../entries/compiled-unit.js';
import { fillPositions, itemsAt } from '../kernel/run-buffers.js';
import { renameRecorded } from '../units/note-recorder.js';
import type { Plan } from '../plan.js';
import { type EarlierEntry, ReusedUnit, SlotUnit } from './reused-unit.js';
import type { RunResult } from '../run-state.js';

/** A run, and the plan that it followed. */
interface EarlierRun {
  readonly plan: Plan;
  readonly result: RunResult;
}

/** A candidate that was changed in one field, for runs that differ in it alone. */
export interface StandIns {
  /** The candidate that each changed one replaces. */
  readonly originals: WeakMap<object, unknown>;
  /** Whether an entry may read what was changed. One that does not keeps what it gave for the original. */
  readonly mayRead: (entry: string) => boolean;
}

/**
 * A plan for one run whose entries keep what an earlier run prepared them for, where that is the same: those that have
 * not changed. All scores are as if every entry were prepared anew.
 *
 * @param plan    a change of the earlier run's plan, with the same memories
 * @param changed the ids of the entries that are other ones
 */
export function reusingPlan(plan: Plan, earlier: EarlierRun, changed: ReadonlySet<string>, standIns?: StandIns): Plan {
  if (plan.fusedPass) return plan; // nothing is prepared
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

/** The ids of all measures, or of those before one; undefined where the two plans have other ones. */
function sameMeasures(plan: Plan, earlier: Plan, before?: string): readonly string[] | undefined {
  const idsIn = ({ measures }: Plan): readonly string[] => {
    const ids = measures.map(({ id }) => id);
    return before === undefined ? ids : ids.slice(0, ids.indexOf(before));
  };
  const [now, then] = [idsIn(plan), idsIn(earlier)];
  return now.length === then.length && now.every((id, k) => id === then[k]) ? now : undefined;
}

/** An entry of the earlier run, with its unit there. */
type FoundEntry<V> = EarlierEntry<V> & { readonly earlierUnit: CompiledUnit<V> };

/** What a unit prepared in a run, to be called from any other. */
function scoreOf<V>({ plan, result }: EarlierRun, unit: CompiledUnit<V>): Score<unknown, V> {
  const score = unit.scoreIn(result.context);
  // What was reused there belongs to the run that prepared it.
  return unit instanceof ReusedUnit || unit instanceof SlotUnit ? score : plan.current.bind(result.context, score);
}

/** The scores of the prepared entries inside a unit, each before those inside that. */
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

/** Of a deferred scorer what it gave for the rows that it has seen. */
function earlierScorer(run: EarlierRun, id: string): FoundEntry<number> | undefined {
  const { context, scored } = run.result;
  const one = scored.scoring.active.find(({ entry }) => entry.id === id);
  if (!one) return undefined;
  const { unit, raw, failed, asked } = one;
  const candidates = keptOf(run.result);
  if (failed || !asked) return found(run, unit, candidates, failed && { cause: failed.cause });
  if (unit.children.some((child) => child.unit.prepares)) return undefined; // they are known to their batches alone
  const rows = fillPositions(new Int32Array(candidates.length)).filter(asked);
  const score: Score<unknown> = (candidate, index, note) => raw(candidate, rows[index]!, note);
  const seen = itemsAt(candidates, rows);
  return { earlierUnit: unit, candidates: seen, rows, context, score, failure: undefined, inside: [] };
}

/** The entries inside a unit by those inside the same one of the earlier plan. */
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

/** A score that records the entries inside it as those of this plan. */
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
