import type { Problem } from '../../diagnostics/index.js';
import { idOf, type Plan, type RunResult } from '../../engine/index.js';
import { absentPathWarnings } from './absent-paths.js';
import { type ColumnStats, columnStats, constantScoreWarnings, outOfRangeWarnings } from './column-stats.js';
import { type RescaledScores, rescaledScores, rescaledWarnings } from './rescaled-scores.js';
import { warningAbout } from './warning.js';

/** How many duplicate ids are named: in a file that was read twice every id is one. */
const MAX_NAMED_IDS = 20;

/** @param among what the counted candidates are called */
function duplicateIdWarnings(plan: Plan, candidates: readonly unknown[], among = 'candidates'): Problem[] {
  const seen = new Map<string, number>();
  for (const [index, candidate] of candidates.entries()) {
    const id = idOf(plan.profile, candidate, index);
    seen.set(id, (seen.get(id) ?? 0) + 1);
  }
  const duplicates = [...seen].filter(([, count]) => count > 1);
  const problems = duplicates
    .slice(0, MAX_NAMED_IDS)
    .map(([id, count]) => warningAbout({}, 'ASZ711', `${count} ${among} have the id ${id}`));
  const more = duplicates.length - problems.length;
  return more > 0 ? [...problems, warningAbout({}, 'ASZ711', `${more} more ids belong to several`)] : problems;
}

/** Mistakes that show in the candidates' fields and the scorers' numbers. */
function mistakeWarnings(
  plan: Plan,
  absent: readonly Problem[],
  columns: readonly ColumnStats[],
  rescaled: RescaledScores,
): Problem[] {
  // An entry that reads an absent field is constant for that reason: one warning is enough.
  const readsAbsent = new Set(absent.map(({ path }) => path));
  const { profile } = plan;
  return [
    ...absent,
    ...rescaledWarnings(profile, rescaled),
    ...outOfRangeWarnings(profile, columns),
    ...constantScoreWarnings(profile, columns).filter(({ path }) => !readsAbsent.has(path)),
  ];
}

/** The warnings of packing and of the reports. */
const packAndReportWarnings = (
  plan: Plan,
  { arrangement, reports }: Pick<RunResult, 'arrangement' | 'reports'>,
): Problem[] => [
  ...(arrangement?.warnings ?? []).map((message) => warningAbout(plan.pack?.entry ?? {}, 'ASZ514', message)),
  ...reports.warnings.map((message) => warningAbout({}, 'ASZ715', message)),
];

/** Probable mistakes that show in a run. Computed when they are read: a run pays nothing for them. */
export const runWarnings = (plan: Plan, result: RunResult): readonly Problem[] => [
  ...duplicateIdWarnings(plan, result.candidates),
  ...mistakeWarnings(
    plan,
    absentPathWarnings(plan.profile, result.candidates),
    columnStats(plan, result),
    rescaledScores(plan, result),
  ),
  ...packAndReportWarnings(plan, result),
];

/** What was aggregated of all candidates of a stream. */
interface StreamFacts {
  readonly columns: readonly ColumnStats[];
  readonly rescaled: RescaledScores;
}

/** The warnings of a stream. Duplicate ids and packing are those of the retained candidates, because the others' ids are not kept. */
export const streamWarnings = (
  plan: Plan,
  absent: readonly Problem[],
  { columns, rescaled }: StreamFacts,
  retained: RunResult,
): readonly Problem[] => [
  ...duplicateIdWarnings(plan, retained.candidates, 'of those that may be selected'),
  ...mistakeWarnings(plan, absent, columns, rescaled),
  ...packAndReportWarnings(plan, retained),
];
