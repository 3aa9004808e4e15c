import { didYouMean, nameList, type Problem, toAssizeError } from '../../diagnostics/index.js';
import { isExpression } from '../../expression/index.js';
import { combineFacts, type Profile, type ScorerEntry } from '../../profile/index.js';
import type { TuneOptions } from '../tune-options.js';
import type { Tuned } from '../model/weighing.js';

/** A scorer whose weight stays as it is. */
export interface LeftAlone {
  readonly id: string;
  readonly because: string;
}

/**
 * The scorers whose weights are looked for, and those that are left alone.
 *
 * @throws AssizeError where the profile reads no weights (ASZ550), an option names what it does not have (ASZ551), a mean
 *   should get negative weights (ASZ552), or nothing is left to tune (ASZ553)
 */
export function tunedEntries(
  profile: Profile,
  options: Pick<TuneOptions, 'only' | 'case' | 'signed' | 'curved'>,
): { readonly tuned: Tuned; readonly left: readonly LeftAlone[] } {
  const { name, combine, scorers } = profile;
  const facts = combineFacts(combine);
  if (facts.weights === 'none')
    throw problem('ASZ550', `profile ${name} combines by ${facts.label}, which reads no weights`);
  if (options.signed === true && facts.weights === 'relative') {
    const hint = 'combine by weighted_sum, or fit curves: one that falls takes the place of a negative weight';
    throw problem('ASZ552', `a ${facts.label} has no negative weights`, hint);
  }
  const ids = scorers.map(({ id }) => id);
  const unknown = [...(options.only ?? []), ...(options.curved ?? [])].find((id) => !ids.includes(id));
  if (unknown !== undefined) {
    throw problem(
      'ASZ551',
      `the profile has no scorer ${unknown}`,
      didYouMean(unknown, ids, `there is: ${nameList(ids)}`),
    );
  }
  const byId = caseOf(profile, options.case);
  const isTuned = (entry: ScorerEntry): boolean => reasonToLeave(entry, options.only, byId) === undefined;
  const entries = scorers.filter(isTuned);
  if (entries.length === 0) throw problem('ASZ553', `profile ${name} has no scorer whose weight could be tuned`);
  const left = scorers.flatMap((entry) => {
    const because = reasonToLeave(entry, options.only, byId);
    return because === undefined ? [] : [{ id: entry.id, because }];
  });
  return { tuned: { entries, case: options.case }, left };
}

function reasonToLeave(
  { id, weight }: ScorerEntry,
  only: readonly string[] | undefined,
  byId: ReadonlyMap<string, number> | undefined,
): string | undefined {
  if (byId ? !byId.has(id) : isExpression(weight)) {
    return byId ? 'the case has no weight for it' : 'its weight is an expression';
  }
  return only && !only.includes(id) ? 'it was not asked for' : undefined;
}

function caseOf({ name, weights }: Profile, wanted: string | undefined): ReadonlyMap<string, number> | undefined {
  if (wanted === undefined) return undefined;
  const byId = weights?.cases.get(wanted);
  if (byId) return byId;
  const cases = [...(weights?.cases.keys() ?? [])];
  const hint =
    cases.length > 0 ? didYouMean(wanted, cases, `there is: ${nameList(cases)}`) : 'it has no weights by case';
  throw problem('ASZ551', `profile ${name} has no case ${wanted}`, hint);
}

const problem = (code: Problem['code'], message: string, hint?: string): Error =>
  toAssizeError([{ code, message, hint }]);
