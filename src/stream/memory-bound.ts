import { type Problem, toAssizeError } from '../diagnostics/index.js';
import { entriesNeedingAll, hasMemory, type Profile } from '../profile/index.js';

/**
 * The problems that keep a profile from ranking a stream in bounded memory, each with its place; none where it can.
 *
 * @param top how many of the selected are wanted; all by default
 */
export function unboundedProblems(profile: Profile, top: number | undefined): readonly Problem[] {
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
  if (fallback.length > 0) problems.push(problem('a fallback may be any of the candidates', 'fallback', all));
  if (reports.length > 0) problems.push(problem('a report sees the ranking as a whole', 'report', all));
  const after = select.pack ? 'pack' : select.place && 'place';
  if (select.top === undefined && after !== undefined) {
    const { path, place } = select[after] ?? {};
    problems.push(
      problem(`${after} sees all that is selected`, path ?? after, 'select: { top: 100 } bounds it', place),
    );
  } else if (select.top === undefined && top === undefined) {
    problems.push(
      problem('it selects all that are scored', 'select', 'select: { top: 100 } bounds it, or the call: { top: 100 }'),
    );
  }
  return problems;
}

/**
 * How many rows of a stream must be retained.
 *
 * @throws AssizeError (ASZ518) where their number is not bounded
 */
export function retainedLimit(profile: Profile, top: number | undefined): number {
  const problems = unboundedProblems(profile, top);
  if (problems.length > 0) throw toAssizeError(problems);
  const { top: selected = Number.POSITIVE_INFINITY, pack, place } = profile.select;
  return pack || place ? selected : Math.min(selected, top ?? Number.POSITIVE_INFINITY);
}
