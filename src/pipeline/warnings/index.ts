import type { Problem } from '../../contract/index.js';
import { absentPaths } from './absent-paths.js';
import { alike, type ColumnFacts, columnsOf, outOfRange } from './columns.js';
import type { Plan } from '../compile/plan.js';
import { idOf } from '../ids.js';
import type { Outcome } from '../outcome.js';
import { about } from './warning.js';

function duplicateIds(plan: Plan, candidates: readonly unknown[]): Problem[] {
  const seen = new Map<string, number>();
  for (const [index, candidate] of candidates.entries()) {
    const id = idOf(plan.profile, candidate, index);
    seen.set(id, (seen.get(id) ?? 0) + 1);
  }
  return [...seen]
    .filter(([, count]) => count > 1)
    .map(([id, count]) => about({}, 'ASZ711', `${count} candidates have the id ${id}`));
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

/** The same of a stream, whose ids nobody holds: what packing warns of is that of the held ones. */
export const streamWarnings = (
  plan: Plan,
  absent: readonly Problem[],
  columns: readonly ColumnFacts[],
  held: Outcome,
): readonly Problem[] => [...surelyMistaken(plan, absent, columns), ...toldWarnings(plan, held)];
