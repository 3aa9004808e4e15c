import type { Problem } from '../../contract/index.js';
import type { Expression } from '../../expression/expression.js';
import type { Use } from '../../profile/profile.js';
import { isAsked, leavesRange } from '../../stages/settle.js';
import { absentPaths } from './absent-paths.js';
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

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

function outOfRange(plan: Plan, { scored, kept, candidates, state }: Outcome): Problem[] {
  plan.cell.state = state;
  return scored.scoring.runs.flatMap((run) => {
    const { id, range, outOfRange: policy } = run.entry;
    if (!range || policy !== 'warn' || run.failed) return [];
    let count = 0;
    let first: string | undefined;
    for (let row = 0; row < kept.length; row++) {
      if (!isAsked(run, row)) continue;
      const position = kept[row]!;
      const value = valueOf(() => run.raw(candidates[position], row));
      if (value === undefined || !leavesRange(range, value)) continue;
      count += 1;
      first ??= `${value} for ${idOf(plan.profile, candidates[position], position)}`;
    }
    if (first === undefined) return [];
    const message = `${id} left its range of ${range[0]} to ${range[1]} ${times(count)}: ${first}`;
    return [about(run.entry, 'ASZ713', message, 'out_of_range: clamp bounds it')];
  });
}

/** Whether an expression reads what differs from candidate to candidate. */
const tellsApart = ({ readsCandidate, reads }: Expression): boolean =>
  readsCandidate || reads.some((name) => /^measures\b/.test(name));

/**
 * Whether a use is there to tell candidates apart. What a signal says is rightly the same for all of them, and so may be
 * what a class gives that sees the run: one that judges the turn, say, unless its params say what it reads of them.
 */
function judgesCandidates(use: Use): boolean {
  if (use.kind === 'expr') return tellsApart(use.expression);
  const { paths, expressions, children, unit } = use;
  const compile: unknown = Reflect.get(unit.prototype, 'compile');
  const seesThemAlone = typeof compile === 'function' && compile.length < 2; // it does not ask for `live`
  return (
    (seesThemAlone && children.size === 0) ||
    paths.length > 0 ||
    expressions.some(tellsApart) ||
    [...children.values()].some((child) => judgesCandidates(child.use))
  );
}

/** A scorer that tells nobody apart decides nothing, whatever it weighs. */
function alike(plan: Plan, { scored, kept, candidates, state }: Outcome): Problem[] {
  if (kept.length < 2) return [];
  plan.cell.state = state;
  return scored.scoring.runs.flatMap((run) => {
    if (run.failed || !judgesCandidates(run.entry.use)) return [];
    const valueAt = (row: number): number | undefined => valueOf(() => run.raw(candidates[kept[row]!], row));
    let count = 0;
    let first: number | undefined;
    for (let row = 0; row < kept.length; row++) {
      if (!isAsked(run, row)) continue;
      const value = valueAt(row);
      if (!Number.isFinite(value) || (count > 0 && value !== first)) return [];
      first = value;
      count += 1;
    }
    if (count < 2) return [];
    const message = `${run.entry.id} gave all ${count} candidates the same: ${Number(first?.toPrecision(4))}`;
    return [about(run.entry, 'ASZ714', message)];
  });
}

function valueOf(ask: () => number | undefined): number | undefined {
  try {
    return ask();
  } catch {
    return undefined; // settled and listed as degraded already
  }
}

/** What is legal and surely a mistake. Found when somebody reads it: a run pays nothing for it. */
export function warningsOf(plan: Plan, outcome: Outcome): readonly Problem[] {
  const { candidates } = outcome;
  const absent = absentPaths(plan.profile, candidates);
  // Who reads what nobody has is told so; that it cannot tell them apart follows.
  const blind = new Set(absent.map(({ path }) => path));
  return [
    ...duplicateIds(plan, candidates),
    ...absent,
    ...outOfRange(plan, outcome),
    ...alike(plan, outcome).filter(({ path }) => !blind.has(path)),
    ...(outcome.arranged?.warnings ?? []).map((message) => about(plan.pack?.entry ?? {}, 'ASZ514', message)),
    ...outcome.reports.warnings.map((message) => about({}, 'ASZ715', message)),
  ];
}
