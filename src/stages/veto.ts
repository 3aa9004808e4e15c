import type { Note, Score } from '../contract/index.js';
import { describeValue } from '../expression/describe.js';
import { everyPosition, firstOf, itemsAt, Slab } from '../matrix/slab.js';
import { type Refusal, verdictOf } from '../matrix/verdict.js';
import type { VetoInput, VetoLoop } from '../matrix/veto-loop.js';
import type { VetoEntry } from '../profile/profile.js';
import { checkCandidate } from './check-candidates.js';
import { type Failures, insteadOf } from './failures.js';
import { type Batch, batchOf, type Cell, type CompiledVeto, type RunState } from './plan.js';
import { failRun, prepareEntry } from './prepare.js';
import { isSteps, type Soon, type Steps } from './wait.js';

/** A veto as one run has it: its function, or what its failing in prepare made of it. */
export interface VetoRun {
  readonly entry: VetoEntry;
  /** Its place among all that can refuse, for verdicts. */
  readonly judge: number;
  readonly refuses: Score<unknown, boolean>;
  /** Whether it could not be prepared, which is said once for the run. */
  readonly failed: boolean;
  /** The positions of the candidates that it was given; undefined stands for all. Its `index` is the place in here. */
  readonly given: Int32Array | undefined;
}

/** Consecutive vetoes that can be asked in one loop: a veto that must be prepared needs what the earlier ones keep. */
interface Group {
  readonly vetoes: readonly (CompiledVeto & { readonly judge: number })[];
  readonly loop: VetoLoop;
}

/** The vetoes of a profile, as one run asks them. */
export interface VetoPlan {
  readonly groups: readonly Group[];
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
    if (last && onFirst && !one.unit.batch && !last.some((other) => other.unit.batch)) last.push({ ...one, judge });
    else groups.push([{ ...one, judge }]);
  }
  return { groups: groups.map((group) => ({ vetoes: group, loop: makeLoop(group.length) })), onFirst };
}

/** What a veto says of one candidate, and what that is worth under its entry's rules. */
export interface VetoAnswer {
  readonly how: 'passed' | 'refused' | 'absent' | 'failed';
  /** Undefined lets the candidate go on. */
  readonly refusal: Refusal | undefined;
  /** What was thrown, where it failed. */
  readonly error?: unknown;
}

const PASSED: VetoAnswer = { how: 'passed', refusal: undefined };
const REFUSED: VetoAnswer = { how: 'refused', refusal: 'veto' };

/**
 * Asks one veto about one candidate: the slow way, for odd candidates and explanations.
 *
 * @param index the candidate's place among those that this veto was given
 * @throws RunFailed where its entry says so
 */
export function askVeto(run: VetoRun, candidate: unknown, index: number, note?: Note): VetoAnswer {
  const { entry } = run;
  let error: unknown;
  try {
    const refuses: unknown = run.refuses(candidate, index, note);
    if (refuses === true) return REFUSED;
    if (refuses === false) return PASSED;
    if (refuses === undefined) return { how: 'absent', refusal: entry.onAbsent === 'refuse' ? 'absent' : undefined };
    error = new TypeError(`a veto gives true or false, and it gave ${describeValue(refuses)}`);
  } catch (thrown) {
    error = thrown;
  }
  if (entry.onError === 'fail') failRun(entry.id, 'veto', error, run.given?.[index] ?? index);
  return { how: 'failed', refusal: entry.onError === 'refuse' ? 'error' : undefined, error };
}

/** What came out of Tier 1. */
export interface Vetoed {
  /** The positions of the candidates that go on, ascending. */
  readonly kept: Int32Array;
  /** The vetoes in the run. */
  readonly runs: readonly VetoRun[];
  /** Every verdict by position, where all vetoes were asked (`veto_on_first: false`); the first one is in `verdicts`. */
  readonly all: ReadonlyMap<number, readonly number[]> | undefined;
}

/** Gives the function of a veto in this run; a veto that could not be prepared stands for its `on_error`. */
function* prepareVeto(
  { entry, unit }: CompiledVeto,
  batch: Batch,
  failures: Failures,
): Steps<Pick<VetoRun, 'refuses' | 'failed'>> {
  const outcome = unit.batch ? prepareEntry(entry, unit, batch) : undefined;
  const failure = isSteps(outcome) ? yield* outcome : outcome;
  if (!failure) return { refuses: unit.scoreIn(batch.state), failed: false };
  if (entry.onError === 'fail') failRun(entry.id, 'veto', failure.cause);
  failures.addUnprepared(entry.id, 'veto', failure.cause, insteadOf(entry.onError));
  const refuses = (): boolean => {
    throw failure.cause;
  };
  return { refuses, failed: true };
}

