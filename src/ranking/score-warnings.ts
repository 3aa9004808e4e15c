import { closestName, type Problem } from '../base/index.js';
import {
  type ActiveScorer,
  type CandidateNames,
  keyText,
  leavesRange,
  type Plan,
  rawScoreColumns,
  resolveScore,
  type RunResult,
} from '../engine/index.js';
import type { Expression } from '../expression/index.js';
import { combineFacts, isAdditive, type Profile, type ScorerEntry, type Use } from '../profile/index.js';
import { comparisonWarnings } from './comparison-warnings.js';
import { failureWarnings } from './failure-warnings.js';
import { warningAbout, type WarningSubject } from './input-warnings.js';
import { valueOf } from './run-warnings.js';

/**
 * Probable mistakes that only the values and scores of all candidates show. Not part of a run's warnings, because it reads every
 * score.
 *
 * @param warnings the warnings of the run, to ignore entries that are constant because they read an absent field
 */
export function scoreWarnings(
  plan: Plan,
  result: RunResult,
  names: CandidateNames,
  warnings: readonly Problem[],
): readonly Problem[] {
  const columns = columnStats(plan, result);
  const readsAbsent = new Set(warnings.filter(({ code }) => code === 'ASZ712').map(({ path }) => path));
  return [
    ...rescaledWarnings(plan, result, names),
    ...outOfRangeWarnings(plan.profile, columns, names),
    ...rangeWarnings(plan.profile, columns, result.scored.scoring.weights),
    ...constantScoreWarnings(plan.profile, columns).filter(({ path }) => !readsAbsent.has(path)),
    ...unmetKeyWarnings(plan, result),
    ...comparisonWarnings(plan.profile, result.candidates, (position) => names.nameAt(position)),
    ...failureWarnings(plan, result, names, warnings),
  ];
}

/** Statistics of one scorer's numbers. */
interface ColumnStats {
  readonly id: string;
  /** The range of its values for the ranked candidates; Infinity to −Infinity if it has no values. */
  readonly least: number;
  readonly most: number;
  /** How many candidates it was evaluated for. */
  readonly evaluated: number;
  /** Its value, if it is the same for all of them. */
  readonly constantValue: number | undefined;
  /** How often it left its range, and the first value outside, if its `out_of_range` is `warn`. */
  readonly outOfRangeCount: number;
  readonly firstOutOfRange: { readonly value: number; readonly position: number } | undefined;
}

/** The statistics of each scorer, from the scores that the run kept, or by evaluating the scorer again. */
function columnStats(plan: Plan, result: RunResult): readonly ColumnStats[] {
  return plan.current.enter(result.context, () => {
    const columns = result.scored.columns ?? rawScoreColumns(plan, result);
    return result.scored.scoring.active.flatMap((scorer, k) =>
      scorer.failed ? [] : [statsOfScorer(plan, scorer, columns[k]!, result)],
    );
  });
}

/** A kept score with this value may be the `on_absent` number instead of the unit's, so the unit is called again. */
const replacedScore = ({ entry }: ActiveScorer, { scored }: RunResult): number =>
  scored.columns && typeof entry.onAbsent === 'number' ? entry.onAbsent : Number.NaN;

