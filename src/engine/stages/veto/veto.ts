import type { CandidateAt } from '../../candidates/reader.js';
import { checkCandidate } from '../../candidates/check.js';
import { type Failures, replacementOf } from '../../failures/failures.js';
import { fillPositions, itemsAt, prefixOf, RunBuffers } from '../../kernel/run-buffers.js';
import { verdictOf } from '../../kernel/verdict.js';
import type { VetoInput, VetoLoop } from '../../kernel/veto-loop.js';
import { prepareEntry } from '../../entries/prepare-entry.js';
import { failRun } from '../../failures/run-errors.js';
import type { RunState } from '../../run-state.js';
import { ignorePromise } from '../../tasks/stray-promise.js';
import { chain, isTask, type MaybeAsync, type Task } from '../../tasks/task.js';
import { inTurns } from '../../tasks/turns.js';
import { decideVeto } from './decide-veto.js';
import type { ActiveVeto, CompiledVeto } from './types.js';

/** Tier 1: runs the vetoes in order; a refusal is final. Writes the verdicts of the refused by position. */
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
    // A veto that runs for its reason alone must not change what a batch veto sees, or remembers.
    const given = onFirst ? kept : present.some(({ unit }) => unit.prepares) ? positionsNotRefused(buffers) : undefined;
    // Units are not given the caller's own list: one that sorts it would change it for everybody.
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

/** A veto of this run; one that could not be prepared throws for every candidate, so that its `on_error` decides. */
function* activate(
  { entry, refuser, unit }: CompiledVeto,
  run: RunState,
  list: readonly unknown[],
  given: Int32Array | undefined,
): Task<ActiveVeto> {
  const pending = unit.prepares ? prepareEntry(entry, unit, run.prepareInput(list)) : undefined;
  const failure = isTask(pending) ? yield* pending : pending;
  if (!failure) return { entry, refuser, refuses: unit.scoreIn(run.context), failure, given };
  const { cause } = failure;
  if (entry.onError === 'fail') failRun(entry.id, 'veto', cause);
  run.failures.addUnprepared(entry.id, 'veto', cause, list.length, replacementOf(entry.onError));
  const refuses = (): boolean => {
    throw cause;
  };
  return { entry, refuser, refuses, failure, given };
}

/** Runs one group on the candidates that it was given; gives the positions of those that go on. */
function runGroup(
  { abort, buffers, failures }: RunState,
  group: readonly ActiveVeto[],
  loop: VetoLoop,
  list: readonly unknown[],
  all: Map<number, number[]> | undefined,
): MaybeAsync<Int32Array> {
  const given = group[0]!.given;
  const own = given || all ? new RunBuffers(list.length) : buffers; // of a part, or of one veto among all that run
  const input = vetoInput(group, list, own, failures);
  let rows = 0;
  const looped = inTurns(abort, list.length, 'veto', (from, to) => void (rows = loop(input, from, to, rows)));
  return chain(looped, () => {
    const kept = prefixOf(own.kept, rows);
    return own === buffers ? kept : collectVerdicts(own, buffers, kept, given, all);
  });
}

/** Writes the verdicts of a group with buffers of its own into those of the run; gives the positions in the run. */
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

/** The input of a loop over a group. */
export function vetoInput(
  group: readonly ActiveVeto[],
  candidates: readonly unknown[],
  { kept, verdicts }: RunBuffers,
  failures: Failures,
  at?: CandidateAt,
): VetoInput {
  const evaluate = (index: number, wrong?: unknown): number => {
    ignorePromise(wrong);
    checkCandidate(candidates[index], index);
    for (const one of group) {
      const { state, refusal, error } = decideVeto(one, candidates[index], index);
      // One that could not be prepared is reported once for the run.
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

/** The loop of a group that is not whole in this run: a generated one counts its vetoes from the first. */
const evaluateEach: VetoLoop = ({ verdicts, kept, evaluate }, from, to, count) => {
  let next = count;
  for (let i = from; i < to; i++) {
    verdicts[i] = evaluate(i);
    if (verdicts[i] === 0) kept[next++] = i;
  }
  return next;
};
