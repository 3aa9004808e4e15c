import type { DataPath, Problem } from '../base/index.js';
import { type Expression, isExpression, isMap } from '../expression/index.js';
import { combineFacts, isAdditive } from './combine-methods.js';
import type { Profile, ScorerEntry } from './profile.js';
import { expressionWarnings } from './profile-reads.js';
import type { RawMap } from './source/raw-profile.js';
import {
  warnAboutIneffectiveKeys,
  warnAboutMisspeltFallbacks,
  warnAboutUnreachableKeys,
  WarningContext,
} from './ineffective-keys.js';

/**
 * Warns about parts of a profile that are valid but almost certainly mistakes. It does not report what may be intended: a
 * warning that is often wrong is worse than no warning.
 *
 * @param root   the data, merged from all files
 * @param filled the same data with the profile's `defaults` filled in, from which the profile was resolved
 */
export function profileWarnings(root: RawMap, filled: RawMap, profile: Profile): readonly Problem[] {
  const context = new WarningContext(root, profile, filled);
  warnAboutNothingToRank(context);
  warnAboutWeights(context);
  warnAboutIneffectiveKeys(context);
  warnAboutConditions(context);
  warnAboutOpenGuards(context);
  warnAboutOpenRules(context);
  warnAboutUnreachableKeys(context);
  warnAboutDuplicates(context);
  warnAboutMisspeltFallbacks(context);
  return [...context.warnings, ...expressionWarnings(profile)];
}

/** The rounding error that a sum of decimals may have. */
const ROUNDING = 1e-6;

/** A range outweighs another if its greatest magnitude is at least this many times larger. */
const RANGE_IMBALANCE = 5;

/** Warns about weights without effect, shares that do not sum to 1, and ranges that outweigh others. */
function warnAboutWeights(context: WarningContext): void {
  const { combine } = context.profile;
  const { weights } = combineFacts(combine);
  if (weights === 'none') return;
  warnZeroWeights(context);
  if (weights === 'literal') warnWeightSums(context);
  if (isAdditive(combine)) warnRangeImbalance(context); // in a geometric mean only ratios count
}

/** The names that the profile's expressions read; undefined if an expression may read any score. */
function scoreNamesRead(profile: Profile): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  const seen = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (isExpression(value)) for (const name of value.reads) names.add(name);
    else for (const item of value instanceof Map ? value.values() : Object.values(value)) visit(item);
  };
  visit(profile);
  return names.has('scores') ? undefined : names;
}

/** Warns about a weight of 0, unless a case raises it or an expression reads the score. */
function warnZeroWeights(context: WarningContext): void {
  const { scorers, weights } = context.profile;
  const cases = [...(weights?.cases.values() ?? [])];
  const idle = ({ id, weight, onAbsent }: ScorerEntry): boolean =>
    weight === 0 && onAbsent !== 'refuse' && !cases.some((byId) => (byId.get(id) ?? 0) !== 0);
  if (!scorers.some(idle)) return;
  const read = scoreNamesRead(context.profile);
  for (const { entry, path } of context.entries('tier2_scorers', scorers)) {
    if (!idle(entry) || !read || read.has(`scores.${entry.id}`)) continue;
    const hint = 'disable it with enabled: false; if only rules read the number, make it a measure';
    context.warn('ASZ701', `${entry.id} has the weight 0, so it has no effect on scores`, [...path, 'weight'], hint);
  }
}

/** Warns about weights from 0 to 1 that do not sum to 1. Weights above 1 are points with any sum. */
function warnWeightSums(context: WarningContext): void {
  const { scorers, weights } = context.profile;
  if (scorers.length < 2) return;
  const check = (weightOf: (entry: ScorerEntry) => number | Expression): number | undefined => {
    let sum = 0;
    for (const entry of scorers) {
      const weight = weightOf(entry);
      if (typeof weight !== 'number' || weight < 0 || weight > 1) return undefined;
      sum += weight;
    }
    return Math.abs(sum - 1) > ROUNDING ? Number(sum.toFixed(6)) : undefined;
  };
  const hint = 'weighted_sum does not normalise weights, so scores do not range from 0 to 1; weighted_mean does';
  const own = check(({ weight }) => weight);
  if (own !== undefined) context.warn('ASZ704', `the weights sum to ${own}, not to 1`, ['tier2_scorers'], hint, 'key');
  for (const [name, byId] of weights?.cases ?? []) {
    const sum = check(({ id, weight }) => byId.get(id) ?? weight);
    if (sum === undefined || byId.size === 0) continue;
    // If a case keeps the wrong sum, only the sum itself is reported.
    if (own !== undefined && Math.abs(sum - own) < ROUNDING) continue;
    const message = `in the case ${name} the weights sum to ${sum}, not to 1`;
    context.warn('ASZ704', message, ['weights', 'cases', name], hint, 'key');
  }
}

