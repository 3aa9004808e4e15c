import { type Problem, truncateMiddle } from '../base/index.js';
import { dateFactsOf } from '../data/index.js';
import {
  positionName,
  type ActiveScorer,
  CandidateNames,
  leavesRange,
  ownIdOf,
  pinnedOnPage,
  type Plan,
  resolveScore,
  type RunResult,
  wasEvaluated,
} from '../engine/index.js';
import { combineFacts, type Profile, readsWeights } from '../profile/index.js';
import { selectorNoteText } from './explain/reason-text.js';
import {
  absentContextWarnings,
  absentPathWarnings,
  failedInputWarnings,
  infiniteDateWarnings,
  misplacedOptionWarnings,
  warningAbout,
} from './input-warnings.js';
import { refusedRows } from './result-rows.js';
import { type RefusedCount, refusedCounts, type TopCounts } from './rows.js';

/** The maximum number of duplicate ids to name. In a file that was read twice, every id is duplicate. */
const MAX_NAMED_IDS = 20;

/** The maximum width of an id in a message. */
const MAX_ID_WIDTH = 80;

/** The maximum number of positions to name for one id. */
const MAX_POSITIONS = 5;

/**
 * @param among what the message calls the counted candidates
 * @param positionOf the position of a candidate among all candidates
 */
function duplicateIdWarnings(
  { shared }: CandidateNames,
  among = 'candidates',
  positionOf = (position: number): number => position,
): Problem[] {
  const problems = Array.from(shared)
    .slice(0, MAX_NAMED_IDS)
    .map(([id, positions]) => {
      const named = positions.slice(0, MAX_POSITIONS).map((position) => positionName(positionOf(position)));
      const rest = positions.length > MAX_POSITIONS ? ' …' : '';
      const name = truncateMiddle(id, MAX_ID_WIDTH);
      return warningAbout({}, 'ASZ711', `${positions.length} ${among} have the id ${name}: ${named.join(', ')}${rest}`);
    });
  const more = shared.size - problems.length;
  return more > 0 ? [...problems, warningAbout({}, 'ASZ711', `${more} more ids belong to several`)] : problems;
}

/**
 * Whether an entry returned no number for the first selected candidates (or the first candidates, if none is selected).
 * A few rows are enough, because a missing context variable affects all candidates.
 */
function gaveNothing(plan: Plan, result: RunResult, id: string): boolean {
  const { scored, context, candidates, kept, verdicts } = result;
  const scorer = scored.scoring.active.find(({ entry }) => entry.id === id);
  if (scorer) {
    if (scorer.failed) return false;
    const { rows: selected } = firstSelected(plan, result);
    const rows = selected.length > 0 ? selected : Array.from(kept.keys()).slice(0, FIRST_SELECTED);
    const evaluated = rows.filter((row) => wasEvaluated(scorer, row));
    const gave = (position: number, row: number): boolean =>
      verdicts[position] === 0 && Number.isFinite(valueOf(scorer, candidates[position], row));
    return evaluated.length > 0 && !evaluated.some((row) => gave(kept[row]!, row));
  }
  const measured = context.measures[id];
  return measured !== undefined && measured.length > 0 && measured.every((value) => Number.isNaN(value));
}

/** Fields and variables that the profile reads and the run lacks. */
function missingInputWarnings(plan: Plan, absent: readonly Problem[], result: RunResult): Problem[] {
  // An entry that reads an absent field already has a warning.
  const readsAbsent = new Set(absent.filter(({ code }) => code !== 'ASZ725').map(({ path }) => path));
  const { context } = result.context;
  return plan.current.enter(result.context, () => [
    ...absent,
    ...absentContextWarnings(
      plan.profile,
      context,
      (id, path) => !readsAbsent.has(path) && gaveNothing(plan, result, id),
    ),
    ...misplacedOptionWarnings(plan.loaded, context),
  ]);
}

/**
 * Warns about each scorer that left its range for one of the first selected candidates, if its `out_of_range` is
 * `warn`. `scoreWarnings` checks all candidates.
 */
function outOfRangeWarnings(plan: Plan, result: RunResult, nameAt: (position: number) => string): Problem[] {
  const { scored, candidates, kept } = result;
  const watched = scored.scoring.active.filter(
    ({ entry, failed }) => !failed && entry.range && entry.outOfRange === 'warn',
  );
  if (watched.length === 0) return [];
  const { rows } = firstSelected(plan, result);
  return plan.current.enter(result.context, () =>
    watched.flatMap((scorer) => {
      const { entry } = scorer;
      const range = entry.range!;
      const outside = rows.flatMap((row) => {
        const value = wasEvaluated(scorer, row) ? valueOf(scorer, candidates[kept[row]!], row) : undefined;
        return value !== undefined && leavesRange(range, value) ? [{ value, position: kept[row]! }] : [];
      });
      const [first] = outside;
      if (!first) return [];
      const where = `${first.value} for ${nameAt(first.position)}`;
      const message = `${entry.id} was outside its range of ${range[0]} to ${range[1]} for ${outside.length} of the first selected: ${where}`;
      return [warningAbout(entry, 'ASZ713', message, 'out_of_range: clamp limits it')];
    }),
  );
}

