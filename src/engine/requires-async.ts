import type { AssizeError, Problem } from '../diagnostics/problem.js';
import { toAssizeError } from '../diagnostics/to-assize-error.js';
import type { Profile, ProfileLocation, Use } from '../profile/profile.js';
import { entryLocation } from './entry-location.js';
import type { Pending } from './task.js';

/** What a call does at once, and the call that waits. */
export type SyncCall =
  | { readonly call: 'rankSync'; readonly instead: 'rank' }
  | { readonly call: 'scoreSync'; readonly instead: 'score' };

const problem = (
  { call, instead }: SyncCall,
  what: string,
  why: string,
  standing: ProfileLocation | undefined,
): Problem => ({
  code: 'ASZ516',
  message: `${call} does not wait, and ${what} does: ${why}`,
  ...(standing && { path: standing.path, place: standing.place }),
  hint: `await ${instead}(), which gives the same once everything is there`,
});

/** A run that may not wait has come to what it would have to wait for. */
export function requiresAsync(profile: Profile, how: SyncCall, { stage, entry }: Pending): AssizeError {
  const what = `the ${stage} entry ${entry}`;
  return toAssizeError([problem(how, what, 'what it gave is a promise', entryLocation(profile, stage, entry))]);
}

/**
 * What of a profile has a run wait in any case: known before anything runs. What only may, because its `when` decides
 * or its method is not declared `async`, is found out when it does.
 *
 * @throws AssizeError naming all that waits
 */
export function checkSync(profile: Profile, how: SyncCall): void {
  const { signals, vetoes, measures, scorers, reports, select } = profile;
  const judges = [...vetoes, ...measures, ...scorers];
  const problems = judges.flatMap(({ id, memory }) =>
    memory ? problem(how, `the memory of ${id}`, 'it lives in a file', memory) : [],
  );
  const asked = how.call === 'rankSync' ? [...signals, ...judges, ...reports] : [...signals, ...judges];
  for (const { id, use, when, path, place } of asked) {
    if (when === undefined && surelyWaits(use)) problems.push(problem(how, `entry ${id}`, ASYNC, { path, place }));
  }
  for (const one of how.call === 'rankSync' ? [select.pack, select.place] : []) {
    if (one && surelyWaits(one.use)) problems.push(problem(how, `the class ${one.use.name}`, ASYNC, one));
  }
  if (problems.length > 0) throw toAssizeError(problems);
}

const ASYNC = 'its prepare is an async function';

/** Whether a use, or one inside it, surely gives a promise. */
function surelyWaits(use: Use): boolean {
  if (use.kind === 'expr') return false;
  const method: unknown = Reflect.get(use.unit.prototype, 'compile') ?? Reflect.get(use.unit.prototype, 'prepare');
  const isAsync = typeof method === 'function' && Reflect.get(method, Symbol.toStringTag) === 'AsyncFunction';
  return isAsync || [...use.children.values()].some((child) => surelyWaits(child.use));
}

/** Another run is under way whose memory this one would have to begin with. */
export const memoryBusy = (profile: Profile, { call, instead }: SyncCall): AssizeError =>
  toAssizeError([
    {
      code: 'ASZ517',
      message: `${call} cannot begin: profile ${profile.name} remembers, and a run that is under way has not learnt yet`,
      hint: `wait for that run first, or await ${instead}(), which waits for its turn`,
    },
  ]);
