import { ENTRY_LISTS, rawEntries, type RawMap } from './source/raw-profile.js';

/** Keys for people alone: they change no score. */
const SAID: ReadonlySet<string> = new Set(['label', 'reason']);

/**
 * What a profile says of each entry, defaults and the names of fields included, by id: equal texts are the same entry in
 * two profiles.
 */
export function entryTexts(root: RawMap): ReadonlyMap<string, string> {
  const fields = JSON.stringify(root['fields'] ?? {});
  const texts = new Map<string, string>();
  for (const list of ENTRY_LISTS) {
    for (const [entry, , id] of rawEntries(root, list)) {
      const said = Object.entries(entry).filter(([key]) => list === 'strategies' || !SAID.has(key));
      texts.set(id, `${texts.get(id) ?? fields}${JSON.stringify(said)}`);
    }
  }
  return texts;
}

/** The ids of the entries that are new in a profile, or say something else than in another. */
export const entriesThatDiffer = (
  texts: ReadonlyMap<string, string>,
  others: ReadonlyMap<string, string>,
): ReadonlySet<string> => new Set([...texts].filter(([id, text]) => others.get(id) !== text).map(([id]) => id));
