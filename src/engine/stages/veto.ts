import type { Note } from '../../sdk/index.js';
import { ExpressionStepsError } from '../../expression/index.js';
import type { Profile } from '../../profile/index.js';
import { checkCandidate } from '../candidates.js';
import { prepareEntry, type RunContext } from '../entries.js';
import { failRun, type Failures, replacementOf, RunFailed } from '../failures.js';
import { fillPositions, itemsAt, prefixOf, RunBuffers } from '../kernel/run-buffers.js';
import { makeVetoLoop, type Refusal, verdictOf, type VetoInput, type VetoLoop } from '../kernel/veto-loop.js';
import type { Plan } from '../plan.js';
import type { RunState } from '../run-state.js';
import { chain, describeWrongValue, ignorePromise, inTurns, isTask, type MaybeAsync, type Task } from '../tasks.js';
import type { Binder, UnitCompiler } from '../units/unit-compiler.js';
import type { ActiveVeto, CompiledVeto, VetoPlan } from '../tier-plans.js';

/** Tier 1: runs the vetoes in order. A refusal is final. Writes the verdicts of refused candidates by position. */
export function veto(run: RunState): MaybeAsync<void> {
  if (run.plan.vetoes.groups.length > 0) return vetoInGroups(run);
  run.vetoes = NO_VETOES;
  run.kept = fillPositions(run.buffers.kept);
}

const NO_VETOES = { runs: [], all: undefined };

function* vetoInGroups(run: RunState): Task<void> {
  const { candidates, buffers } = run;
  const { groups, onFirst } = run.plan.vetoes;
  const active: ActiveVeto[] = [];
  const all = onFirst ? undefined : new Map<number, number[]>();
  let kept: Int32Array | undefined;
  for (const { vetoes, loop } of groups) {
    const present = vetoes.filter(({ when }) => when());
    if (present.length === 0) continue;
    // With `veto_on_first: false`, a veto runs on refused candidates to report its reason. A batch veto must not see these.
    const given = onFirst ? kept : present.some(({ unit }) => unit.prepares) ? positionsNotRefused(buffers) : undefined;
    // A copy: a unit that sorts the caller's own list would change it for the caller.
    const own = present.some(({ unit }) => unit.prepares) ? candidates.slice() : candidates;
    const list = given ? itemsAt(candidates, given) : own;
    const group: ActiveVeto[] = [];
    for (const one of present) group.push(yield* activate(one, run, list, given));
    active.push(...group);
    const looped = runGroup(run, group, present.length === vetoes.length ? loop : evaluateEach, list, all);
    kept = isTask(looped) ? yield* looped : looped;
  }
  run.vetoes = { runs: active, all };
  run.kept = all ? positionsNotRefused(buffers) : (kept ?? fillPositions(buffers.kept));
}

/** A veto of this run. If it could not be prepared, it throws on every candidate, so that its `on_error` applies. */
function* activate(
  { entry, refuser, unit }: CompiledVeto,
  run: RunState,
  list: readonly unknown[],
  given: Int32Array | undefined,
): Task<ActiveVeto> {
  const pending = unit.prepares ? prepareEntry(entry, unit, run.prepareInput(list)) : undefined;
  const failure = isTask(pending) ? yield* pending : pending;
  if (!failure) return { entry, refuser, unit, refuses: unit.scoreIn(run.context), failure, given };
  const { cause } = failure;
  if (entry.onError === 'fail') failRun(entry.id, 'veto', cause);
  run.failures.addUnprepared(entry.id, 'veto', cause, list.length, replacementOf(entry.onError));
  const refuses = (): boolean => {
    throw cause;
  };
  return { entry, refuser, unit, refuses, failure, given };
}

