import { isMap } from '../document/map.js';
import { phasesOf } from './check-names.js';
import { adjustment as adjustmentSchema } from './entry-schemas.js';
import type { Raw } from './merge.js';
import type { Adjustment, TableFactor } from './profile.js';
import { listed } from './resolve-entries.js';
import type { Path, Resolver } from './resolver.js';
import type { ProfileData } from './schema.js';
import type { Scopes } from './scopes.js';

const mapOf = (table: Raw): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(table).map(([key, value]) => [key, isMap(value) ? mapOf(value) : value]));

/** The seed's word for one rule: factors by phase and strategy. */
function phaseRule(resolver: Resolver, table: NonNullable<ProfileData['phase_profiles']>, scopes: Scopes): Adjustment {
  const at: Path = ['phase_profiles'];
  const phases = phasesOf(resolver.root);
  for (const phase of phases ? Object.keys(table) : []) {
    if (phases && Object.hasOwn(phases, phase)) continue;
    const hint = `phases: ${Object.keys(phases ?? {}).join(', ')}`;
    resolver.report('ASZ205', `there is no phase ${phase}`, [...at, phase], hint, 'key');
  }
  if (!phases) {
    const hint = 'declare phases: { early: { n_turns: 4 }, late: {} }';
    resolver.report('ASZ205', 'phase_profiles needs phases', at, hint, 'key');
  }
  const by = (phases ? ['signals.phase', 'candidate.strategy.id'] : [])
    .map((source) => resolver.expression(source, scopes.scorer(), 'any', at))
    .filter((key) => key !== undefined);
  const multiply: TableFactor = { table: mapOf(table), by, missing: 1, zero: 'score' };
  return { id: 'phase', when: undefined, set: undefined, add: undefined, multiply, min: undefined, max: undefined };
}

/** Rules in order. The one that `phase_profiles` makes comes first, but for those that `before: phase` puts there. */
export function resolveAdjustments(
  resolver: Resolver,
  table: ProfileData['phase_profiles'],
  scopes: Scopes,
): Adjustment[] {
  const scored = scopes.scored();
  const rules: { readonly before: string | undefined; readonly rule: Adjustment }[] = [];
  for (const { data, path } of listed(resolver, 'adjustments', adjustmentSchema)) {
    const { id, when, set, add, multiply, min, max } = data;
    const factor = (): Adjustment['multiply'] => {
      if (typeof multiply !== 'object') return resolver.amount(multiply, scored, [...path, 'multiply']);
      const by = multiply.by.map((key, level) =>
        resolver.expression(key, scopes.scorer(), 'any', [...path, 'multiply', 'by', level]),
      );
      return {
        table: mapOf(multiply.table),
        by: by.filter((key) => key !== undefined),
        missing: multiply.missing,
        zero: multiply.zero,
      };
    };
    const rule = {
      id,
      when: resolver.expression(when, scored, 'bool', [...path, 'when']),
      set: resolver.amount(set, scored, [...path, 'set']),
      add: resolver.amount(add, scored, [...path, 'add']),
      multiply: factor(),
      min: resolver.amount(min, scored, [...path, 'min']),
      max: resolver.amount(max, scored, [...path, 'max']),
    };
    rules.push({ before: data.before, rule });
  }
  if (!table) return rules.map(({ rule }) => rule);
  // What stands before a rule that goes before `phase` goes there as well.
  const first = new Set(['phase']);
  for (const { before, rule } of rules.toReversed()) if (before !== undefined && first.has(before)) first.add(rule.id);
  const [ahead, behind] = [true, false].map((is) => rules.filter(({ rule }) => first.has(rule.id) === is));
  return [...(ahead ?? []), { rule: phaseRule(resolver, table, scopes) }, ...(behind ?? [])].map(({ rule }) => rule);
}
