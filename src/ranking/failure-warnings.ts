import type { Problem } from '../base/index.js';
import type { CandidateNames, Degraded, Plan, RunResult } from '../engine/index.js';
import { labelOf } from '../profile/index.js';
import { warningAbout } from './input-warnings.js';
import { refusedRows } from './result-rows.js';

/** A smaller share of failures is probably an exception in the data, which the run reports anyway. */
const LEAST_SHARE = 0.05;

/** The maximum number of causes that a warning names. */
const MAX_CAUSES = 3;

/**
 * Warns about each veto, measure and scorer that fails on many candidates: its expression probably expects values of
 * another type. The profile is valid, and the ranking of the remaining candidates looks complete.
 *
 * @param warnings the warnings of the run, to ignore an entry that already has one because nothing is ranked
 */
export function failureWarnings(
  plan: Plan,
  result: RunResult,
  names: CandidateNames,
  warnings: readonly Problem[],
): readonly Problem[] {
  const { profile } = plan;
  const given = result.candidates.length;
  const named = new Set(warnings.filter(({ code }) => code === 'ASZ721').map(({ path }) => path));
  return result.failures.list().flatMap((failure): Problem[] => {
    const { entry: id, stage, count, instead } = failure;
    const entry = [...profile.vetoes, ...profile.measures, ...profile.scorers].find((one) => one.id === id);
    if (!entry || stage === 'signals' || count < given * LEAST_SHARE || named.has(entry.path)) return [];
    const causes = instead === 'refused' ? refusalCauses(plan, result, names, id) : degradedCauses(failure);
    const most = causes
      .slice(0, MAX_CAUSES)
      .map(({ text, count: times }) => (causes.length === 1 ? text : `${text} (${times})`));
    const more = causes.length > most.length ? '; …' : '';
    const effect = instead === 'refused' ? ', and refuses them' : '';
    const message = `${labelOf(profile.labels, id)} fails on ${count} of ${given} candidates${effect}: ${most.join('; ')}${more}`;
    const ignore = stage === 'veto' ? 'pass to keep them' : 'skip to ignore it there';
    const hint = `fix or convert the values that it reads: double(…), string(…), date(…)${instead === 'refused' ? `; or set on_error: ${ignore}` : ''}`;
    return [warningAbout(entry, 'ASZ747', message, hint)];
  });
}

interface Cause {
  readonly text: string;
  readonly count: number;
}

/** The causes of the candidates that an entry refused, each with its first candidate. */
function refusalCauses(plan: Plan, result: RunResult, names: CandidateNames, id: string): readonly Cause[] {
  const causes = new Map<string, { readonly text: string; count: number }>();
  for (const row of refusedRows(plan, result)) {
    if (row.kind !== 'error' || row.by !== id) continue;
    const known = causes.get(shapeOf(row.reason));
    if (known) known.count += 1;
    else causes.set(shapeOf(row.reason), { text: `${names.nameOf(row)}: ${row.reason}`, count: 1 });
  }
  return mostFrequent(causes);
}

/** The causes that the run counted. It does not keep the candidates of other failures than refusals. */
function degradedCauses({ cause: first, count: all, causes: counted = [{ cause: first, count: all }] }: Degraded) {
  const causes = new Map<string, { readonly text: string; count: number }>();
  for (const { cause, count } of counted) {
    const known = causes.get(shapeOf(cause));
    if (known) known.count += count;
    else causes.set(shapeOf(cause), { text: cause, count });
  }
  return mostFrequent(causes);
}

const mostFrequent = (causes: ReadonlyMap<string, Cause>): readonly Cause[] =>
  [...causes.values()].toSorted((a, b) => b.count - a.count);

/** A message without the values of the candidate, so that the same mistake in many values is one cause. */
const shapeOf = (message: string): string => message.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/-?\d[\d.e+-]*/g, '0');
