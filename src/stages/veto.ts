import type { Score } from '../contract/index.js';
import { describeValue } from '../expression/describe.js';
import type { VetoInput, VetoLoop } from '../matrix/veto-loop.js';
import { type Refusal, verdictOf } from '../matrix/verdict.js';
import type { VetoEntry } from '../profile/profile.js';
import type { Failures } from './failures.js';
import type { Batch, Cell, CompiledVeto, RunState } from './plan.js';
import { failRun, prepareEntry } from './prepare.js';

/** A veto as one run has it: its function, or what its failing in prepare made of it. */
export interface VetoRun {
  readonly entry: VetoEntry;
  /** Its place among all that can refuse, for verdicts. */
  readonly judge: number;
  readonly refuses: Score<unknown, boolean>;
  /** The candidates that it was given, by their position in the input: `index` is the position in here. */
  readonly given: Int32Array;
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

/** What a veto's answer is worth under its entry's rules: undefined lets the candidate go on. */
export function judgeOne(
  run: VetoRun,
  candidate: unknown,
  index: number,
  failed?: (error: unknown) => void,
): Refusal | undefined {
  const { entry } = run;
  let error: unknown;
  try {
    const refuses: unknown = run.refuses(candidate, index);
    if (refuses === true) return 'veto';
    if (refuses === false) return undefined;
    if (refuses === undefined) return entry.onAbsent === 'refuse' ? 'absent' : undefined;
    error = new TypeError(`a veto gives true or false, and it gave ${describeValue(refuses)}`);
  } catch (thrown) {
    error = thrown;
  }
  if (entry.onError === 'fail') failRun(entry.id, 'veto', error, run.given[index]);
  failed?.(error);
  return entry.onError === 'refuse' ? 'error' : undefined;
}

/** What came out of Tier 1. */
export interface Vetoed {
  /** The positions of the candidates that go on, ascending. */
  readonly kept: Int32Array;
  /** The vetoes in the run, by `judge`. */
  readonly runs: ReadonlyMap<number, VetoRun>;
  /** Every verdict by position, where all vetoes were asked (`veto_on_first: false`); the first one is in `verdicts`. */
  readonly all: ReadonlyMap<number, readonly number[]> | undefined;
}

const identity = (length: number): Int32Array => Int32Array.from({ length }, (_, i) => i);

/** Gives the function of a veto in this run; a veto that could not be prepared stands for its `on_error`. */
async function prepareVeto(
  { entry, unit }: CompiledVeto,
  batch: Batch,
  failures: Failures,
): Promise<Score<unknown, boolean>> {
  const failure = unit.batch ? await prepareEntry(entry, unit, batch) : undefined;
  if (!failure) return unit.scoreIn(batch.state);
  if (entry.onError === 'fail') failRun(entry.id, 'veto', failure.cause);
  failures.add(entry.id, 'veto', failure.cause);
  if (entry.onError === 'pass') return () => false;
  return () => {
    throw failure.cause;
  };
}

/** Tier 1: asks the vetoes in order; a refusal is final. Writes the verdicts of the refused by position. */
export async function veto(
  plan: VetoPlan,
  inRun: (one: CompiledVeto) => boolean,
  cell: Cell,
  batch: Batch,
  verdicts: Uint16Array,
  failures: Failures,
): Promise<Vetoed> {
  const { candidates, state } = batch;
  const runs = new Map<number, VetoRun>();
  const all = plan.onFirst ? undefined : new Map<number, number[]>();
  let kept = identity(candidates.length);
  for (const { vetoes, loop } of plan.groups) {
    const given = plan.onFirst ? kept : identity(candidates.length);
    const asked = vetoes.filter(inRun);
    if (asked.length === 0) continue;
    const list = given.length === candidates.length ? candidates : Array.from(given, (i) => candidates[i]);
    const group: VetoRun[] = [];
    for (const one of asked) {
      const refuses = await prepareVeto(one, { ...batch, candidates: list }, failures);
      group.push({ entry: one.entry, judge: one.judge, refuses, given });
    }
    for (const run of group) runs.set(run.judge, run);
    kept = askGroup(
      group,
      asked.length === vetoes.length ? loop : undefined,
      list,
      cell,
      state,
      verdicts,
      failures,
      all,
    );
  }
  return { kept: all ? kept.filter((i) => verdicts[i] === 0) : kept, runs, all };
}

function askGroup(
  group: readonly VetoRun[],
  loop: VetoLoop | undefined,
  list: readonly unknown[],
  cell: Cell,
  state: RunState,
  verdicts: Uint16Array,
  failures: Failures,
  all: Map<number, number[]> | undefined,
): Int32Array {
  const given = group[0]!.given;
  const local = given.length === verdicts.length ? verdicts : new Uint16Array(given.length);
  const scratch = all ? new Uint16Array(given.length) : local;
  const kept = new Int32Array(given.length);
  const judge = (index: number): number => {
    for (const run of group) {
      const refusal = judgeOne(run, list[index], index, (error) => failures.add(run.entry.id, 'veto', error));
      if (refusal) return verdictOf(run.judge, refusal);
    }
    return 0;
  };
  const input: VetoInput = {
    candidates: list,
    vetoes: group.map((run) => run.refuses),
    passAbsent: group.map((run) => run.entry.onAbsent === 'pass'),
    first: group[0]!.judge,
    kept,
    verdicts: scratch,
    judge,
  };
  cell.state = state;
  let count = 0;
  if (loop) count = loop(input, 0, list.length, 0);
  else {
    for (let i = 0; i < list.length; i++) {
      scratch[i] = judge(i);
      if (scratch[i] === 0) kept[count++] = i;
    }
  }
  for (let i = 0; i < given.length; i++) {
    const verdict = scratch[i]!;
    const position = given[i]!;
    if (verdict === 0) continue;
    if (verdicts[position] === 0) verdicts[position] = verdict;
    if (all) all.set(position, [...(all.get(position) ?? []), verdict]);
  }
  const positions = kept.subarray(0, count);
  return given.length === verdicts.length ? positions : positions.map((i) => given[i]!);
}
