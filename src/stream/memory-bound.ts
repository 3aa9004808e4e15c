import { type Problem, toAssizeError } from '../diagnostics/index.js';
import type { Plan } from '../engine/index.js';
import { entriesNeedingAll, hasMemory, type Profile } from '../profile/index.js';

/** The problems that keep a profile from ranking a stream in bounded memory, each with its place; none where it can. */
export function unboundedProblems(profile: Profile): readonly Problem[] {
  const { select, fallback, reports } = profile;
  const problem = (reason: string, path: string, hint?: string, place?: Problem['place']): Problem => {
    return { code: 'ASZ518', message: `profile ${profile.name} cannot rank a stream: ${reason}`, path, place, hint };
  };
  const all = 'collect them, and rank them';
  const problems = entriesNeedingAll(profile).map(({ id, path, place, use }) =>
    problem(`${id} ${hasMemory(use) ? 'remembers what it saw' : 'needs all candidates at once'}`, path, all, place),
  );
  if (select.duplicates) {
    problems.push(problem('to know what ranks below a duplicate takes every score', 'select.duplicates', all));
  }
  if (select.per) {
    problems.push(problem('to know what ranks among those of a full group takes every score', 'select.per', all));
  }
  if (select.diversify) {
    const reason = 'to know how unlike the chosen a candidate is takes every candidate';
    problems.push(problem(reason, 'select.diversify', all, select.diversify.place));
  }
  if (fallback.length > 0) problems.push(problem('a fallback may be any of the candidates', 'fallback', all));
  if (reports.length > 0) problems.push(problem('a report sees the ranking as a whole', 'report', all));
  if (select.top === undefined) {
    const hint = 'select: { top: 100 } bounds it, or the call: { top: 100 }';
    problems.push(problem('it selects all that are scored', 'select', hint));
  }
  return problems;
}

/** @throws AssizeError (ASZ518) where a profile cannot rank a stream in bounded memory */
export function checkBounded(profile: Profile): void {
  const problems = unboundedProblems(profile);
  if (problems.length > 0) throw toAssizeError(problems);
}

/** How many of the best rows of a stream must be retained: those of the earlier pages, too. */
export const retainedCount = ({ select: { top = Infinity, offset } }: Pick<Plan, 'select'>): number => offset + top;