/** Runs one group on its candidates. Returns the positions of the kept ones. */
function runGroup(
  { abort, buffers, failures }: RunState,
  group: readonly ActiveVeto[],
  loop: VetoLoop,
  list: readonly unknown[],
  all: Map<number, number[]> | undefined,
): MaybeAsync<Int32Array> {
  const given = group[0]!.given;
  const own = given || all ? new RunBuffers(list.length) : buffers; // for a part of the candidates, or with `veto_on_first: false`
  const input = vetoInput(group, list, own, failures);
  let rows = 0;
  const looped = inTurns(abort, list.length, 'veto', (from, to) => void (rows = loop(input, from, to, rows)));
  return chain(looped, () => {
    const kept = prefixOf(own.kept, rows);
    return own === buffers ? kept : collectVerdicts(own, buffers, kept, given, all);
  });
}

/** Copies the verdicts of a group with its own buffers to the run. Returns the kept positions in the run. */
function collectVerdicts(
  own: RunBuffers,
  buffers: RunBuffers,
  kept: Int32Array,
  given: Int32Array | undefined,
  all: Map<number, number[]> | undefined,
): Int32Array {
  for (let index = 0; index < own.verdicts.length; index++) {
    const verdict = own.verdicts[index]!;
    if (verdict === 0) continue;
    const position = given?.[index] ?? index;
    buffers.verdicts[position] ||= verdict;
    all?.set(position, [...(all.get(position) ?? []), verdict]);
  }
  return given ? kept.map((index) => given[index]!) : kept;
}

/** The input of the loop over a group. */
export function vetoInput(
  group: readonly ActiveVeto[],
  candidates: readonly unknown[],
  { kept, verdicts }: RunBuffers,
  failures: Failures,
  { at, table }: Pick<VetoInput, 'at' | 'table'> = {},
): VetoInput {
  const evaluate = (index: number, wrong?: unknown): number => {
    ignorePromise(wrong);
    checkCandidate(candidates[index], index);
    for (const one of group) {
      const { state, refusal, error } = decideVeto(one, candidates[index], index);
      // A veto that could not be prepared is reported once per run.
      if (state === 'failed' && !one.failure) {
        failures.add(one.entry.id, 'veto', error, replacementOf(one.entry.onError));
      }
      if (refusal) return verdictOf(one.refuser, refusal);
    }
    return 0;
  };
  return {
    candidates,
    at,
    table,
    vetoes: group.map((one) => one.refuses),
    passAbsent: group.map((one) => one.entry.onAbsent === 'pass'),
    first: group[0]?.refuser ?? 0,
    kept,
    verdicts,
    evaluate,
  };
}

/** The positions of the candidates that no veto has refused yet. */
const positionsNotRefused = ({ verdicts, kept }: RunBuffers): Int32Array =>
  fillPositions(new Int32Array(kept.length)).filter((i) => verdicts[i] === 0);

/** The loop of a group if only some of its vetoes take part: a generated loop assumes that all do. */
const evaluateEach: VetoLoop = ({ verdicts, kept, evaluate }, from, to, count) => {
  let next = count;
  for (let i = from; i < to; i++) {
    verdicts[i] = evaluate(i);
    if (verdicts[i] === 0) kept[next++] = i;
  }
  return next;
};

/** The result of one veto on one candidate, after its entry's rules. */
interface VetoDecision {
  readonly state: 'passed' | 'refused' | 'absent' | 'failed';
  /** Undefined keeps the candidate. */
  readonly refusal: Refusal | undefined;
  /** The error, if it failed. */
  readonly error?: unknown;
}

const PASSED: VetoDecision = { state: 'passed', refusal: undefined };
const REFUSED: VetoDecision = { state: 'refused', refusal: 'veto' };

/**
 * Runs one veto on one candidate and applies the entry's rules for absence and failure. Used for candidates on which the
 * loop did not get true or false, and for explanations.
 *
 * @param index the candidate's position among the candidates that this veto was called on
 * @throws RunFailed if it fails and its `on_error` is `fail`
 */