/** The greatest absolute value of a declared range. */
const maxMagnitude = ({ range }: ScorerEntry): number => (range ? Math.max(Math.abs(range[0]), Math.abs(range[1])) : 0);

/** Warns about a range that outweighs another, such as 0 to 100 and 0 to 1, unless its weight is smaller. */
function warnRangeImbalance(context: WarningContext): void {
  const { scorers } = context.profile;
  const declared = scorers.filter(({ range, weight }) => range && typeof weight === 'number' && weight > 0);
  const [first, ...rest] = declared;
  if (!first) return;
  const least = rest.reduce((one, other) => (maxMagnitude(other) < maxMagnitude(one) ? other : one), first);
  for (const { entry, path } of context.entries('tier2_scorers', declared)) {
    const far = maxMagnitude(entry) >= RANGE_IMBALANCE * Math.max(1, maxMagnitude(least));
    if (!far || Number(entry.weight) < Number(least.weight)) continue;
    const withRange = ({ id, range = [0, 0] }: ScorerEntry): string => `${id} (${range[0]} to ${range[1]})`;
    const hint = 'scale it to the same range with an expression or ScaledScorer, or reduce its weight';
    const message = `the range of ${withRange(entry)} outweighs ${withRange(least)}, and its weight is not smaller`;
    context.warn('ASZ705', message, [...path, 'id'], hint);
  }
}

/** Warns about constant conditions. */
function warnAboutConditions(context: WarningContext): void {
  const { profile } = context;
  const lists = {
    signals: profile.signals,
    tier1_scorers: profile.vetoes,
    measures: profile.measures,
    tier2_scorers: profile.scorers,
    adjustments: profile.adjustments,
    report: profile.reports,
  } as const;
  for (const [key, entries] of Object.entries<readonly { id: string; when: Expression | undefined }[]>(lists)) {
    for (const { entry, path } of context.entries(key, entries))
      warnIfNeverTrue(context, entry.id, entry.when, [...path, 'when']);
  }
  for (const { entry, path } of context.entries('strategies', profile.strategies))
    warnIfNeverTrue(context, entry.id, entry.focus?.when, [...path, 'focus', 'when']);
  for (const { name, when } of profile.phases) warnIfNeverTrue(context, name, when, ['phases', name, 'when']);
  for (const [index, { use, when }] of profile.fallback.entries())
    warnIfNeverTrue(context, `the fallback ${use}`, when, ['fallback', index, 'when']);
  for (const { entry, path } of context.entries('tier1_scorers', profile.vetoes)) {
    const verdict = entry.use.kind === 'expr' ? constantResult(entry.use.expression) : undefined;
    if (typeof verdict !== 'boolean') continue;
    const message = `${entry.id} is always ${verdict}: it refuses ${verdict ? 'every' : 'no'} candidate`;
    context.warn('ASZ703', message, [...path, 'expr'], 'read a field of the candidate: candidate.archived');
  }
  const pinned = constantResult(profile.candidate.pinned);
  if (typeof pinned !== 'boolean') return;
  const message = pinned ? 'every candidate is pinned, so no candidate is scored' : 'no candidate is ever pinned';
  context.warn('ASZ703', message, ['candidate', 'pinned'], 'read a field of the candidate: candidate.keep');
}

/** Warns about a guard that keeps a candidate without an answer. */
function warnAboutOpenGuards(context: WarningContext): void {
  for (const { entry, raw, path } of context.entries('tier1_scorers', context.profile.vetoes)) {
    if (entry.use.kind !== 'class' || entry.use.unit.meta.onAbsent !== 'refuse') continue;
    for (const [key, rule] of [
      ['on_absent', entry.onAbsent],
      ['on_error', entry.onError],
    ] as const) {
      if (rule !== 'pass') continue;
      const message = `the guard ${entry.id} fails open: ${key}: pass keeps a candidate that it did not judge`;
      const at = raw[key] === undefined ? path : [...path, key]; // the rule may be one of the profile's defaults
      context.warn('ASZ766', message, at, 'remove it: a guard then refuses a candidate without an answer');
    }
  }
}

