import {
  emptyContext,
  ownIdOf,
  refusalOf,
  refuserOf,
  refuses,
  type Plan,
  type Evaluation,
  type RunResult,
  RunState,
  type Budget,
} from '../../engine/index.js';
import { refusalReason, Ranking, EXAMPLES_PER_REASON } from '../../ranking/index.js';
import {
  type Aggregates,
  type StreamRun,
  type StreamResult,
  topOfStream,
  type TopRanking,
} from '../../pipeline/index.js';
import { extentOf } from '../../base/index.js';
import { UNCERTAIN } from './kept-rows.js';
import type { Relation } from './relation.js';
import type { AbsentFields, ChosenRow, PrefilterResult } from './prefilter-rows.js';

/** The result of a prefilter statement, which this process finishes. */
export interface Prefiltered {
  readonly relation: Relation;
  readonly result: PrefilterResult;
  /** Receives every candidate that the engine evaluates. */
  readonly absent: Pick<AbsentFields, 'add' | 'warnings'>;
  /** The notices of the ranking: the parts of the profile that have no translation, with the reason. */
  readonly notices: readonly string[];
}

/** The candidates of the returned rows, in order. */
export function decodeChosen({ relation, result, absent }: Prefiltered): readonly object[] {
  const candidates = result.chosen.map(({ cells }) => relation.decode(cells));
  absent.add(candidates);
  return candidates;
}

/**
 * Makes the ranking of all rows from a run over the chosen rows: adds the rows' positions in the input, and the number
 * of rows that SQL refused.
 *
 * @param retained the run over the chosen rows
 * @param pruned   computes the pruned rows; undefined if SQL has scored all rows
 */
export async function rankingOfChosen(
  plan: Plan,
  { result, absent, notices }: Prefiltered,
  retained: RunResult,
  pruned?: (ranking: Ranking<object>) => NonNullable<StreamResult['pruned']>,
): Promise<TopRanking<object>> {
  const ranking = new Ranking<object>(plan, retained, {
    whatIf: () => Promise.reject(new Error('a prefiltered ranking has no what-if')),
    withField: () => 'a prefiltered ranking has no what-if',
  });
  return topOfStream<object>(plan, {
    aggregates: aggregatesOf(plan, result, retained, ranking, pruned !== undefined),
    retained,
    positions: result.chosen.map(({ pos }) => pos),
    absentPaths: await absent.warnings(),
    pruned: pruned?.(ranking),
    notices,
  });
}

function aggregatesOf(
  plan: Plan,
  { counts, below, chosen }: PrefilterResult,
  evaluation: Evaluation,
  ranking: Ranking<object>,
  isPruned: boolean,
): Aggregates {
  const refused = chosen.flatMap(({ pos, verdict: expected }, position) => {
    const verdict = evaluation.verdicts[position]!;
    if (!refuses(verdict)) return [];
    const reason = refusalReason(plan, evaluation, position, verdict);
    const example = { id: ownIdOf(plan.profile, evaluation.candidates[position]), index: pos, reason };
    const by = plan.refusers[refuserOf(verdict)] ?? 'combine';
    return [{ by, kind: refusalOf(verdict), count: expected > 0 ? 0 : 1, examples: [example] }];
  });
  return {
    given: [...counts.values()].reduce((sum, count) => sum + count, 0),
    ...(isPruned
      ? { ranked: evaluation.totals.length, belowMinScore: 0 } // `pruned` counts the others
      : withCounts(ranking, counts, below, chosen)),
    refused: mergeRefusals(refusalsOf(plan, counts), refused),
    totals: extentOf(evaluation.totals),
    infiniteDates: new Map(), // counted by a statement
  };
}

/** Counts the ranked rows, and those below `min_score`, if SQL scored every row that is not uncertain. */
function withCounts(
  { ranked, notSelected }: Ranking<object>,
  counts: PrefilterResult['counts'],
  below: number,
  chosen: PrefilterResult['chosen'],
): Pick<Aggregates, 'ranked' | 'belowMinScore'> {
  const isUncertain = ({ index }: { readonly index: number }): boolean => chosen[index]?.verdict === UNCERTAIN;
  return {
    ranked: (counts.get(0) ?? 0) + ranked.filter(isUncertain).length,
    belowMinScore: below + notSelected.filter((row) => row.reason === 'min_score' && isUncertain(row)).length,
  };
}

type Refusals = Aggregates['refused'];

/** The rows that SQL refused. */
export const refusalsOf = (plan: Plan, counts: PrefilterResult['counts']): Refusals =>
  [...counts].flatMap(([verdict, count]) => {
    if (verdict <= 0) return [];
    return [{ by: plan.refusers[refuserOf(verdict)] ?? 'combine', kind: refusalOf(verdict), count, examples: [] }];
  });

/** Merges refusals by entry and kind. Keeps the first examples of each, and sorts by the first example. */
export function mergeRefusals(...lists: readonly Refusals[]): Refusals {
  const groups = new Map<string, Refusals[number]>();
  for (const group of lists.flat()) {
    const key = `${group.by} ${group.kind}`;
    const known = groups.get(key);
    const examples = [...(known?.examples ?? []), ...group.examples].toSorted((a, b) => a.index - b.index);
    const count = (known?.count ?? 0) + group.count;
    groups.set(key, { ...group, count, examples: examples.slice(0, EXAMPLES_PER_REASON) });
  }
  const first = ({ examples }: Refusals[number]): number => examples[0]?.index ?? Infinity;
  return [...groups.values()].toSorted((a, b) => first(a) - first(b));
}

/** The engine and SQL disagree about a row: an error in a translation or in a database. */
export class PrefilterMismatch extends Error {
  override readonly name = 'PrefilterMismatch';
}

/**
 * Checks that the engine's verdict is the one that SQL computed.
 *
 * @param isBound whether SQL computed an upper bound only: then a scorer or a rule may still refuse the row
 */
export function checkVerdict(plan: Plan, { pos, verdict: inSql }: ChosenRow, verdict: number, isBound = false): void {
  const mayDiffer = isBound && inSql === 0 && refuserOf(verdict) >= plan.score.firstRefuser;
  if (inSql === UNCERTAIN || inSql === verdict || mayDiffer) return;
  const text = (one: number): string => (one === 0 ? 'scored' : `refused by ${plan.refusers[refuserOf(one)]}`);
  throw new PrefilterMismatch(`row ${pos} is ${text(inSql)} in SQL, and ${text(verdict)} by the engine`);
}

/** The state of a run whose candidates are evaluated, ranked and selected as one set. */
export function setState(
  { plan, start, abort, failures }: StreamRun,
  candidates: readonly object[],
  budget: Budget | undefined,
): RunState {
  const { now, context, signals } = start;
  const state = new RunState(plan, {
    context: emptyContext(now, context, signals),
    given: candidates,
    abort,
    secondPhase: plan.secondPhase,
    failures,
  });
  state.setCandidates(candidates);
  state.budget = budget;
  return state;
}
