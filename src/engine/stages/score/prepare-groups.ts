import type { Score } from '../../../sdk/index.js';
import { contextOfRows, prepareEntry } from '../../entries.js';
import { failRun } from '../../failures.js';
import { fillPositions } from '../../kernel/run-buffers.js';
import type { RunState } from '../../run-state.js';
import { isTask, type Task } from '../../tasks.js';
import type { ActiveScorer, CompiledScorer } from '../../tier-plans.js';

/** The kept rows of one group. */
interface GroupOfRows {
  readonly from: number;
  readonly to: number;
}

/**
 * Prepares scorers for each group of a part on its own, as if the group were a run. Each gets one function for all rows,
 * which calls that of the row's group.
 *
 * @param ends by group: the position after its last candidate
 * @returns by scorer of `present`: its function; undefined if it does not prepare
 * @throws RunFailed if an entry cannot be prepared for some group, whatever its rule is
 */
export function* prepareForGroups(
  run: RunState,
  present: readonly CompiledScorer[],
  ends: readonly number[],
): Task<readonly (Score<unknown> | undefined)[]> {
  const { groups, groupOf } = groupsOfRows(run.kept, ends);
  const scores: (Score<unknown> | undefined)[] = [];
  for (const scorer of present)
    scores.push(scorer.unit.prepares ? byGroup(groups, groupOf, yield* prepareEach(run, scorer, groups)) : undefined);
  return scores;
}

function groupsOfRows(kept: Int32Array, ends: readonly number[]) {
  const groups: GroupOfRows[] = [];
  const groupOf = new Int32Array(kept.length);
  let row = 0;
  for (const end of ends) {
    const from = row;
    while (row < kept.length && kept[row]! < end) groupOf[row++] = groups.length;
    if (row > from) groups.push({ from, to: row });
  }
  return { groups, groupOf };
}

function* prepareEach(
  { plan, keptInput, context }: RunState,
  { entry, unit }: CompiledScorer,
  groups: readonly GroupOfRows[],
): Task<readonly Score<unknown>[]> {
  const { abort, updates } = keptInput;
  const scores: Score<unknown>[] = [];
  for (const { from, to } of groups) {
    const candidates = keptInput.candidates.slice(from, to);
    const own = contextOfRows(context, fillPositions(new Int32Array(to - from)));
    const pending = prepareEntry(entry, unit, { candidates, context: own, abort, updates });
    const failure = isTask(pending) ? yield* pending : pending;
    if (failure) failRun(entry.id, 'score', failure.cause);
    scores.push(plan.current.bind(own, unit.scoreIn(own))); // entries inside it read the context of the group
  }
  return scores;
}

const byGroup =
  (groups: readonly GroupOfRows[], groupOf: Int32Array, scores: readonly Score<unknown>[]): Score<unknown> =>
  (candidate, row, note) => {
    const group = groupOf[row]!;
    return scores[group]!(candidate, row - groups[group]!.from, note);
  };

/** Scorers with the functions that were prepared for groups. */
export const withGroupScores = (
  active: readonly ActiveScorer[],
  scores: readonly (Score<unknown> | undefined)[],
): readonly ActiveScorer[] =>
  active.map((one, k) => {
    const raw = scores[k];
    return raw ? { ...one, raw, cached: true, evaluated: () => true } : one;
  });
