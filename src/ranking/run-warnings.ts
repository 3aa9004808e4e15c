import { dateFactsOf } from '../data/index.js';
import { closestName, type Problem } from '../base/index.js';
import { CandidateNames, ownIdOf, type Plan, type RunResult, keyText } from '../engine/index.js';
import { selectorNoteText } from './explain/reason-text.js';
import { isAdditive, type Profile, type ScorerEntry } from '../profile/index.js';
import {
  absentContextWarnings,
  absentPathWarnings,
  failedInputWarnings,
  infiniteDateWarnings,
  warningAbout,
  type WarningSubject,
} from './input-warnings.js';
import { refusedRows } from './result-rows.js';
import { type RefusedCount, refusedCounts, type TopCounts } from './rows.js';
import {
  type ColumnStats,
  columnStats,
  constantScoreWarnings,
  outOfRangeWarnings,
  type RescaledScores,
  rescaledScores,
  rescaledWarnings,
  thinScoreWarnings,
} from './score-warnings.js';

/** How many duplicate ids are named: in a file that was read twice every id is one. */
const MAX_NAMED_IDS = 20;

/** How many of the positions of one id are named. */
const MAX_POSITIONS = 5;

/**
 * @param among      what the counted candidates are called
 * @param positionOf the position of a candidate among all
 */
function duplicateIdWarnings(
  { shared }: CandidateNames,
  among = 'candidates',
  positionOf = (position: number): number => position,
): Problem[] {
  const problems = Array.from(shared)
    .slice(0, MAX_NAMED_IDS)
    .map(([id, positions]) => {
      const named = positions.slice(0, MAX_POSITIONS).map((position) => `#${positionOf(position)}`);
      const rest = positions.length > MAX_POSITIONS ? ' …' : '';
      return warningAbout({}, 'ASZ711', `${positions.length} ${among} have the id ${id}: ${named.join(', ')}${rest}`);
    });
  const more = shared.size - problems.length;
  return more > 0 ? [...problems, warningAbout({}, 'ASZ711', `${more} more ids belong to several`)] : problems;
}

/** Whether a scorer or a measure was evaluated and gave a number to no candidate. */
function gaveNothing(columns: readonly ColumnStats[], { measures }: RunResult['context'], id: string): boolean {
  const column = columns.find((one) => one.id === id);
  if (column) return column.evaluated > 0 && column.most < column.least;
  const measured = measures[id];
  return measured !== undefined && measured.length > 0 && measured.every((value) => Number.isNaN(value));
}