/** Uses NaN instead of `undefined` for missing numbers, because V8 would otherwise box a number for every row. */
function statsOfScorer(plan: Plan, scorer: ActiveScorer, column: Float64Array, result: RunResult): ColumnStats {
  const { candidates, kept, verdicts } = result;
  const { evaluated: isEvaluated } = scorer;
  const { id, range, outOfRange: policy } = scorer.entry;
  const limits = policy === 'warn' ? range : undefined;
  const replaced = replacedScore(scorer, result);
  const at = plan.columnReader.readerOf(candidates);
  let least = Infinity;
  let most = -Infinity;
  let evaluated = 0;
  let constant = Number.NaN;
  let outOfRangeCount = 0;
  let firstOutOfRange: ColumnStats['firstOutOfRange'];
  for (let row = 0; row < kept.length; row++) {
    if (isEvaluated !== undefined && !isEvaluated(row)) continue;
    const position = kept[row]!;
    let value = column[row]!;
    if (value !== value || value === replaced) {
      const given = valueOf(scorer, at(position), row);
      if (given === undefined) {
        evaluated += 1;
        constant = Number.NaN;
        continue;
      }
      value = given;
    }
    if (evaluated === 0) constant = value - value === 0 ? value : Number.NaN;
    else if (value !== constant) constant = Number.NaN;
    evaluated += 1;
    if (verdicts[position] === 0 && value - value === 0) {
      if (value < least) least = value;
      if (value > most) most = value;
    }
    if (limits === undefined || !leavesRange(limits, value)) continue;
    outOfRangeCount += 1;
    firstOutOfRange ??= { value, position };
  }
  const constantValue = Number.isNaN(constant) ? undefined : constant;
  return { id, least, most, evaluated, constantValue, outOfRangeCount, firstOutOfRange };
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** Warns about each scorer that left its range. */
function outOfRangeWarnings(profile: Profile, columns: readonly ColumnStats[], names: CandidateNames): Problem[] {
  return columns.flatMap(({ id, outOfRangeCount, firstOutOfRange: first }) => {
    const entry = entryOf(profile, id);
    if (!first || !entry?.range) return [];
    const [least, most] = entry.range;
    const where = `${first.value} for ${names.nameAt(first.position)}`;
    const message = `${id} was outside its range of ${least} to ${most} ${times(outOfRangeCount)}: ${where}`;
    return [warningAbout(entry, 'ASZ713', message, 'out_of_range: clamp limits it')];
  });
}

/** Warns about each scorer that returned the same number for all candidates: it has no effect on the order. */
function constantScoreWarnings(profile: Profile, columns: readonly ColumnStats[]): Problem[] {
  return columns.flatMap(({ id, evaluated, constantValue }) => {
    const entry = entryOf(profile, id);
    if (evaluated < 2 || constantValue === undefined || !entry || !dependsOnCandidate(entry.use)) return [];
    const message = `${id} gave all ${evaluated} candidates the same number: ${Number(constantValue.toPrecision(4))}`;
    return [warningAbout(entry, 'ASZ714', message)];
  });
}

const entryOf = ({ scorers }: Profile, id: string): ScorerEntry | undefined => scorers.find((entry) => entry.id === id);

/** Whether an expression can have different values for different candidates. */
const variesByCandidate = ({ readsCandidate, reads }: Expression): boolean =>
  readsCandidate || reads.some((name) => /^measures\b/.test(name));

/**
 * Whether a use is meant to distinguish candidates. A signal is the same for all of them, and so may be the value of a
 * class that reads the state of the run, unless its params name fields of the candidate.
 */
function dependsOnCandidate(use: Use): boolean {
  if (use.kind === 'expr') return variesByCandidate(use.expression);
  const { paths, expressions, children, unit } = use;
  const compile: unknown = Reflect.get(unit.prototype, 'compile');
  const readsCandidateOnly = typeof compile === 'function' && compile.length < 2; // `compile` has no `live` parameter.
  return (
    (readsCandidateOnly && children.size === 0) ||
    paths.length > 0 ||
    expressions.some(variesByCandidate) ||
    [...children.values()].some((child) => dependsOnCandidate(child.use))
  );
}

/**
 * Warns if weights were scaled up because entries were skipped, so that a literal sum does not have the weights as
 * written. The warning is about the entry that was skipped most. Calls scorers again on rows with a missing score.
 */
function rescaledWarnings(plan: Plan, result: RunResult, names: CandidateNames): Problem[] {
  const { candidates, kept, verdicts, scored } = result;
  const { active, weightsOf } = scored.scoring;
  if (scored.partial.size === 0 || combineFacts(plan.profile.combine).weights !== 'literal') return [];
  const skipped = new Map<string, number>();
  let count = 0;
  let first: string | undefined;
  plan.current.enter(result.context, () => {
    for (const row of scored.partial.keys()) {
      const position = kept[row]!;
      if (verdicts[position] !== 0) continue;
      const candidate = candidates[position];
      const weights = weightsOf(candidate, row);
      let all = 0;
      let here = 0;
      for (const [k, scorer] of active.entries()) {
        const weight = Math.abs(weights[k]!);
        all += weight;
        if (resolveScore(scorer, candidate, row).value !== undefined) here += weight;
        else if (weight > 0) skipped.set(scorer.entry.id, (skipped.get(scorer.entry.id) ?? 0) + 1);
      }
      if (here === all) continue; // The missing scorers have weight 0.
      count += 1;
      first ??= `${names.nameAt(position)}, by ${Number((all / here).toPrecision(4))}`;
    }
  });
  const entries = [...skipped].toSorted(([, a], [, b]) => b - a);
  if (first === undefined || !entries[0]) return [];
  const [most] = entries[0];
  const named = entries.map(([id, rows]) => `${id} (${rows})`).join(', ');
  const scores = count === 1 ? '1 score of the weighted_sum is' : `${count} scores of the weighted_sum are`;
  const message = `${scores} scaled up because entries were skipped: ${named}; the first is ${first}`;
  const hint =
    'to use the weights as written, set on_absent: 0 (or on_error: 0, if it failed); for all entries: defaults: { on_absent: 0 }';
  return [warningAbout(entryOf(plan.profile, most) ?? {}, 'ASZ718', message, hint)];
}

/** One scorer outweighs another if its values are this many times larger and its weighted values this many times wider. */
const IMBALANCE = 5;

/** A scorer of a sum, the range of its values for the ranked candidates, and the spread of its weighted values. */
interface Weighed {
  readonly entry: ScorerEntry;
  readonly least: number;
  readonly most: number;
  readonly magnitude: number;
  readonly spread: number;
}

/**
 * Warns about each scorer of a sum whose values are so much larger than another's that it alone decides, such as 46 to
 * 230 next to 0 to 1. If both classes declare a range, loading the profile compares these instead.
 */
function rangeWarnings(profile: Profile, columns: readonly ColumnStats[], weights: Float64Array): Problem[] {
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
  const outweighing = weighed.filter((one) => outweighs(one, smallest));
  return outweighing.length > 0 ? outweighing.map((one) => imbalanceWarning(one, smallest)) : unscaledWarnings(weighed);
}

/**
 * Warns once if some scorers stay within 0 to 1 and others without a declared range do not: scores are added as they are.
 * If their values are much larger, the author chose another unit, and `outweighs` tells whether the weight compensates.
 */
function unscaledWarnings(weighed: readonly Weighed[]): Problem[] {
  const leaves = ({ entry, least, most, magnitude }: Weighed): boolean =>
    !entry.range && (least < 0 || most > 1) && magnitude < IMBALANCE;
  const outside = weighed.filter(leaves);
  const inside = weighed.find(({ least, most }) => least >= 0 && most <= 1);
  const [first] = outside;
  if (!first || !inside) return [];
  const verb = outside.length === 1 ? 'leaves' : 'leave';
  const message = `${outside.map(withValues).join(', ')} ${verb} 0 to 1, and ${withValues(inside)} does not: scores are not normalized, so the larger one counts more than its weight`;
  const hint = 'if it is not intended, scale the expression, or limit it: range: [0, 1], out_of_range: clamp';
  return [warningAbout(first.entry, 'ASZ705', message, hint)];
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

/** The maximum number of distinct values without a key to compare with the unused keys. */
const MAX_UNLISTED = 100;

/** Shorter keys, such as country codes, are often similar without being typos. */
const MIN_TYPO_LENGTH = 4;

/** The maximum number of keys or values that a message names. */
const MAX_NAMED = 5;

/** A lookup by a value of the candidate: the cases of `weights`, or one level of a rule's table. */
interface KeyLookup {
  readonly subject: WarningSubject;
  readonly noun: 'case' | 'row';
  /** The expression whose value is the key. */
  readonly source: string;
  readonly keys: ReadonlySet<string>;
  readonly keyOf: (candidate: unknown, row: number) => unknown;
}

/**
 * Warns about keys that are probably misspelt, which loading cannot find. A key must be unused while candidates have
 * other values; and one of these values must be similar to it, or no case may match any candidate. An unused key alone
 * is fine.
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

/** The keys that no candidate has (`unmet`), and the first values that have no key (`unlisted`). */
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

/** The key of a candidate; undefined if it is absent or its expression fails. */
function tryKey(keyOf: KeyLookup['keyOf'], candidate: unknown, row: number): string | undefined {
  try {
    const key = keyOf(candidate, row);
    return key === undefined ? undefined : keyText(key);
  } catch {
    return undefined; // The run has already reported this failure.
  }
}

function warningsAbout(
  { subject, noun, source, keys }: KeyLookup,
  { unmet, unlisted }: ReturnType<typeof valuesOf>,
): Problem[] {
  if (unlisted.size === 0 || unmet.size === 0) return [];
  // A table may have rows for values that rarely occur. Cases of which none ever applies are probably a mistake.
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
