import type { Expression } from '../../expression/expression.js';
import { constantResult, type WarningContext } from './warning-context.js';

/** Conditions that read nothing, and so are settled when they are written. */
export function warnAboutConditions(look: WarningContext): void {
  const { profile } = look;
  const lists = {
    signals: profile.signals,
    tier1_scorers: profile.vetoes,
    measures: profile.measures,
    tier2_scorers: profile.scorers,
    adjustments: profile.adjustments,
    report: profile.reports,
  } as const;
  for (const [key, entries] of Object.entries<readonly { id: string; when: Expression | undefined }[]>(lists)) {
    for (const { entry, path } of look.entries(key, entries))
      warnIfNeverTrue(look, entry.id, entry.when, [...path, 'when']);
  }
  for (const { entry, path } of look.entries('strategies', profile.strategies))
    warnIfNeverTrue(look, entry.id, entry.focus?.when, [...path, 'focus', 'when']);
  for (const { name, when } of profile.phases) warnIfNeverTrue(look, name, when, ['phases', name, 'when']);
  for (const [index, { use, when }] of profile.fallback.entries())
    warnIfNeverTrue(look, `the fallback ${use}`, when, ['fallback', index, 'when']);
  for (const { entry, path } of look.entries('tier1_scorers', profile.vetoes)) {
    const verdict = entry.use.kind === 'expr' ? constantResult(entry.use.expression) : undefined;
    if (typeof verdict !== 'boolean') continue;
    const message = `${entry.id} is always ${verdict}: it refuses ${verdict ? 'every candidate' : 'none'}`;
    look.warn('ASZ703', message, [...path, 'expr'], 'a veto reads the candidate: candidate.archived');
  }
  const pinned = constantResult(profile.candidate.pinned);
  if (typeof pinned !== 'boolean') return;
  const message = pinned ? 'every candidate is pinned, so that none is scored' : 'no candidate is ever pinned';
  look.warn('ASZ703', message, ['candidate', 'pinned'], 'it reads the candidate: candidate.keep');
}

function warnIfNeverTrue(
  look: WarningContext,
  name: string,
  when: Expression | undefined,
  path: readonly (string | number)[],
): void {
  if (constantResult(when) !== false) return;
  const hint = 'a condition reads the context, a signal or the candidate; enabled: false takes an entry out';
  look.warn('ASZ703', `the condition of ${name} is never true`, path, hint);
}