/** Mistakes that show in the candidates' fields and the scorers' numbers. */
function mistakeWarnings(
  plan: Plan,
  absent: readonly Problem[],
  columns: readonly ColumnStats[],
  rescaled: RescaledScores,
  names: CandidateNames,
  { scored, context }: Pick<RunResult, 'scored' | 'context'>,
): Problem[] {
  // An entry that reads an absent field is constant, or gives nothing, for that reason: one warning is enough.
  const readsAbsent = new Set(absent.filter(({ code }) => code !== 'ASZ725').map(({ path }) => path));
  const { profile } = plan;
  return [
    ...absent,
    ...absentContextWarnings(
      profile,
      context.context,
      (id, path) => !readsAbsent.has(path) && gaveNothing(columns, context, id),
    ),
    ...rescaledWarnings(profile, rescaled),
    ...outOfRangeWarnings(profile, columns, names),
    ...rangeImbalanceWarnings(profile, columns, scored.scoring.weights),
    ...constantScoreWarnings(profile, columns).filter(({ path }) => !readsAbsent.has(path)),
  ];
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

/** Problems that leave a run without a result. They come first, because they make the others irrelevant. */
function nothingLeftWarnings(plan: Plan, result: RunResult, names: CandidateNames): Problem[] {
  if (result.totals.length > 0) return nothingPackedWarnings(plan, result, (position) => names.nameAt(position));
  const refused = refusedCounts([...refusedRows(plan, result)]);
  return refusedAllWarnings(plan.profile, result.candidates.length, refused, names);
}

/** Probable mistakes that show in a run. Computed when they are read: a run pays nothing for them. */
export const runWarnings = (plan: Plan, result: RunResult, names: CandidateNames): readonly Problem[] => [
  ...nothingLeftWarnings(plan, result, names),
  ...duplicateIdWarnings(names),
  ...mistakeWarnings(
    plan,
    [
      ...absentPathWarnings(plan.profile, result.candidates),
      ...infiniteDateWarnings(plan.profile, dateFactsOf(result.candidates)?.infinite()),
    ],
    columnStats(plan, result),
    rescaledScores(plan, result),
    names,
    result,
  ),
  ...thinScoreWarnings(plan, result, (position) => names.nameAt(position)),
  ...unmetKeyWarnings(plan, result),
  ...failedInputWarnings(plan.profile, result.failures.list()),
  ...selectorAndReportWarnings(plan, result),
];

/** What is known of the candidates of a stream, which are not all retained. */
interface StreamFacts {
  readonly columns: readonly ColumnStats[];
  readonly rescaled: RescaledScores;
  /** Of the retained ones. */
  readonly positions: readonly number[];
  readonly counts: TopCounts;
  readonly refused: readonly RefusedCount[];
}

/**
 * The warnings of a stream. Duplicate ids and packing are those of the retained candidates, because the others' ids are
 * not kept.
 */
export const streamWarnings = (
  plan: Plan,
  absent: readonly Problem[],
  retained: RunResult,
  { columns, rescaled, positions, counts, refused }: StreamFacts,
): readonly Problem[] => {
  const names = new CandidateNames(plan.profile, retained.candidates);
  const nameAt = (position: number): string => {
    const index = positions[position]!;
    const id = ownIdOf(plan.profile, retained.candidates[position]) ?? `#${index}`;
    return names.nameOf({ id, index });
  };
  const nothingRanked = counts.ranked === 0;
  return [
    ...(nothingRanked ? refusedAllWarnings(plan.profile, counts.given, refused, names) : []),
    ...nothingPackedWarnings(plan, retained, nameAt),
    ...duplicateIdWarnings(names, 'of those that may be selected', (position) => positions[position]!),
    ...mistakeWarnings(plan, absent, columns, rescaled, names, retained),
    ...failedInputWarnings(plan.profile, retained.failures.list()),
    ...thinScoreWarnings(plan, retained, nameAt),
    ...selectorAndReportWarnings(plan, retained),
  ];
};

/**
 * A warning if no candidate is left and one entry refuses at least half of them, not by a veto but because it fails
 * or has no value: it names the entry, how many, the first of them, and what to do.
 *
 * @param refused of all candidates, of which there are `given`
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
  const hint = entry ? `fix the values that it reads, or ${otherwise}` : undefined;
  const message = `nothing is ranked: ${what}; ${names.nameOf(example)}: ${example.reason}`;
  return [warningAbout(entry ?? {}, 'ASZ721', message, hint)];
}

/** A warning if nothing is packed because no candidate has a cost: with the first of them, and what failed. */
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

/** How many times larger and wider the values of one scorer may be than those of another before they outweigh it. */
const IMBALANCE = 5;

/** A scorer of a sum, its values for the ranked candidates, and how far its weighted values spread. */
interface Weighed {
  readonly entry: ScorerEntry;
  readonly least: number;
  readonly most: number;
  readonly magnitude: number;
  readonly spread: number;
}

/**
 * A warning for each scorer of a sum whose values are so much larger than another's, such as 46 to 230 beside 0 to 1,
 * that it alone decides. Ranges that both classes declare are compared when the profile is loaded.
 */
function rangeImbalanceWarnings(profile: Profile, columns: readonly ColumnStats[], weights: Float64Array): Problem[] {
  if (!isAdditive(profile.combine)) return [];
  const weighed = columns.flatMap(({ id, least, most }, k): Weighed[] => {
    const entry = profile.scorers.find((scorer) => scorer.id === id);
    const spread = Math.abs(weights[k] ?? 0) * (most - least);
    if (!entry || !(spread > 0)) return [];
    return [{ entry, least, most, magnitude: Math.max(Math.abs(least), Math.abs(most)), spread }];
  });
  const [first, ...rest] = weighed;
  if (!first) return [];
  const smallest = rest.reduce((one, other) => (other.magnitude < one.magnitude ? other : one), first);
  return weighed.filter((one) => outweighs(one, smallest)).map((one) => imbalanceWarning(one, smallest));
}

function outweighs(one: Weighed, other: Weighed): boolean {
  if (one.entry.range && other.entry.range) return false;
  return one.magnitude >= IMBALANCE * Math.max(1, other.magnitude) && one.spread >= IMBALANCE * other.spread;
}

function imbalanceWarning(one: Weighed, other: Weighed): Problem {
  const message = `${withValues(one)} outweighs ${withValues(other)}, and its weight does not compensate`;
  const hint = 'scale it to the same range with an expression or ScaledScorer, or give it a smaller weight';
  return warningAbout(one.entry, 'ASZ705', message, hint);
}

const withValues = ({ entry, least, most }: Weighed): string =>
  `${entry.id} (${rounded(least)} to ${rounded(most)} here)`;

const rounded = (value: number): number => Number(value.toPrecision(3));

/** How many different values that are no key are searched for what a key may have meant. */
const MAX_UNLISTED = 100;

/** Two shorter keys are easily alike, as the codes of countries are. */
const MIN_TYPO_LENGTH = 4;

/** How many keys or values a message names. */
const MAX_NAMED = 5;

/** What a profile looks up by a value of the candidate: the cases of its weights, a level of a rule's table. */
interface KeyLookup {
  readonly subject: WarningSubject;
  readonly noun: 'case' | 'row';
  /** The expression whose value is the key. */
  readonly source: string;
  readonly keys: ReadonlySet<string>;
  readonly keyOf: (candidate: unknown, row: number) => unknown;
}

/**
 * A warning where candidates have values that are no key, and a key that none of them has is nearly one of these, or no
 * case applies to any of them: most probably a typo, which loading cannot find. Keys that merely do not occur in a run are none.
 */
function unmetKeyWarnings(plan: Plan, result: RunResult): Problem[] {
  return plan.current.enter(result.context, () =>
    lookupsOf(plan).flatMap((lookup) => warningsAbout(lookup, valuesOf(lookup, result))),
  );
}

function lookupsOf({ profile, score, rules }: Plan): readonly KeyLookup[] {
  const { cases } = score;
  const ofWeights: readonly KeyLookup[] =
    cases && cases.by.readsCandidate
      ? [
          {
            subject: { id: 'weights' },
            noun: 'case',
            source: cases.by.source,
            keys: new Set(cases.cases.keys()),
            keyOf: cases.evaluate,
          },
        ]
      : [];
  const ofTables = profile.adjustments.flatMap(({ id, multiply }, k): readonly KeyLookup[] => {
    if (typeof multiply !== 'object' || !('table' in multiply)) return [];
    const keysOf = rules[k]?.multiply?.keys ?? [];
    return multiply.by.flatMap((by, level) => {
      const keyOf = keysOf[level];
      if (!by.readsCandidate || !keyOf) return [];
      const keys = new Set(keysAtLevel(multiply.table, level));
      return [{ subject: { id }, noun: 'row', source: by.source, keys, keyOf }];
    });
  });
  return [...ofWeights, ...ofTables];
}

function keysAtLevel(table: ReadonlyMap<string, unknown>, level: number): readonly string[] {
  if (level === 0) return [...table.keys()];
  return [...table.values()].flatMap((part) => (part instanceof Map ? keysAtLevel(part, level - 1) : []));
}

/** The keys that no candidate has, and the values that are no key: those of the first candidates. */
function valuesOf({ keys, keyOf }: KeyLookup, { candidates, kept }: RunResult) {
  const unmet = new Set(keys);
  const unlisted = new Set<string>();
  for (let row = 0; row < kept.length && (unmet.size > 0 || unlisted.size < MAX_UNLISTED); row++) {
    const value = tryKey(keyOf, candidates[kept[row]!], row);
    if (value === undefined) continue;
    if (keys.has(value)) unmet.delete(value);
    else if (unlisted.size < MAX_UNLISTED) unlisted.add(value);
  }
  return { unmet, unlisted };
}

/** The key of a candidate; undefined if it is absent or fails. */
function tryKey(keyOf: KeyLookup['keyOf'], candidate: unknown, row: number): string | undefined {
  try {
    const key = keyOf(candidate, row);
    return key === undefined ? undefined : keyText(key);
  } catch {
    return undefined; // a failure, which the run has listed already
  }
}

function warningsAbout(
  { subject, noun, source, keys }: KeyLookup,
  { unmet, unlisted }: ReturnType<typeof valuesOf>,
): Problem[] {
  if (unlisted.size === 0 || unmet.size === 0) return [];
  // A table may well have rows for what should never come; cases of which none applies are no cases.
  if (noun === 'case' && unmet.size === keys.size) {
    const message = `${subject.id}: no candidate matches the ${noun}${keys.size > 1 ? 's' : ''} ${listed(keys)}`;
    const [key, ...others] = keys;
    const near = key === undefined || others.length > 0 ? undefined : closestName(key, unlisted);
    const hint = near === undefined ? `${source} is ${listed(unlisted)}` : `did you mean ${near}?`;
    return [warningAbout({}, 'ASZ706', message, hint)];
  }
  return [...unmet].flatMap((key) => {
    const near = key.length < MIN_TYPO_LENGTH ? undefined : closestName(key, unlisted);
    if (near === undefined) return [];
    const message = `${subject.id}: no candidate matches the ${noun} ${key}`;
    return [warningAbout({}, 'ASZ706', message, `did you mean ${near}?`)];
  });
}

const listed = (texts: ReadonlySet<string>): string =>
  [...texts].slice(0, MAX_NAMED).join(', ') + (texts.size > MAX_NAMED ? ' …' : '');
