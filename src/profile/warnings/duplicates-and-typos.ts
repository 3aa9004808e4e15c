import { isDeepStrictEqual } from 'node:util';
import { closestName } from '../../diagnostics/did-you-mean.js';
import type { RawMap } from '../merge/merge-profiles.js';
import type { WarningContext } from './warning-context.js';

/** Names that were probably meant otherwise: what was copied and not changed, and what was misspelt. */
export function warnAboutDuplicatesAndTypos(look: WarningContext): void {
  const { vetoes, measures, scorers, strategies, fallback } = look.profile;
  for (const [key, entries] of [
    ['tier1_scorers', vetoes],
    ['measures', measures],
    ['tier2_scorers', scorers],
  ] as const)
    warnDuplicateEntries(look, key, entries);
  const names = strategies.map(({ id }) => id);
  for (const [index, { use }] of fallback.entries()) {
    const near = names.includes(use) ? undefined : closestName(use, names);
    if (near === undefined) continue;
    const hint = `did you mean the strategy ${near}?`;
    look.warn('ASZ708', `${use} is no strategy, and so the id of a candidate`, ['fallback', index, 'use'], hint);
  }
}

/** What an entry asks, and when. */
const entryDefinition = ({ class: name, expr, params, when }: RawMap): readonly unknown[] => [name, expr, params, when];

/** Two entries of one list that ask the same: a second opinion by the same judge. */
function warnDuplicateEntries(look: WarningContext, key: string, entries: readonly { readonly id: string }[]): void {
  const seen = new Map<string, { readonly id: string; readonly asked: readonly unknown[] }>();
  for (const { entry, raw, path } of look.entries(key, entries)) {
    const asked = entryDefinition(raw);
    const text = JSON.stringify(asked);
    const first = seen.get(text);
    if (!first) seen.set(text, { id: entry.id, asked });
    // As text all functions are alike, and so are NaN and null.
    else if (isDeepStrictEqual(first.asked, asked)) {
      const hint = 'change what was copied, or remove one of the two';
      look.warn('ASZ707', `${entry.id} asks the same as ${first.id}`, [...path, 'id'], hint);
    }
  }
}
