import { closestName, type DataPath, didYouMean, nameList } from '../../diagnostics/index.js';
import type { Expression } from '../../expression/index.js';
import { entryIds } from '../source/raw-profile.js';
import type { WarningContext } from './warning-context.js';

/** Warns of phases that are never reached, and keys that nothing looks up. */
export function warnAboutUnreachableKeys(context: WarningContext): void {
  warnUnreachablePhases(context);
  const { weights, adjustments } = context.profile;
  if (weights) {
    if (weights.cases.size === 0)
      context.warn(
        'ASZ702',
        'weights without a case have no effect',
        ['weights', 'cases'],
        'cases: { name: { scorer: 2 } }',
        'key',
      );
    for (const name of weights.cases.keys()) warnUnknownPhase(context, weights.by, name, ['weights', 'cases', name]);
  }
  const generated = context.root['phase_profiles'] === undefined ? [] : adjustments.filter(({ id }) => id === 'phase');
  for (const { multiply } of generated) {
    if (typeof multiply === 'object' && 'table' in multiply)
      warnTableKeys(context, multiply.table, multiply.by, ['phase_profiles']);
  }
  for (const { entry, path } of context.entries('adjustments', adjustments)) {
    const { multiply } = entry;
    if (typeof multiply === 'object' && 'table' in multiply)
      warnTableKeys(context, multiply.table, multiply.by, [...path, 'multiply', 'table']);
  }
}

/** Warns of phases after one without an end, and of phases without a turn. */
function warnUnreachablePhases(context: WarningContext): void {
  const { phases } = context.profile;
  const last = phases.findIndex(({ turns, when }) => turns === undefined && when === undefined);
  const [holds, late] = [phases[last], phases[last + 1]];
  if (holds && late) {
    const hint = `give ${holds.name} an n_turns or a when, or put it last`;
    const message = `the phase ${late.name} is never reached: ${holds.name} never ends`;
    context.warn('ASZ706', message, ['phases', late.name], hint, 'key');
  }
  for (const [index, { name, turns }] of phases.slice(0, -1).entries()) {
    // After a phase with a condition it is reached when that one is not true.
    if (turns !== 0 || phases.slice(0, index).some(({ when }) => when)) continue;
    const hint = 'n_turns is how many turns it lasts';
    context.warn('ASZ706', `the phase ${name} is never reached: it lasts no turn`, ['phases', name, 'n_turns'], hint);
  }
}

/** Warns of a key that is looked up by phase where there is no such phase. */
function warnUnknownPhase(context: WarningContext, by: Expression, key: string, path: DataPath): void {
  const names = context.profile.phases.map(({ name }) => name);
  if (by.source.trim() !== 'signals.phase' || names.length === 0 || names.includes(key)) return;
  const hint = didYouMean(key, names, `phases: ${nameList(names)}`);
  context.warn('ASZ706', `${key} is never reached: there is no such phase`, path, hint, 'key');
}

/** Warns of a key that is looked up by strategy where there is none; a caller's candidates may have any strategy. */
function warnUnknownStrategy(context: WarningContext, by: Expression, key: string, path: DataPath): void {
  const names = entryIds(context.root, 'strategies');
  if (by.source.trim() !== 'candidate.strategy.id' || names.length === 0 || names.includes(key)) return;
  const hint = didYouMean(key, names, `strategies: ${nameList(names)}`);
  context.warn('ASZ706', `${key} is never reached: there is no such strategy`, path, hint, 'key');
}

/** Warns of keys of a table that has more or fewer levels than `by`. */
function warnTableKeys(
  context: WarningContext,
  table: ReadonlyMap<string, unknown>,
  by: readonly Expression[],
  path: DataPath,
): void {
  const [first, ...rest] = by;
  for (const [key, value] of table) {
    const at = [...path, key];
    if (first) warnUnknownPhase(context, first, key, at);
    if (first) warnUnknownStrategy(context, first, key, at);
    const deep = value instanceof Map;
    if (deep && rest.length > 0) warnTableKeys(context, value, rest, at);
    else if (deep && first) {
      const hint = 'its by has an expression for each level of the table';
      const message = `${key} has a level that no expression of by looks up: its factors are never used`;
      context.warn('ASZ706', message, at, hint, 'key');
    } else if (!deep && rest.length > 0) {
      const hint = `write a map of factors by ${rest.map(({ source }) => source).join(', ')} there, or shorten by`;
      const message = `${key} ends in a number before the last expression of by: it is never used`;
      context.warn('ASZ706', message, at, hint, 'key');
    }
  }
}

/** Warns of a fallback that is no strategy, and spelt almost like one. */
export function warnAboutMisspeltFallbacks(context: WarningContext): void {
  const { strategies, fallback } = context.profile;
  const names = strategies.map(({ id }) => id);
  for (const [index, { use }] of fallback.entries()) {
    const near = names.includes(use) ? undefined : closestName(use, names);
    if (near === undefined) continue;
    const hint = `did you mean the strategy ${near}?`;
    context.warn('ASZ708', `${use} is no strategy, and so the id of a candidate`, ['fallback', index, 'use'], hint);
  }
}
