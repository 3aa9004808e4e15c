import { type AssizeError, type Problem, toAssizeError } from '../../diagnostics/index.js';
import type { Profile, ProfileLocation, Use } from '../../profile/index.js';
import { entryLocation } from './entry-location.js';
import type { Pending } from '../tasks/task.js';

/** A call without a promise, and the one with. */
export type SyncCall =
  | { readonly call: 'rankSync'; readonly instead: 'rank' }
  | { readonly call: 'scoreSync'; readonly instead: 'score' }
  | { readonly call: 'reweigh'; readonly instead: 'whatIf' };

const problem = (
  { call, instead }: SyncCall,
  what: string,
  why: string,
  location: ProfileLocation | undefined,
): Problem => ({
  code: 'ASZ516',
  message: `${call} does not wait, and ${what} does: ${why}`,
  ...(location && { path: location.path, place: location.place }),
  hint: `await ${instead}(), which gives the same once everything is there`,
});

/** The error of a run that must not wait and would have to. */
export function requiresAsync(profile: Profile, how: SyncCall, { stage, entry }: Pending): AssizeError {
  const what = `the ${stage} entry ${entry}`;
  return toAssizeError([problem(how, what, 'what it gave is a promise', entryLocation(profile, stage, entry))]);
}

/**
 * Refuses a profile whose runs surely wait, before anything runs. What only may wait, because its `when` decides or its
 * method is not declared `async`, is found when it does.
 *
 * @throws AssizeError naming every entry that waits
 */
export function checkSync(profile: Profile, how: SyncCall): void {
  const { signals, vetoes, measures, scorers, reports, select } = profile;
  const perCandidate = [...vetoes, ...measures, ...scorers];
  const problems = perCandidate.flatMap(({ id, memory }) =>
    memory ? problem(how, `the memory of ${id}`, 'it lives in a file', memory) : [],
  );
  const entries = [...signals, ...perCandidate, ...(how.call === 'rankSync' ? reports : [])];
  for (const { id, use, when, path, place } of entries) {
    if (when === undefined && surelyWaits(use)) problems.push(problem(how, `entry ${id}`, ASYNC, { path, place }));
  }
  for (const one of how.call === 'rankSync' ? [select.diversify, select.pack, select.place] : []) {
    if (one && surelyWaits(one.use)) problems.push(problem(how, `the class ${one.use.name}`, ASYNC, one));
  }
  if (problems.length > 0) throw toAssizeError(problems);
}

const ASYNC = 'its prepare is an async function';

/** Whether a use, or one inside it, surely gives a promise. */
export function surelyWaits(use: Use): boolean {
  if (use.kind === 'expr') return false;
  const method: unknown = Reflect.get(use.unit.prototype, 'compile') ?? Reflect.get(use.unit.prototype, 'prepare');
  const isAsync = typeof method === 'function' && Reflect.get(method, Symbol.toStringTag) === 'AsyncFunction';
  return isAsync || [...use.children.values()].some((child) => surelyWaits(child.use));
}

/** The error of a run that would have to begin with the memory of one that is under way. */
export const memoryBusy = (profile: Profile, { call, instead }: SyncCall): AssizeError =>
  toAssizeError([
    {
      code: 'ASZ517',
      message: `${call} cannot begin: profile ${profile.name} remembers, and a run that is under way has not learnt yet`,
      hint: `wait for that run first, or await ${instead}(), which waits for its turn`,
    },
  ]);
