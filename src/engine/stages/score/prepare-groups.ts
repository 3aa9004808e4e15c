import type { Score } from '../../../sdk/index.js';
import { contextOfRows, prepareEntry, type RunContext } from '../../entries.js';
import { failRun } from '../../failures.js';
import type { RunState } from '../../run-state.js';
import { isTask, type Task } from '../../tasks.js';
import type { ActiveScorer, CompiledScorer } from '../../tier-plans.js';

/** The kept rows of one group. */
interface GroupOfRows {
  readonly from: number;
  readonly candidates: readonly unknown[];
  /** The context in which the group's scorers are prepared. */
  readonly context: RunContext;
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
  const { groups, groupOf } = groupsOfRows(run, ends);
  const scores: (Score<unknown> | undefined)[] = [];
  for (const scorer of present)
    scores.push(scorer.unit.prepares ? byGroup(groups, groupOf, yield* prepareEach(run, scorer, groups)) : undefined);
  return scores;
}

function groupsOfRows({ kept, context, keptInput }: RunState, ends: readonly number[]) {
  const groups: GroupOfRows[] = [];
  const groupOf = new Int32Array(kept.length);
  let row = 0;
  for (const end of ends) {
    const from = row;
    while (row < kept.length && kept[row]! < end) groupOf[row++] = groups.length;
    if (row === from) continue;
    const own = contextOfRows(context, NO_ROWS);
    groups.push({ from, context: own, candidates: keptInput.candidates.slice(from, row) });
  }
  return { groups, groupOf };
}

/** Measures are by row; a part with groups has no measures. */
const NO_ROWS = new Int32Array(0);

function* prepareEach(
  { plan, keptInput }: RunState,
  { entry, unit }: CompiledScorer,
  groups: readonly GroupOfRows[],
): Task<readonly Score<unknown>[]> {
  const { abort, updates } = keptInput;
  const scores: Score<unknown>[] = [];
  for (const { context, candidates } of groups) {
    const pending = prepareEntry(entry, unit, { candidates, context, abort, updates });
    const failure = isTask(pending) ? yield* pending : pending;
    if (failure) failRun(entry.id, 'score', failure.cause);
    scores.push(plan.current.bind(context, unit.scoreIn(context))); // entries inside it read the context of the group
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