/** The warnings of selectors and of the reports. */
const selectorAndReportWarnings = (
  plan: Plan,
  { arrangement, reports }: Pick<RunResult, 'arrangement' | 'reports'>,
): Problem[] => [
  ...(arrangement?.warnings ?? []).map(({ stage, message }) =>
    warningAbout(plan.profile.select[stage] ?? {}, 'ASZ514', message),
  ),
  ...reports.warnings.map((message) => warningAbout({}, 'ASZ715', message)),
];

/** Problems that leave a run without a result. Listed first, because they make the others irrelevant. */
function nothingLeftWarnings(plan: Plan, result: RunResult, names: CandidateNames): Problem[] {
  if (result.totals.length > 0) return nothingPackedWarnings(plan, result, (position) => names.nameAt(position));
  const refused = refusedCounts([...refusedRows(plan, result)]);
  return refusedAllWarnings(plan.profile, result.candidates.length, refused, names);
}

/** Probable mistakes that a run shows. Computed only when a caller reads them. */
export const runWarnings = (plan: Plan, result: RunResult, names: CandidateNames): readonly Problem[] => [
  ...nothingLeftWarnings(plan, result, names),
  ...duplicateIdWarnings(names),
  ...missingInputWarnings(
    plan,
    [
      ...absentPathWarnings(plan.profile, result.candidates),
      ...infiniteDateWarnings(plan.profile, dateFactsOf(result.candidates)?.infinite()),
    ],
    result,
  ),
  ...outOfRangeWarnings(plan, result, (position) => names.nameAt(position)),
  ...thinScoreWarnings(plan, result, (position) => names.nameAt(position)),
  ...failedInputWarnings(plan.profile, result.failures.list()),
  ...selectorAndReportWarnings(plan, result),
];

/** Facts about all candidates of a stream. */
interface StreamFacts {
  /** The positions of the retained candidates. */
  readonly positions: readonly number[];
  readonly counts: TopCounts;
  readonly refused: readonly RefusedCount[];
}

/** The warnings of a stream. Duplicate ids are found only among the retained candidates, because other ids are not kept. */
export const streamWarnings = (
  plan: Plan,
  absent: readonly Problem[],
  retained: RunResult,
  { positions, counts, refused }: StreamFacts,
): readonly Problem[] => {
  const names = new CandidateNames(plan.profile, retained.candidates);
  const nameAt = (position: number): string => {
    const index = positions[position]!;
    const id = ownIdOf(plan.profile, retained.candidates[position]) ?? positionName(index);
    return names.nameOf({ id, index });
  };
  const nothingRanked = counts.ranked === 0;
  return [
    ...(nothingRanked ? refusedAllWarnings(plan.profile, counts.given, refused, names) : []),
    ...nothingPackedWarnings(plan, retained, nameAt),
    ...duplicateIdWarnings(names, 'of those that may be selected', (position) => positions[position]!),
    ...missingInputWarnings(plan, absent, retained),
    ...failedInputWarnings(plan.profile, retained.failures.list()),
    ...outOfRangeWarnings(plan, retained, nameAt),
    ...thinScoreWarnings(plan, retained, nameAt),
    ...selectorAndReportWarnings(plan, retained),
  ];
};

/**
 * Warns if no candidate is ranked and one entry refused at least half of them because it failed or had no value.
 *
 * @param given the number of candidates
 */
function refusedAllWarnings(
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
  const otherwise = isVeto
    ? `set ${key}: pass to keep them`
    : `set ${key}: skip to ignore ${by}, or a number to use instead`;
  const fix = / needs (?:a number|numbers), found the string "[^"]*\d/.test(example.reason)
    ? `convert the texts to numbers, as in double(replace(candidate.FIELD, "€", ""))`
    : 'fix the values that it reads';
  const hint = entry ? `${fix}, or ${otherwise}` : undefined;
  const message = `nothing is ranked: ${what}; ${names.nameOf(example)}: ${example.reason}`;
  return [warningAbout(entry ?? {}, 'ASZ721', message, hint)];
}

