import { didYouMean, nameList } from '../../diagnostics/index.js';
import type { Entry } from '../entries.js';
import { ENTRY_LISTS, enabledEntryIds, enabledRawEntries, rawEntries, rawPhases } from '../source/raw-profile.js';
import type { Resolver } from './resolver.js';

/** Checks that every `before` names another entry of the list, which comes later. */
function checkBefore(resolver: Resolver, key: string): void {
  const entries = rawEntries(resolver.root, key);
  const generated = key === 'adjustments' && resolver.root['phase_profiles'] !== undefined ? ['phase'] : [];
  const ids = [...generated, ...entries.map(([, , id]) => id)];
  for (const [entry, index, id] of entries) {
    const { before } = entry;
    if (typeof before !== 'string' || generated.includes(before)) continue;
    const path = [key, index, 'before'];
    const target = entries.find(([, , other]) => other === before);
    if (!target) {
      const hint = didYouMean(before, ids, `${key}: ${nameList(ids)}`);
      resolver.report('ASZ205', `before: there is no ${before} in ${key}`, path, hint);
    } else if (target[1] <= index) {
      const hint = 'an inherited entry keeps its position; a new one is put before those that are there already';
      resolver.report('ASZ205', `before: ${id} cannot stand before ${before}`, path, hint);
    }
  }
}

/** Checks that no two entries share a memory file: each would overwrite the other's. */
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

/** Checks what no schema can: references to nothing, and ids that something else has. */
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
    const message = 'the id "phase" is taken by the rule of phase_profiles';
    resolver.report('ASZ203', message, ['adjustments', index, 'id'], hint);
  }
  const measures = enabledEntryIds(root, 'measures');
  for (const [, index, id] of enabledRawEntries(root, 'tier2_scorers')) {
    if (!measures.includes(id)) continue;
    const hint = 'a measure has it; results and explanations name both by their ids';
    resolver.report('ASZ203', `the id "${id}" is taken`, ['tier2_scorers', index, 'id'], hint);
  }
}
