import {
  emptyContext,
  NO_SIGNALS,
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

/** What a statement has left for this process. */
export interface Prefiltered {
  readonly relation: Relation;
  readonly result: PrefilterResult;
  /** Is to be given every candidate that is judged. */
  readonly absent: AbsentFields;
  /** What of the profile has no translation, and why: the notices of the ranking. */
  readonly notices: readonly string[];
}

/** The candidates of the rows that the statement gave, in order. */
export function decodeChosen({ relation, result, absent }: Prefiltered): readonly object[] {
  const candidates = result.chosen.map(({ cells }) => relation.decode(cells));
  absent.add(candidates);
  return candidates;
}

/** What was pruned, by the ranking of the chosen rows. */
type PrunedOf = (ranking: Ranking<object>) => NonNullable<StreamResult['pruned']>;

/**
 * The ranking of all rows, by a run over the chosen ones: with their positions among all, and with the counts of those
 * that SQL has refused.
 *
 * @param retained the run over the chosen rows
 * @param pruned   undefined if SQL has scored all rows
 */
export async function rankingOfChosen(
  plan: Plan,
  { result, absent, notices }: Prefiltered,
  retained: RunResult,
  pruned?: PrunedOf,
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
  const refused = chosen.flatMap(({ pos, verdict: said }, position) => {
    const verdict = evaluation.verdicts[position]!;
    if (!refuses(verdict)) return [];
    const reason = refusalReason(plan, evaluation, position, verdict);
    const example = { id: ownIdOf(plan.profile, evaluation.candidates[position]), index: pos, reason };
    const by = plan.refusers[refuserOf(verdict)] ?? 'combine';
    return [{ by, kind: refusalOf(verdict), count: said > 0 ? 0 : 1, examples: [example] }];
  });
  return {
    given: [...counts.values()].reduce((sum, count) => sum + count, 0),
    ...(isPruned
      ? { ranked: evaluation.totals.length, belowMinScore: 0 } // what was left out is counted apart
      : withCounts(ranking, counts, below, chosen)),
    refused: mergeRefusals(refusalsOf(plan, counts), refused),
    totals: extentOf(evaluation.totals),
    infiniteDates: new Map(), // a statement counts them
  };
}

/** How many are ranked, and below `min_score`, where SQL has scored all rows but the uncertain. */
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

/** What SQL has refused. */
export const refusalsOf = (plan: Plan, counts: PrefilterResult['counts']): Refusals =>
  [...counts].flatMap(([verdict, count]) => {
    if (verdict <= 0) return [];
    return [{ by: plan.refusers[refuserOf(verdict)] ?? 'combine', kind: refusalOf(verdict), count, examples: [] }];
  });

/** Refusals by entry and kind, each with its first examples, in the order of their first. */
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

/** The engine's verdict on a row is another than SQL's: a fault of a translation, or of a database. */
export class PrefilterMismatch extends Error {
  override readonly name = 'PrefilterMismatch';
}

/**
 * Checks that the engine's verdict is what SQL has promised.
 *
 * @param isBound whether SQL knows not all: what it passes a scorer may refuse, or never see
 */
export function checkVerdict(plan: Plan, { pos, verdict: said }: ChosenRow, verdict: number, isBound = false): void {
  const mayDiffer = isBound && said === 0 && refuserOf(verdict) >= plan.score.firstRefuser;
  if (said === UNCERTAIN || said === verdict || mayDiffer) return;
  const text = (one: number): string => (one === 0 ? 'scored' : `refused by ${plan.refusers[refuserOf(one)]}`);
  throw new PrefilterMismatch(`row ${pos} is ${text(said)} in SQL, and ${text(verdict)} by the engine`);
}

/** The state of a run over candidates that are one set: they are evaluated, ranked and selected together. */
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
    knownSignals: NO_SIGNALS,
    callBudget: undefined,
    secondPhase: plan.secondPhase,
    failures,
    updates: [],
  });
  state.setCandidates(candidates);
  state.budget = budget;
  return state;
}
