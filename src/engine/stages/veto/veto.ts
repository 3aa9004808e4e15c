import type { Note, Score } from '../../../contract/index.js';
import { describeValue } from '../../../diagnostics/describe-value.js';
import type { VetoEntry } from '../../../profile/profile.js';
import { checkCandidate } from '../../check-candidates.js';
import { type Failures, replacementOf } from '../../failures.js';
import { fillPositions, itemsAt, prefixOf, RunBuffers } from '../../kernel/run-buffers.js';
import { type Refusal, verdictOf } from '../../kernel/verdict.js';
import type { VetoInput, VetoLoop } from '../../kernel/veto-loop.js';
import { failRun, prepareEntry } from '../../prepare-entry.js';
import {
  type CompiledVeto,
  type CurrentRun,
  type PrepareInput,
  prepareInput,
  type RunContext,
} from '../../run-context.js';
import { isTask, type MaybeAsync, type Task } from '../../task.js';

/** A veto as one run has it: its function, or what its failing in prepare made of it. */
export interface ActiveVeto {
  readonly entry: VetoEntry;
  /** Its place among all that can refuse, for verdicts. */
  readonly refuser: number;
  readonly refuses: Score<unknown, boolean>;
  /** Whether it could not be prepared, which is said once for the run. */
  readonly failed: boolean;
  /** The positions of the candidates that it was given; undefined stands for all. Its `index` is the place in here. */
  readonly given: Int32Array | undefined;
}

/** Consecutive vetoes that can be asked in one loop: a veto that must be prepared needs what the earlier ones keep. */
interface VetoGroup {
  readonly vetoes: readonly (CompiledVeto & { readonly judge: number })[];
  readonly loop: VetoLoop;
}

/** The vetoes of a profile, as one run asks them. */
export interface VetoPlan {
  readonly groups: readonly VetoGroup[];
  readonly onFirst: boolean;
}

/** Cuts the vetoes into groups. Without `onFirst` every veto is asked about every candidate, one by one. */
export function planVetoes(
  vetoes: readonly CompiledVeto[],
  onFirst: boolean,
  makeLoop: (count: number) => VetoLoop,
): VetoPlan {
  const groups: (CompiledVeto & { readonly judge: number })[][] = [];
  for (const [judge, one] of vetoes.entries()) {
    const last = groups.at(-1);
    if (last && onFirst && !one.unit.prepares && !last.some((other) => other.unit.prepares))
      last.push({ ...one, judge });
    else groups.push([{ ...one, judge }]);
  }
  return { groups: groups.map((group) => ({ vetoes: group, loop: makeLoop(group.length) })), onFirst };
}

/** What a veto says of one candidate, and what that is worth under its entry's rules. */
export interface VetoDecision {
  readonly state: 'passed' | 'refused' | 'absent' | 'failed';
  /** Undefined lets the candidate go on. */
  readonly refusal: Refusal | undefined;
  /** What was thrown, where it failed. */
  readonly error?: unknown;
}

const PASSED: VetoDecision = { state: 'passed', refusal: undefined };
const REFUSED: VetoDecision = { state: 'refused', refusal: 'veto' };

/**
 * Asks one veto about one candidate: the slow way, for odd candidates and explanations.
 *
 * @param index the candidate's place among those that this veto was given
 * @throws RunFailed where its entry says so
 */
export function decideVeto(run: ActiveVeto, candidate: unknown, index: number, note?: Note): VetoDecision {
  const { entry } = run;
  let error: unknown;
  try {
    const refuses: unknown = run.refuses(candidate, index, note);
    if (refuses === true) return REFUSED;
    if (refuses === false) return PASSED;
    if (refuses === undefined) return { state: 'absent', refusal: entry.onAbsent === 'refuse' ? 'absent' : undefined };
    error = new TypeError(`a veto gives true or false, and it gave ${describeValue(refuses)}`);
  } catch (thrown) {
    error = thrown;
  }
  if (entry.onError === 'fail') failRun(entry.id, 'veto', error, run.given?.[index] ?? index);
  return { state: 'failed', refusal: entry.onError === 'refuse' ? 'error' : undefined, error };
}

/** What came out of Tier 1. */
export interface Vetoed {
  /** The positions of the candidates that go on, ascending. */
  readonly kept: Int32Array;
  /** The vetoes in the run. */
  readonly runs: readonly ActiveVeto[];
  /** Every verdict by position, where all vetoes were asked (`veto_on_first: false`); the first one is in `verdicts`. */
  readonly all: ReadonlyMap<number, readonly number[]> | undefined;
}

/** Gives the function of a veto in this run; a veto that could not be prepared stands for its `on_error`. */
function* activateVeto(
  { entry, unit }: CompiledVeto,
  batch: PrepareInput,
  failures: Failures,
): Task<Pick<ActiveVeto, 'refuses' | 'failed'>> {
  const outcome = unit.prepares ? prepareEntry(entry, unit, batch) : undefined;
  const failure = isTask(outcome) ? yield* outcome : outcome;
  if (!failure) return { refuses: unit.scoreIn(batch.context), failed: false };
  if (entry.onError === 'fail') failRun(entry.id, 'veto', failure.cause);
  failures.addUnprepared(entry.id, 'veto', failure.cause, replacementOf(entry.onError));
  const refuses = (): boolean => {
    throw failure.cause;
  };
  return { refuses, failed: true };
}