/** Warns if nothing is packed because no candidate has a cost. */
function nothingPackedWarnings(plan: Plan, result: RunResult, nameAt: (position: number) => string): Problem[] {
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
  const hint = failed.length > 0 ? undefined : `set the fields that ${entry.cost.source} reads on each candidate`;
  return [warningAbout({ path: 'select.pack.cost', place: entry.place }, 'ASZ722', message, hint)];
}

const numeral = (n: number): string => n.toLocaleString('en-US');

/** Whether one of these scorers left its range and its `out_of_range` is `warn`. Then the upper bounds may be wrong. */
export function anyOutOfRange(plan: Plan, part: RunResult, ids: readonly string[]): boolean {
  const { candidates, kept, scored } = part;
  const leaves = (scorer: ActiveScorer): boolean => {
    const { id, range, outOfRange: policy } = scorer.entry;
    if (scorer.failed || range === undefined || policy !== 'warn' || !ids.includes(id)) return false;
    return kept.some((position, row) => {
      const value = wasEvaluated(scorer, row) ? valueOf(scorer, candidates[position], row) : undefined;
      return value !== undefined && leavesRange(range, value);
    });
  };
  return plan.current.enter(part.context, () => scored.scoring.active.some(leaves));
}

/** The number that a scorer returns; undefined if it abstains, throws, or returns something else. */
export function valueOf({ raw }: ActiveScorer, candidate: unknown, row: number): number | undefined {
  try {
    const value: unknown = raw(candidate, row);
    return typeof value === 'number' ? value : undefined;
  } catch {
    return undefined; // The run has already reported this failure.
  }
}

/** The number of selected candidates that warnings examine. */
const FIRST_SELECTED = 10;

/**
 * Warns if less than half of the weight contributes to the score of one of the first selected candidates, because
 * entries were skipped. If the combine method does not use weights, all scorers count the same. Scores only these rows
 * again.
 *
 * @param nameAt the name of the candidate at a position
 */
function thinScoreWarnings(plan: Plan, result: RunResult, nameAt: (position: number) => string): Problem[] {
  const { scored, candidates, kept } = result;
  const { combine } = plan.profile;
  // A formula that reads a missing scorer leaves the candidate unscored.
  if (scored.partial.size === 0 || combineFacts(combine).effect === 'none') return [];
  const { active, weightsOf } = scored.scoring;
  const weighs = readsWeights(combine);
  const skipped = new Map<string, number>();
  const { rows: first, of } = firstSelected(plan, result);
  const named = plan.current.enter(result.context, () =>
    first.flatMap((row): string[] => {
      const position = kept[row]!;
      const candidate = candidates[position];
      if (!scored.partial.has(row)) return [];
      const weights = weighs ? weightsOf(candidate, row) : undefined;
      const terms = active.map((scorer, k) => ({
        id: scorer.entry.id,
        weight: Math.abs(weights ? weights[k]! : 1),
        isPresent: resolveScore(scorer, candidate, row).value !== undefined,
      }));
      const sum = (some: typeof terms): number => some.reduce((total, { weight }) => total + weight, 0);
      const share = sum(terms.filter(({ isPresent }) => isPresent)) / sum(terms);
      if (!(share < 0.5)) return [];
      const missing = terms.filter(({ isPresent, weight }) => !isPresent && weight > 0);
      for (const { id } of missing) skipped.set(id, (skipped.get(id) ?? 0) + 1);
      const percent = Number((share * 100).toPrecision(2));
      return [`${nameAt(position)} (${percent} %, without ${missing.map(({ id }) => id).join(', ')})`];
    }),
  );
  if (named.length === 0) return [];
  const subject = named.length === 1 ? 'rests' : 'rest';
  const message = `${named.length} of the first ${of} selected ${subject} on less than half of the ${weighs ? 'weight' : 'scorers'}: ${named.join('; ')}`;
  const hint =
    'to penalize missing values, set on_absent (or on_error, if it failed) to refuse or to a number such as 0';
  const [most] = [...skipped].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return [warningAbout(plan.profile.scorers.find(({ id }) => id === most) ?? {}, 'ASZ720', message, hint)];
}

/** The scored rows (`rows`) among the first selected candidates, whose number including pinned ones is `of`. */
function firstSelected(
  plan: Plan,
  { arrangement, pinned, selected, rows }: RunResult,
): { readonly rows: readonly number[]; readonly of: number } {
  const before = arrangement ? 0 : Math.min(FIRST_SELECTED, pinnedOnPage(plan, pinned).length);
  const first = arrangement
    ? arrangement.order.slice(0, FIRST_SELECTED).map(({ index }) => arrangement.rowOf.get(index))
    : Array.from(selected.rows.subarray(0, FIRST_SELECTED - before));
  return {
    rows: first.flatMap((row) => (row === undefined ? [] : [rows?.[row] ?? row])),
    of: before + first.length,
  };
}
