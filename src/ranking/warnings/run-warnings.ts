import { dateFactsOf } from '../../columns/index.js';
import type { Problem } from '../../diagnostics/index.js';
import { CandidateNames, ownIdOf, type Plan, type RunResult } from '../../engine/index.js';
import { refusedRows } from '../candidate-row.js';
import { type RefusedCount, refusedCounts, type TopCounts } from '../counts.js';
import { absentContextWarnings } from './absent-context.js';
import { absentPathWarnings, infiniteDateWarnings } from './absent-paths.js';
import { type ColumnStats, columnStats, constantScoreWarnings, outOfRangeWarnings } from './column-stats.js';
import { failedInputWarnings } from './failed-inputs.js';
import { nothingPackedWarnings, refusedAllWarnings } from './nothing-left.js';
import { rangeImbalanceWarnings } from './range-imbalance.js';
import { type RescaledScores, rescaledScores, rescaledWarnings, thinScoreWarnings } from './rescaled-scores.js';
import { unmetKeyWarnings } from './unmet-keys.js';
import { warningAbout } from './warning.js';

/** How many duplicate ids are named: in a file that was read twice every id is one. */
const MAX_NAMED_IDS = 20;

/** How many of the positions of one id are named. */
const MAX_POSITIONS = 5;

/**
 * @param among      what the counted candidates are called
 * @param positionOf the position of a candidate among all
 */
function duplicateIdWarnings(
  { shared }: CandidateNames,
  among = 'candidates',
  positionOf = (position: number): number => position,
): Problem[] {
  const problems = Array.from(shared)
    .slice(0, MAX_NAMED_IDS)
    .map(([id, positions]) => {
      const named = positions.slice(0, MAX_POSITIONS).map((position) => `#${positionOf(position)}`);
      const rest = positions.length > MAX_POSITIONS ? ' …' : '';
      return warningAbout({}, 'ASZ711', `${positions.length} ${among} have the id ${id}: ${named.join(', ')}${rest}`);
    });
  const more = shared.size - problems.length;
  return more > 0 ? [...problems, warningAbout({}, 'ASZ711', `${more} more ids belong to several`)] : problems;
}

/** Whether a scorer or a measure was evaluated and gave a number to no candidate. */
function gaveNothing(columns: readonly ColumnStats[], { measures }: RunResult['context'], id: string): boolean {
  const column = columns.find((one) => one.id === id);
  if (column) return column.evaluated > 0 && column.most < column.least;
  const measured = measures[id];
  return measured !== undefined && measured.length > 0 && measured.every((value) => Number.isNaN(value));
}

/** Mistakes that show in the candidates' fields and the scorers' numbers. */
function mistakeWarnings(
  plan: Plan,
  absent: readonly Problem[],
  columns: readonly ColumnStats[],
  rescaled: RescaledScores,
  names: CandidateNames,
  { scored, context }: Pick<RunResult, 'scored' | 'context'>,
): Problem[] {
  // An entry that reads an absent field is constant, or gives nothing, for that reason: one warning is enough.
  const readsAbsent = new Set(absent.filter(({ code }) => code !== 'ASZ725').map(({ path }) => path));
  const { profile } = plan;
  return [
    ...absent,
    ...absentContextWarnings(
      profile,
      context.context,
      (id, path) => !readsAbsent.has(path) && gaveNothing(columns, context, id),
    ),
    ...rescaledWarnings(profile, rescaled),
    ...outOfRangeWarnings(profile, columns, names),
    ...rangeImbalanceWarnings(profile, columns, scored.scoring.weights),
    ...constantScoreWarnings(profile, columns).filter(({ path }) => !readsAbsent.has(path)),
  ];
}

/** The warnings of selectors and of the reports. */
const selectorAndReportWarnings = (
  plan: Plan,
  { arrangement, reports }: Pick<RunResult, 'arrangement' | 'reports'>,
): Problem[] => [
  ...(arrangement?.warnings ?? []).map(({ stage, message }) =>
    warningAbout(plan.profile.select[stage] ?? {}, 'ASZ514', message),
  ),
  ...reports.warnings.map((message) => warningAbout({}, 'ASZ715', message)),
];

/** What leaves a run without a result: first, because nothing else matters then. */
function nothingLeftWarnings(plan: Plan, result: RunResult, names: CandidateNames): Problem[] {
  if (result.totals.length > 0) return nothingPackedWarnings(plan, result, (position) => names.nameAt(position));
  const refused = refusedCounts([...refusedRows(plan, result)]);
  return refusedAllWarnings(plan.profile, result.candidates.length, refused, names);
}

/** Probable mistakes that show in a run. Computed when they are read: a run pays nothing for them. */
export const runWarnings = (plan: Plan, result: RunResult, names: CandidateNames): readonly Problem[] => [
  ...nothingLeftWarnings(plan, result, names),
  ...duplicateIdWarnings(names),
  ...mistakeWarnings(
    plan,
    [
      ...absentPathWarnings(plan.profile, result.candidates),
      ...infiniteDateWarnings(plan.profile, dateFactsOf(result.candidates)?.infinite()),
    ],
    columnStats(plan, result),
    rescaledScores(plan, result),
    names,
    result,
  ),
  ...thinScoreWarnings(plan, result, (position) => names.nameAt(position)),
  ...unmetKeyWarnings(plan, result),
  ...failedInputWarnings(plan.profile, result.failures.list()),
  ...selectorAndReportWarnings(plan, result),
];

/** What is known of the candidates of a stream, which are not all retained. */
export interface StreamFacts {
  readonly columns: readonly ColumnStats[];
  readonly rescaled: RescaledScores;
  /** Of the retained ones. */
  readonly positions: readonly number[];
  readonly counts: TopCounts;
  readonly refused: readonly RefusedCount[];
}

/**
 * The warnings of a stream. Duplicate ids and packing are those of the retained candidates, because the others' ids are
 * not kept.
 */
export const streamWarnings = (
  plan: Plan,
  absent: readonly Problem[],
  retained: RunResult,
  { columns, rescaled, positions, counts, refused }: StreamFacts,
): readonly Problem[] => {
  const names = new CandidateNames(plan.profile, retained.candidates);
  const nameAt = (position: number): string => {
    const index = positions[position]!;
    const id = ownIdOf(plan.profile, retained.candidates[position]) ?? `#${index}`;
    return names.nameOf({ id, index });
  };
  const nothingRanked = counts.ranked === 0;
  return [
    ...(nothingRanked ? refusedAllWarnings(plan.profile, counts.given, refused, names) : []),
    ...nothingPackedWarnings(plan, retained, nameAt),
    ...duplicateIdWarnings(names, 'of those that may be selected', (position) => positions[position]!),
    ...mistakeWarnings(plan, absent, columns, rescaled, names, retained),
    ...failedInputWarnings(plan.profile, retained.failures.list()),
    ...thinScoreWarnings(plan, retained, nameAt),
    ...selectorAndReportWarnings(plan, retained),
  ];
};