/** What Tier 1 is asked about, and where its answers go. */
interface VetoPass {
  readonly cell: CurrentRun;
  readonly batch: PrepareInput;
  readonly slab: RunBuffers;
  readonly failures: Failures;
  readonly all: Map<number, number[]> | undefined;
}

/** Tier 1: asks the vetoes in order; a refusal is final. Writes the verdicts of the refused by position. */
export function runVetoes(
  plan: VetoPlan,
  cell: CurrentRun,
  batch: PrepareInput,
  slab: RunBuffers,
  failures: Failures,
): MaybeAsync<Vetoed> {
  if (plan.groups.length === 0) return { kept: fillPositions(slab.kept), runs: NO_VETOES, all: undefined };
  return runGroups(plan, cell, batch, slab, failures);
}

const NO_VETOES: readonly ActiveVeto[] = [];

function* runGroups(
  plan: VetoPlan,
  cell: CurrentRun,
  batch: PrepareInput,
  slab: RunBuffers,
  failures: Failures,
): Task<Vetoed> {
  const { candidates } = batch;
  const runs: ActiveVeto[] = [];
  const asking: VetoPass = { cell, batch, slab, failures, all: plan.onFirst ? undefined : new Map() };
  let kept: Int32Array | undefined;
  for (const { vetoes, loop } of plan.groups) {
    cell.context = batch.context;
    const asked = vetoes.filter(({ when }) => when());
    if (asked.length === 0) continue;
    // A veto that is asked for its reason alone must not change what a batch sees, or what it learns.
    const given = plan.onFirst ? kept : asked.some(({ unit }) => unit.prepares) ? positionsNotRefused(slab) : undefined;
    const list = given ? itemsAt(candidates, given) : candidates;
    const group: ActiveVeto[] = [];
    for (const one of asked) {
      const { refuses, failed } = yield* activateVeto(one, prepareInput(batch, list), failures);
      group.push({ entry: one.entry, refuser: one.judge, refuses, given, failed });
    }
    runs.push(...group);
    kept = runGroup(group, asked.length === vetoes.length ? loop : undefined, list, asking);
  }
  if (asking.all) kept = positionsNotRefused(slab);
  return { kept: kept ?? fillPositions(slab.kept), runs, all: asking.all };
}

/** What a loop is given to ask a group. */
export function vetoInput(
  group: readonly ActiveVeto[],
  candidates: readonly unknown[],
  { kept, verdicts }: RunBuffers,
  failures: Failures,
): VetoInput {
  const evaluate = (index: number): number => {
    checkCandidate(candidates[index], index);
    for (const run of group) {
      const { state, refusal, error } = decideVeto(run, candidates[index], index);
      // One that could not be prepared is said once for the run.
      if (state === 'failed' && !run.failed)
        failures.add(run.entry.id, 'veto', error, replacementOf(run.entry.onError));
      if (refusal) return verdictOf(run.refuser, refusal);
    }
    return 0;
  };
  return {
    candidates,
    vetoes: group.map((run) => run.refuses),
    passAbsent: group.map((run) => run.entry.onAbsent === 'pass'),
    first: group[0]?.refuser ?? 0,
    kept,
    verdicts,
    evaluate,
  };
}

/** The vetoes of a profile in which none must be prepared. */
export const activeVetoes = (plan: VetoPlan, state: RunContext): readonly ActiveVeto[] =>
  plan.groups.flatMap(({ vetoes }) =>
    vetoes.map(({ entry, unit, judge }) => ({
      entry,
      refuser: judge,
      refuses: unit.scoreIn(state),
      given: undefined,
      failed: false,
    })),
  );

/** The positions of the candidates that nothing has refused yet. */
const positionsNotRefused = ({ verdicts, kept }: RunBuffers): Int32Array =>
  fillPositions(new Int32Array(kept.length)).filter((i) => verdicts[i] === 0);

/** Asks one group about the candidates that it was given; gives the positions of those that go on. */
function runGroup(
  group: readonly ActiveVeto[],
  loop: VetoLoop | undefined,
  list: readonly unknown[],
  { cell, batch, slab, failures, all }: VetoPass,
): Int32Array {
  const given = group[0]!.given;
  const own = given || all ? new RunBuffers(list.length) : slab; // of a part, or of one veto among several that are all asked
  const input = vetoInput(group, list, own, failures);
  cell.context = batch.context;
  const count = (loop ?? evaluateEach)(input, 0, list.length, 0);
  const kept = prefixOf(own.kept, count);
  if (own === slab) return kept;
  for (let index = 0; index < list.length; index++) {
    const verdict = own.verdicts[index]!;
    if (verdict === 0) continue;
    const position = given?.[index] ?? index;
    slab.verdicts[position] ||= verdict;
    all?.set(position, [...(all.get(position) ?? []), verdict]);
  }
  return given ? kept.map((index) => given[index]!) : kept;
}

/** The loop of a group that is not whole in this run: its vetoes' places differ from their verdicts'. */
const evaluateEach: VetoLoop = ({ verdicts, kept, evaluate }, from, to, count) => {
  let next = count;
  for (let i = from; i < to; i++) {
    verdicts[i] = evaluate(i);
    if (verdicts[i] === 0) kept[next++] = i;
  }
  return next;
};
