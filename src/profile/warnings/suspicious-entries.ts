import type { DataPath } from '../../diagnostics/index.js';
import { type Expression, isMap } from '../../expression/index.js';
import type { RawMap } from '../source/raw-profile.js';
import type { WarningContext } from './warning-context.js';

/** Warns of conditions that read nothing, so that their value is known here. */
export function warnAboutConditions(context: WarningContext): void {
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
    const message = `${entry.id} is always ${verdict}: it refuses ${verdict ? 'every candidate' : 'none'}`;
    context.warn('ASZ703', message, [...path, 'expr'], 'a veto reads the candidate: candidate.archived');
  }
  const pinned = constantResult(profile.candidate.pinned);
  if (typeof pinned !== 'boolean') return;
  const message = pinned ? 'every candidate is pinned, so that none is scored' : 'no candidate is ever pinned';
  context.warn('ASZ703', message, ['candidate', 'pinned'], 'it reads the candidate: candidate.keep');
}

function warnIfNeverTrue(context: WarningContext, name: string, when: Expression | undefined, path: DataPath): void {
  if (constantResult(when) !== false) return;
  const hint = 'a condition reads the context, a signal or the candidate; enabled: false takes an entry out';
  context.warn('ASZ703', `the condition of ${name} is never true`, path, hint);
}

/** A warning is not worth more: a profile may have thousands of conditions. */
const STEPS_OF_A_WARNING = 1000;

/** The value of a condition that reads nothing; undefined for any other. */
function constantResult(condition: Expression | undefined): unknown {
  if (!condition?.constant) return undefined;
  try {
    return condition.bind({}, STEPS_OF_A_WARNING)(undefined, 0);
  } catch {
    return undefined; // it fails in every run, and every run reports it; or it takes long to know
  }
}

/**
 * Warns of a profile that leaves every candidate with the score 0, in the order of the input: nothing in it refuses,
 * scores, changes a score or orders.
 */
export function warnAboutNothingToRank(context: WarningContext): void {
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

/** Warns of entries that were copied and not changed. */
export function warnAboutDuplicates(context: WarningContext): void {
  const { vetoes, measures, scorers } = context.profile;
  for (const [key, entries] of [
    ['tier1_scorers', vetoes],
    ['measures', measures],
    ['tier2_scorers', scorers],
  ] as const)
    warnDuplicateEntries(context, key, entries);
}

/** What an entry computes, and when. */
const entryDefinition = ({ class: name, expr, params, when }: RawMap): readonly unknown[] => [name, expr, params, when];

/** Whether two trees of data are equal: lists and maps by what they hold, everything else by identity. */
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

/** Warns of two entries of one list that compute the same. */
function warnDuplicateEntries(context: WarningContext, key: string, entries: readonly { readonly id: string }[]): void {
  const seen = new Map<string, { readonly id: string; readonly definition: readonly unknown[] }>();
  for (const { entry, raw, path } of context.entries(key, entries)) {
    const definition = entryDefinition(raw);
    const text = JSON.stringify(definition, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
    const first = seen.get(text);
    if (!first) seen.set(text, { id: entry.id, definition });
    // JSON writes all functions alike, and NaN as null.
    else if (isSameData(first.definition, definition)) {
      const hint = 'change what was copied, or remove one of the two';
      context.warn('ASZ707', `${entry.id} computes the same as ${first.id}`, [...path, 'id'], hint);
    }
  }
}