export function decideVeto(active: ActiveVeto, candidate: unknown, index: number, note?: Note): VetoDecision {
  const { entry } = active;
  let error: unknown;
  try {
    const refuses: unknown = active.refuses(candidate, index, note);
    if (refuses === true) return REFUSED;
    if (refuses === false) return PASSED;
    if (refuses === undefined) return { state: 'absent', refusal: entry.onAbsent === 'refuse' ? 'absent' : undefined };
    error = new TypeError(`expected true or false from the veto, found ${describeWrongValue(refuses)}`);
  } catch (thrown) {
    error = thrown;
  }
  if (entry.onError === 'fail' || error instanceof ExpressionStepsError)
    failRun(entry.id, 'veto', error, active.given?.[index] ?? index);
  return { state: 'failed', refusal: entry.onError === 'refuse' ? 'error' : undefined, error };
}

/**
 * Removes pinned candidates after the vetoes: they are always selected, so they are not scored and have no row. They are
 * not counted by `top`, `per` or `duplicates`. Measures and scorers are prepared with the other candidates.
 */
export function setPinnedAside(run: RunState): void {
  const { plan, candidates, failures } = run;
  const isPinned = plan.pinned;
  if (isPinned) {
    const pinned: number[] = [];
    run.kept = run.kept.filter((i) => {
      try {
        if (isPinned(candidates[i], i) !== true) return true;
      } catch (error) {
        if (error instanceof ExpressionStepsError) throw new RunFailed('pinned', 'select', error, i);
        failures.add('pinned', 'select', error);
        return true;
      }
      pinned.push(i);
      return false;
    });
    run.pinned = pinned;
  }
  run.keptInput = run.prepareInput(needsList(plan) ? keptList(run) : candidates);
}

/** The kept candidates. Units receive a copy of the caller's list, because a unit may sort it. */
const keptList = ({ candidates, kept }: RunState): readonly unknown[] =>
  kept.length === candidates.length ? candidates.slice() : itemsAt(candidates, kept);

/** Only batch units, and columns by row, need the kept candidates as a list of their own. */
const needsList = ({ measures, stats, score }: Plan): boolean =>
  measures.length + stats.length > 0 || score.scorers.some((scorer) => scorer.unit.prepares);

/** Compiles the vetoes, in groups. With `veto_on_first: false` each veto is its own group and is called on every candidate. */
export function compileVetoes(
  { vetoes, vetoOnFirst }: Profile,
  units: UnitCompiler,
  binder: Binder,
  codegen: boolean,
): VetoPlan {
  const groups: CompiledVeto[][] = [];
  for (const [refuser, entry] of vetoes.entries()) {
    const unit = units.entry<boolean>(entry, 'veto');
    // A guard is only left out if its condition is known to be false.
    const when = binder.condition(entry.when, entry.id, 'veto', entry.onAbsent === 'refuse');
    const one: CompiledVeto = { entry, refuser, when, unit };
    const last = groups.at(-1);
    if (last && vetoOnFirst && !unit.prepares && !last.some((other) => other.unit.prepares)) last.push(one);
    else groups.push([one]);
  }
  return {
    groups: groups.map((group) => ({ vetoes: group, loop: loopOf(group, codegen) })),
    onFirst: vetoOnFirst,
  };
}

/** The loop of a group, which is made when it first runs: a fused run does not need it. */
function loopOf(group: readonly CompiledVeto[], codegen: boolean): VetoLoop {
  let made: VetoLoop | undefined;
  const entries = () => group.map(({ unit }) => ({ size: 0, formula: unit.formula?.() }));
  return (input, from, to, count) => (made ??= makeVetoLoop(entries(), codegen))(input, from, to, count);
}

/** The vetoes of every run, for a profile without prepared or conditional vetoes. */
export const activeVetoes = ({ groups }: VetoPlan, context: RunContext): readonly ActiveVeto[] =>
  groups.flatMap(({ vetoes }) =>
    vetoes.map(({ entry, refuser, unit }) => {
      return { entry, refuser, unit, refuses: unit.scoreIn(context), failure: undefined, given: undefined };
    }),
  );
