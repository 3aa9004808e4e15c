import { ENTRY_LISTS, rawEntries, type RawMap } from './source/raw-profile.js';

/** What a profile says of each entry, defaults included, by id: equal texts are the same entry in two profiles. */
export function entryTexts(root: RawMap): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const list of ENTRY_LISTS) {
    for (const [entry, , id] of rawEntries(root, list)) texts.set(id, `${texts.get(id) ?? ''}${JSON.stringify(entry)}`);
  }
  return texts;
}

/** The ids of the entries that are new in a profile, or say something else than in another. */
export const entriesThatDiffer = (
  texts: ReadonlyMap<string, string>,
  others: ReadonlyMap<string, string>,
): ReadonlySet<string> => new Set([...texts].filter(([id, text]) => others.get(id) !== text).map(([id]) => id));