/** What Tier 1 is asked about, and where its answers go. */
interface Asking {
  readonly cell: Cell;
  readonly batch: Batch;
  readonly slab: Slab;
  readonly failures: Failures;
  readonly all: Map<number, number[]> | undefined;
}

/** Tier 1: asks the vetoes in order; a refusal is final. Writes the verdicts of the refused by position. */
export function veto(plan: VetoPlan, cell: Cell, batch: Batch, slab: Slab, failures: Failures): Soon<Vetoed> {
  if (plan.groups.length === 0) return { kept: everyPosition(slab.kept), runs: NOBODY, all: undefined };
  return askGroups(plan, cell, batch, slab, failures);
}

const NOBODY: readonly VetoRun[] = [];

function* askGroups(plan: VetoPlan, cell: Cell, batch: Batch, slab: Slab, failures: Failures): Steps<Vetoed> {
  const { candidates } = batch;
  const runs: VetoRun[] = [];
  const asking: Asking = { cell, batch, slab, failures, all: plan.onFirst ? undefined : new Map() };
  let kept: Int32Array | undefined;
  for (const { vetoes, loop } of plan.groups) {
    cell.state = batch.state;
    const asked = vetoes.filter(({ when }) => when());
    if (asked.length === 0) continue;
    // A veto that is asked for its reason alone must not change what a batch sees, or what it learns.
    const given = plan.onFirst ? kept : asked.some(({ unit }) => unit.batch) ? keptSoFar(slab) : undefined;
    const list = given ? itemsAt(candidates, given) : candidates;
    const group: VetoRun[] = [];
    for (const one of asked) {
      const { refuses, failed } = yield* prepareVeto(one, batchOf(batch, list), failures);
      group.push({ entry: one.entry, judge: one.judge, refuses, given, failed });
    }
    runs.push(...group);
    kept = askGroup(group, asked.length === vetoes.length ? loop : undefined, list, asking);
  }
  if (asking.all) kept = keptSoFar(slab);
  return { kept: kept ?? everyPosition(slab.kept), runs, all: asking.all };
}

/** What a loop is given to ask a group. */
export function vetoInput(
  group: readonly VetoRun[],
  candidates: readonly unknown[],
  { kept, verdicts }: Slab,
  failures: Failures,
): VetoInput {
  const judge = (index: number): number => {
    checkCandidate(candidates[index], index);
    for (const run of group) {
      const { how, refusal, error } = askVeto(run, candidates[index], index);
      // One that could not be prepared is said once for the run.
      if (how === 'failed' && !run.failed) failures.add(run.entry.id, 'veto', error, insteadOf(run.entry.onError));
      if (refusal) return verdictOf(run.judge, refusal);
    }
    return 0;
  };
  return {
    candidates,
    vetoes: group.map((run) => run.refuses),
    passAbsent: group.map((run) => run.entry.onAbsent === 'pass'),
    first: group[0]?.judge ?? 0,
    kept,
    verdicts,
    judge,
  };
}

/** The vetoes of a profile in which none must be prepared. */
export const runsOf = (plan: VetoPlan, state: RunState): readonly VetoRun[] =>
  plan.groups.flatMap(({ vetoes }) =>
    vetoes.map(({ entry, unit, judge }) => ({
      entry,
      judge,
      refuses: unit.scoreIn(state),
      given: undefined,
      failed: false,
    })),
  );

/** The positions of the candidates that nothing has refused yet. */
const keptSoFar = ({ verdicts, kept }: Slab): Int32Array =>
  everyPosition(new Int32Array(kept.length)).filter((i) => verdicts[i] === 0);

/** Asks one group about the candidates that it was given; gives the positions of those that go on. */
function askGroup(
  group: readonly VetoRun[],
  loop: VetoLoop | undefined,
  list: readonly unknown[],
  { cell, batch, slab, failures, all }: Asking,
): Int32Array {
  const given = group[0]!.given;
  const own = given || all ? new Slab(list.length) : slab; // of a part, or of one veto among several that are all asked
  const input = vetoInput(group, list, own, failures);
  cell.state = batch.state;
  const count = (loop ?? judgeEach)(input, 0, list.length, 0);
  const kept = firstOf(own.kept, count);
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
const judgeEach: VetoLoop = ({ verdicts, kept, judge }, from, to, count) => {
  let next = count;
  for (let i = from; i < to; i++) {
    verdicts[i] = judge(i);
    if (verdicts[i] === 0) kept[next++] = i;
  }
  return next;
};
