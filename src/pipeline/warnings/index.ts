import type { Problem } from '../../contract/index.js';
import type { Plan } from '../compile/plan.js';
import { idOf } from '../ids.js';
import type { Outcome } from '../outcome.js';
import { absentPaths } from './absent-paths.js';
import { alike, type ColumnFacts, columnsOf, outOfRange } from './columns.js';
import { about } from './warning.js';

/** So many ids are named that several have: a file that was read twice has no others. */
const MOST_NAMED = 20;

/** @param among whom one of several has an id, in words */
function duplicateIds(plan: Plan, candidates: readonly unknown[], among = 'candidates'): Problem[] {
  const seen = new Map<string, number>();
  for (const [index, candidate] of candidates.entries()) {
    const id = idOf(plan.profile, candidate, index);
    seen.set(id, (seen.get(id) ?? 0) + 1);
  }
  const twice = [...seen].filter(([, count]) => count > 1);
  const problems = twice
    .slice(0, MOST_NAMED)
    .map(([id, count]) => about({}, 'ASZ711', `${count} ${among} have the id ${id}`));
  const more = twice.length - problems.length;
  return more > 0 ? [...problems, about({}, 'ASZ711', `${more} more ids belong to several`)] : problems;
}

/** What is surely a mistake by what the candidates have, and what the scorers gave them. */
function surelyMistaken(plan: Plan, absent: readonly Problem[], columns: readonly ColumnFacts[]): Problem[] {
  // Who reads what nobody has is told so; that it cannot tell them apart follows.
  const blind = new Set(absent.map(({ path }) => path));
  const { profile } = plan;
  return [
    ...absent,
    ...outOfRange(profile, columns),
    ...alike(profile, columns).filter(({ path }) => !blind.has(path)),
  ];
}

/** What packing, and the reports, warn of. */
const toldWarnings = (plan: Plan, { arranged, reports }: Pick<Outcome, 'arranged' | 'reports'>): Problem[] => [
  ...(arranged?.warnings ?? []).map((message) => about(plan.pack?.entry ?? {}, 'ASZ514', message)),
  ...reports.warnings.map((message) => about({}, 'ASZ715', message)),
];

/** What is legal and surely a mistake. Found when somebody reads it: a run pays nothing for it. */
export const warningsOf = (plan: Plan, outcome: Outcome): readonly Problem[] => [
  ...duplicateIds(plan, outcome.candidates),
  ...surelyMistaken(plan, absentPaths(plan.profile, outcome.candidates), columnsOf(plan, outcome)),
  ...toldWarnings(plan, outcome),
];

/** The same of a stream. Nobody holds all its ids: those, and what packing warns of, are of the candidates that are held. */
export const streamWarnings = (
  plan: Plan,
  absent: readonly Problem[],
  columns: readonly ColumnFacts[],
  held: Outcome,
): readonly Problem[] => [
  ...duplicateIds(plan, held.candidates, 'of those that may be selected'),
  ...surelyMistaken(plan, absent, columns),
  ...toldWarnings(plan, held),
];
