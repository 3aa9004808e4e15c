import type { Problem } from '../../diagnostics/index.js';
import type { CandidateNames, Plan, RunResult } from '../../engine/index.js';
import { selectorNoteText } from '../../explain/index.js';
import type { Profile } from '../../profile/index.js';
import type { RefusedCount } from '../counts.js';
import { warningAbout } from './warning.js';

/**
 * A warning where no candidate is left and one entry refuses at least half of them, not by a veto but because it fails
 * or has no value: it names the entry, how many, the first of them, and what to do.
 *
 * @param refused of all candidates, of which there are `given`
 */
export function refusedAllWarnings(
  profile: Profile,
  given: number,
  refused: readonly RefusedCount[],
  names: CandidateNames,
): Problem[] {
  const [most] = refused.filter(({ kind }) => kind !== 'veto').toSorted((a, b) => b.count - a.count);
  const example = most?.examples[0];
  if (!most || !example || given < 2 || most.count * 2 < given) return [];
  const { by, kind, count } = most;
  const of = `${numeral(count)} of ${numeral(given)} candidates`;
  const what =
    kind === 'unscored'
      ? `no scorer has a number for ${of}`
      : `${by} ${kind === 'error' ? 'fails on' : 'has no value for'} ${of}, and refuses them`;
  const entry = [...profile.vetoes, ...profile.scorers].find(({ id }) => id === by);
  const key = kind === 'absent' ? 'on_absent' : 'on_error';
  const isVeto = profile.vetoes.some(({ id }) => id === by);
  const otherwise = isVeto ? `${key}: pass lets them through` : `${key}: skip leaves ${by} out, and a number stands in`;
  const hint = entry ? `mend what it reads, or ${otherwise}` : undefined;
  const message = `nothing is ranked: ${what}; ${names.nameOf(example)}: ${example.reason}`;
  return [warningAbout(entry ?? {}, 'ASZ721', message, hint)];
}

/** A warning where nothing is packed because no candidate has a cost: with the first of them, and what failed. */
export function nothingPackedWarnings(plan: Plan, result: RunResult, nameAt: (position: number) => string): Problem[] {
  const { arrangement, selected, failures } = result;
  if (!plan.pack || !arrangement || selected.rows.length === 0) return [];
  const { left, order } = arrangement;
  const [first] = left;
  if (!first || order.some(({ pinned }) => !pinned) || left.some(({ reason }) => reason !== 'no_cost')) return [];
  const { entry } = plan.pack;
  const failed = failures.list().filter(({ entry: id }) => entry.cost.reads.includes(`measures.${id}`));
  const causes = failed.map(({ entry: id, cause }) => `; ${id} failed: ${cause}`);
  const example = `${nameAt(first.index)}: ${selectorNoteText(first)}`;
  const message = `nothing is packed: none of ${numeral(left.length)} candidates has a cost; ${example}${causes.join('')}`;
  const hint = failed.length > 0 ? undefined : `give each candidate what ${entry.cost.source} reads`;
  return [warningAbout({ path: 'select.pack.cost', place: entry.place }, 'ASZ722', message, hint)];
}

const numeral = (n: number): string => n.toLocaleString('en-US');
