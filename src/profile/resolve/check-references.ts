import { didYouMean } from '../../diagnostics/did-you-mean.js';
import { isMap } from '../../expression/is-map.js';
import type { RawMap } from '../merge/merge-profiles.js';
import type { Entry } from '../profile.js';
import { ENTRY_LISTS } from '../schema/profile-schema.js';
import type { Resolver } from './resolver.js';

/** An entry as it was written, and its position in its list. */
type RawEntry = readonly [entry: RawMap, index: number, id: string];

/** The entries of a list that have an id, also where they are malformed otherwise. */
function rawEntries(root: RawMap, key: string): RawEntry[] {
  const list = root[key];
  return (Array.isArray(list) ? list : []).flatMap((entry: unknown, index): RawEntry[] =>
    isMap(entry) && typeof entry['id'] === 'string' ? [[entry, index, entry['id']]] : [],
  );
}

/** The ids of a list. What refers to a malformed entry is not wrong for that. */
export const entryIds = (root: RawMap, key: string): string[] => rawEntries(root, key).map(([, , id]) => id);

/** The same without the entries that are disabled. */
export const enabledEntryIds = (root: RawMap, key: string): string[] =>
  enabledRawEntries(root, key).map(([, , id]) => id);

const enabledRawEntries = (root: RawMap, key: string): RawEntry[] =>
  rawEntries(root, key).filter(([entry]) => entry['enabled'] !== false);

/** The names of the phases, also of those that are malformed. */
export const rawPhases = (root: RawMap): RawMap | undefined => (isMap(root['phases']) ? root['phases'] : undefined);

/** Every `before` names another entry, and what says so stands before it. */
function checkBefore(resolver: Resolver, key: string): void {
  const entries = rawEntries(resolver.root, key);
  const made = key === 'adjustments' && resolver.root['phase_profiles'] !== undefined ? ['phase'] : [];
  const ids = [...made, ...entries.map(([, , id]) => id)];
  for (const [entry, index, id] of entries) {
    const { before } = entry;
    if (typeof before !== 'string' || made.includes(before)) continue;
    const path = [key, index, 'before'];
    const target = entries.find(([, , other]) => other === before);
    if (!target) {
      const hint = didYouMean(before, ids, `${key}: ${ids.join(', ')}`);
      resolver.report('ASZ205', `before: there is no ${before} in ${key}`, path, hint);
    } else if (target[1] <= index) {
      const hint = 'an inherited entry keeps its position; a new one is put before those that are there already';
      resolver.report('ASZ205', `before: ${id} cannot stand before ${before}`, path, hint);
    }
  }
}

/** Two entries in one file would each lose what the other learnt. */
export function checkMemoryFiles(resolver: Resolver, entries: readonly Entry[]): void {
  const seen = new Map<string, string>();
  for (const { id, memory } of entries) {
    if (memory === undefined) continue;
    const first = seen.get(memory.file);
    if (first === undefined) seen.set(memory.file, id);
    else {
      const message = `the memory file ${memory.file} is that of ${first}`;
      const { path, place } = memory;
      resolver.problems.push({ code: 'ASZ105', message, path, place, hint: 'each entry has a file of its own' });
    }
  }
}

/** What no schema sees: names that refer to nothing, or to two things. */
export function checkReferences(resolver: Resolver): void {
  const { root } = resolver;
  for (const key of ENTRY_LISTS) checkBefore(resolver, key);
  for (const [, index, id] of rawPhases(root) ? enabledRawEntries(root, 'signals') : []) {
    if (id !== 'phase') continue;
    const hint = 'expressions read the phase as signals.phase; name the signal otherwise';
    resolver.report('ASZ204', 'the id phase is taken by the signal that phases make', ['signals', index, 'id'], hint);
  }
  for (const [, index, id] of root['phase_profiles'] === undefined ? [] : enabledRawEntries(root, 'adjustments')) {
    if (id !== 'phase') continue;
    const hint = 'name the rule otherwise; before: phase puts it before that one';
    resolver.report(
      'ASZ203',
      'the id "phase" is taken by the rule of phase_profiles',
      ['adjustments', index, 'id'],
      hint,
    );
  }
  const measures = enabledEntryIds(root, 'measures');
  for (const [, index, id] of enabledRawEntries(root, 'tier2_scorers')) {
    if (!measures.includes(id)) continue;
    const hint = 'a measure has it; results and explanations name both by their ids';
    resolver.report('ASZ203', `the id "${id}" is taken`, ['tier2_scorers', index, 'id'], hint);
  }
}
