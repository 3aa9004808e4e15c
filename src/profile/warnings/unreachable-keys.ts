import { didYouMean } from '../../diagnostics/did-you-mean.js';
import type { Expression } from '../../expression/expression.js';
import { entryIds } from '../resolve/check-references.js';
import type { WarningContext } from './warning-context.js';

/** Phases that come too late, and keys that nothing looks up. */
export function warnAboutUnreachableKeys(look: WarningContext): void {
  warnUnreachablePhases(look);
  const { weights, adjustments } = look.profile;
  if (weights) {
    if (weights.cases.size === 0)
      look.warn(
        'ASZ702',
        'weights without a case have no effect',
        ['weights', 'cases'],
        'cases: { name: { scorer: 2 } }',
        'key',
      );
    for (const name of weights.cases.keys()) warnUnknownPhase(look, weights.by, name, ['weights', 'cases', name]);
  }
  const made = look.root['phase_profiles'] === undefined ? [] : adjustments.filter(({ id }) => id === 'phase');
  for (const { multiply } of made) {
    if (typeof multiply === 'object' && 'table' in multiply)
      warnTableKeys(look, multiply.table, multiply.by, ['phase_profiles']);
  }
  for (const { entry, path } of look.entries('adjustments', adjustments)) {
    const { multiply } = entry;
    if (typeof multiply === 'object' && 'table' in multiply)
      warnTableKeys(look, multiply.table, multiply.by, [...path, 'multiply', 'table']);
  }
}

/** A phase that lasts for ever and always holds leaves nothing to those after it. */
function warnUnreachablePhases(look: WarningContext): void {
  const { phases } = look.profile;
  const last = phases.findIndex(({ turns, when }) => turns === undefined && when === undefined);
  const [holds, late] = [phases[last], phases[last + 1]];
  if (holds && late) {
    const hint = `give ${holds.name} an n_turns or a when, or put it last`;
    look.warn(
      'ASZ706',
      `the phase ${late.name} is never reached: ${holds.name} never ends`,
      ['phases', late.name],
      hint,
      'key',
    );
  }
  for (const [index, { name, turns }] of phases.slice(0, -1).entries()) {
    // After one with a condition it is where that one yields to.
    if (turns !== 0 || phases.slice(0, index).some(({ when }) => when)) continue;
    const hint = 'n_turns is how many turns it lasts';
    look.warn('ASZ706', `the phase ${name} is never reached: it lasts no turn`, ['phases', name, 'n_turns'], hint);
  }
}

/** A key that is looked up by the phase, and is none. */
function warnUnknownPhase(look: WarningContext, by: Expression, key: string, path: readonly (string | number)[]): void {
  const names = look.profile.phases.map(({ name }) => name);
  if (by.source.trim() !== 'signals.phase' || names.length === 0 || names.includes(key)) return;
  const hint = didYouMean(key, names, `phases: ${names.join(', ')}`);
  look.warn('ASZ706', `${key} is never reached: there is no such phase`, path, hint, 'key');
}

/** A key that is looked up by the strategy, and is none; where the caller brings the candidates, anything may be one. */
function warnUnknownStrategy(
  look: WarningContext,
  by: Expression,
  key: string,
  path: readonly (string | number)[],
): void {
  const names = entryIds(look.root, 'strategies');
  if (by.source.trim() !== 'candidate.strategy.id' || names.length === 0 || names.includes(key)) return;
  const hint = didYouMean(key, names, `strategies: ${names.join(', ')}`);
  look.warn('ASZ706', `${key} is never reached: there is no such strategy`, path, hint, 'key');
}

/** Rows of a table: a level for each key, and a number under the last. */
function warnTableKeys(
  look: WarningContext,
  table: ReadonlyMap<string, unknown>,
  by: readonly Expression[],
  path: readonly (string | number)[],
): void {
  const [first, ...rest] = by;
  for (const [key, value] of table) {
    const at = [...path, key];
    if (first) warnUnknownPhase(look, first, key, at);
    if (first) warnUnknownStrategy(look, first, key, at);
    const deep = value instanceof Map;
    if (deep && rest.length > 0) warnTableKeys(look, value, rest, at);
    else if (deep && first) {
      const hint = 'its by has an expression for each level of the table';
      look.warn(
        'ASZ706',
        `${key} has a level that no expression of by looks up: its factors are never used`,
        at,
        hint,
        'key',
      );
    } else if (!deep && rest.length > 0) {
      const hint = `write a map of factors by ${rest.map(({ source }) => source).join(', ')} there, or shorten by`;
      look.warn(
        'ASZ706',
        `${key} ends in a number before the last expression of by: it is never used`,
        at,
        hint,
        'key',
      );
    }
  }
}
