import type { Problem } from '../../diagnostics/problem.js';
import { idOf } from '../../engine/candidate-id.js';
import type { Plan } from '../../engine/plan.js';
import type { RunResult } from '../../engine/run-state.js';
import { absentPathWarnings } from './absent-paths.js';
import { type ColumnStats, columnStats, constantScoreWarnings, outOfRangeWarnings } from './column-stats.js';
import { warningAbout } from './warning.js';

/** So many ids are named that several have: a file that was read twice has no others. */
const MAX_NAMED_IDS = 20;

/** @param among whom one of several has an id, in words */
function duplicateIdWarnings(plan: Plan, candidates: readonly unknown[], among = 'candidates'): Problem[] {
  const seen = new Map<string, number>();
  for (const [index, candidate] of candidates.entries()) {
    const id = idOf(plan.profile, candidate, index);
    seen.set(id, (seen.get(id) ?? 0) + 1);
  }
  const twice = [...seen].filter(([, count]) => count > 1);
  const problems = twice
    .slice(0, MAX_NAMED_IDS)
    .map(([id, count]) => warningAbout({}, 'ASZ711', `${count} ${among} have the id ${id}`));
  const more = twice.length - problems.length;
  return more > 0 ? [...problems, warningAbout({}, 'ASZ711', `${more} more ids belong to several`)] : problems;
}

/** What is surely a mistake by what the candidates have, and what the scorers gave them. */
function mistakeWarnings(plan: Plan, absent: readonly Problem[], columns: readonly ColumnStats[]): Problem[] {
  // Who reads what nobody has is told so; that it cannot tell them apart follows.
  const blind = new Set(absent.map(({ path }) => path));
  const { profile } = plan;
  return [
    ...absent,
    ...outOfRangeWarnings(profile, columns),
    ...constantScoreWarnings(profile, columns).filter(({ path }) => !blind.has(path)),
  ];
}

/** What packing, and the reports, warn of. */
const packAndReportWarnings = (
  plan: Plan,
  { arrangement, reports }: Pick<RunResult, 'arrangement' | 'reports'>,
): Problem[] => [
  ...(arrangement?.warnings ?? []).map((message) => warningAbout(plan.pack?.entry ?? {}, 'ASZ514', message)),
  ...reports.warnings.map((message) => warningAbout({}, 'ASZ715', message)),
];

/** What is legal and surely a mistake. Found when somebody reads it: a run pays nothing for it. */
export const runWarnings = (plan: Plan, outcome: RunResult): readonly Problem[] => [
  ...duplicateIdWarnings(plan, outcome.candidates),
  ...mistakeWarnings(plan, absentPathWarnings(plan.profile, outcome.candidates), columnStats(plan, outcome)),
  ...packAndReportWarnings(plan, outcome),
];

/** The same of a stream. Nobody holds all its ids: those, and what packing warns of, are of the candidates that are held. */
export const streamWarnings = (
  plan: Plan,
  absent: readonly Problem[],
  columns: readonly ColumnStats[],
  held: RunResult,
): readonly Problem[] => [
  ...duplicateIdWarnings(plan, held.candidates, 'of those that may be selected'),
  ...mistakeWarnings(plan, absent, columns),
  ...packAndReportWarnings(plan, held),
];