/**
 * Warns about a rule that keeps a candidate if the score or the measure that it reads is missing, or that cannot refuse a
 * pinned candidate.
 */
function warnAboutOpenRules(context: WarningContext): void {
  for (const { entry, raw, path } of context.entries('adjustments', context.profile.adjustments)) {
    if (
      entry.refuse &&
      context.profile.candidate.pinned &&
      constantResult(context.profile.candidate.pinned) !== false
    ) {
      const message = `the rule ${entry.id} does not refuse pinned candidates: they are selected without a score`;
      context.warn('ASZ766', message, [...path, 'refuse'], 'to refuse them as well, use a veto in tier1_scorers');
    }
    const judges = entry.when?.reads.some((name) => /^(?:scores|measures)\b/.test(name));
    if (raw['on_absent'] !== 'pass' || !entry.refuse || !judges) continue;
    const message = `the rule ${entry.id} fails open: on_absent: pass keeps a candidate whose score or measure is missing`;
    context.warn('ASZ766', message, [...path, 'on_absent'], 'remove it: the rule then refuses such a candidate');
  }
}

function warnIfNeverTrue(context: WarningContext, name: string, when: Expression | undefined, path: DataPath): void {
  if (constantResult(when) !== false) return;
  const hint = 'read the context, a signal or the candidate; to disable an entry write enabled: false';
  context.warn('ASZ703', `the condition of ${name} is never true`, path, hint);
}

/** Limits the cost of this check: a profile may have thousands of conditions. */
const STEPS_PER_CONDITION = 1000;

/** The value of a constant condition; undefined for any other. */
function constantResult(condition: Expression | undefined): unknown {
  if (!condition?.constant) return undefined;
  try {
    return condition.bind({}, STEPS_PER_CONDITION)(undefined, 0);
  } catch {
    return undefined; // it takes too many steps, or fails in every run, which reports it
  }
}

/**
 * Warns about a profile that gives every candidate the score 0 in the order of the input: it has no entry that refuses,
 * scores, changes a score or orders.
 */
function warnAboutNothingToRank(context: WarningContext): void {
  const { root, profile } = context;
  const { vetoes, scorers, combine, adjustments, select, reports, strategies, name } = profile;
  const { duplicates, per, ties, diversify, pack, place } = select;
  const works = [duplicates, per, ties, diversify, pack, place].some((key) => key !== undefined);
  const others = adjustments.length + reports.length + strategies.length;
  if (vetoes.length + scorers.length + others > 0 || works || typeof combine !== 'string') return;
  const written = ['tier1_scorers', 'tier2_scorers'].find((key) => Array.isArray(root[key]) && root[key].length > 0);
  const message = written
    ? `every veto and scorer of ${name} is disabled: all candidates score 0, in the order of the input`
    : `${name} has no veto and no scorer: all candidates score 0, in the order of the input`;
  const hint = "write tier2_scorers: [{ id: rating, expr: 'candidate.rating / 5' }]";
  context.warn('ASZ724', message, written ? [written] : [], written ? 'enable one' : hint);
}

/** Warns about entries that were copied and not changed. */
function warnAboutDuplicates(context: WarningContext): void {
  const { vetoes, measures, scorers } = context.profile;
  for (const [key, entries] of [
    ['tier1_scorers', vetoes],
    ['measures', measures],
    ['tier2_scorers', scorers],
  ] as const)
    warnDuplicateEntries(context, key, entries);
}

/** The keys that define the entry's result. */
const entryDefinition = ({ class: name, expr, params, when }: RawMap): readonly unknown[] => [name, expr, params, when];

/** Compares lists and maps by content and everything else by identity. */
function isSameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSameData(item, b[index]));
  }
  if (!isMap(a) || !isMap(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSameData(a[key], b[key]))
  );
}

/** Warns about two entries of one list that compute the same. */
function warnDuplicateEntries(context: WarningContext, key: string, entries: readonly { readonly id: string }[]): void {
  const seen = new Map<string, { readonly id: string; readonly definition: readonly unknown[] }>();
  for (const { entry, raw, path } of context.entries(key, entries)) {
    const definition = entryDefinition(raw);
    const text = JSON.stringify(definition, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
    const first = seen.get(text);
    if (!first) seen.set(text, { id: entry.id, definition });
    // JSON drops functions and writes NaN as null, so equal texts are not enough.
    else if (isSameData(first.definition, definition)) {
      const hint = 'change or remove one of the two';
      context.warn('ASZ707', `${entry.id} computes the same as ${first.id}`, [...path, 'id'], hint);
    }
  }
}
