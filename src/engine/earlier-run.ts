import type { Score } from '../contract/index.js';
import type { Entry } from '../profile/index.js';
import type { CompiledUnit } from './compiled-unit.js';
import { fillPositions, itemsAt } from './kernel/run-buffers.js';
import type { Plan } from './plan.js';
import { type EarlierEntry, ReusedUnit } from './reused-unit.js';
import type { RunResult } from './run-state.js';

/** A run, and the plan that it followed. */
interface EarlierRun {
  readonly plan: Plan;
  readonly result: RunResult;
}

/**
 * A plan for one run whose entries keep what an earlier run prepared them for, where that is the same: those that have
 * not changed. All scores are as if every entry were prepared anew.
 *
 * @param plan    a change of the earlier run's plan, with the same memories
 * @param changed the ids of the entries that are other ones
 */
export function reusingPlan(plan: Plan, earlier: EarlierRun, changed: ReadonlySet<string>): Plan {
  if (plan.fusedPass) return plan; // nothing is prepared
  const reuse = <V>(
    { id, scopes }: Pick<Entry, 'id' | 'scopes'>,
    unit: CompiledUnit<V>,
    measures: readonly string[] | undefined,
    find: (run: EarlierRun, id: string) => EarlierEntry<V> | undefined,
  ): CompiledUnit<V> => {
    const entry = unit.prepares && measures && !changed.has(id) ? find(earlier, id) : undefined;
    if (!entry || !measures) return unit;
    const byCandidate = scopes.size === 1 && scopes.has('candidate');
    const slot = plan.units.newSlot();
    return new ReusedUnit(unit, { current: plan.current, slot, earlier: entry, measures, byCandidate });
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

/** What a unit prepared in a run, to be called from any other. */
function scoreOf<V>({ plan, result }: EarlierRun, unit: CompiledUnit<V> | undefined): Score<unknown, V> {
  const score = unit!.scoreIn(result.context);
  // What was reused there belongs to the run that prepared it.
  return unit instanceof ReusedUnit ? score : plan.current.bind(result.context, score);
}

function earlierVeto(run: EarlierRun, id: string): EarlierEntry<boolean> | undefined {
  const { candidates, context, vetoes } = run.result;
  const one = vetoes.runs.find(({ entry }) => entry.id === id);
  if (!one) return undefined;
  const { given, failure, refuses } = one;
  const compiled = run.plan.vetoes.groups.flatMap((group) => group.vetoes).find(({ entry }) => entry.id === id);
  return {
    unit: compiled?.unit,
    candidates: given ? itemsAt(candidates, given) : candidates,
    rows: undefined,
    context,
    score: failure ? refuses : scoreOf(run, compiled?.unit),
    failure,
  };
}

function earlierMeasure(run: EarlierRun, id: string): EarlierEntry<number> | undefined {
  const one = run.result.measures.find((active) => active.id === id);
  if (!one) return undefined;
  const compiled = run.plan.measures.find((measure) => measure.id === id);
  return {
    unit: compiled?.unit,
    candidates: keptOf(run.result),
    rows: undefined,
    context: run.result.context,
    score: one.score ? scoreOf(run, compiled?.unit) : () => undefined,
    failure: one.score ? undefined : { cause: one.cause },
  };
}

/** Of a deferred scorer what it gave for the rows that it has seen. */
function earlierScorer(run: EarlierRun, id: string): EarlierEntry<number> | undefined {
  const { context, scored } = run.result;
  const one = scored.scoring.active.find(({ entry }) => entry.id === id);
  if (!one) return undefined;
  const { unit, raw, failed, asked } = one;
  const candidates = keptOf(run.result);
  if (failed) return { unit, candidates, rows: undefined, context, score: raw, failure: { cause: failed.cause } };
  if (!asked) return { unit, candidates, rows: undefined, context, score: scoreOf(run, unit), failure: undefined };
  const rows = fillPositions(new Int32Array(candidates.length)).filter(asked);
  const score: Score<unknown> = (candidate, index, note) => raw(candidate, rows[index]!, note);
  return { unit, candidates: itemsAt(candidates, rows), rows, context, score, failure: undefined };
}

const keptOf = ({ candidates, kept }: RunResult): readonly unknown[] =>
  kept.length === candidates.length ? candidates : itemsAt(candidates, kept);
