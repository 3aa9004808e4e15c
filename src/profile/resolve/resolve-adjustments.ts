import { type DataPath, nameList } from '../../diagnostics/index.js';
import { isMap } from '../../expression/index.js';
import type { Adjustment, TableFactor } from '../profile.js';
import { adjustmentSchema } from '../schema/entry-schemas.js';
import type { ProfileData } from '../schema/profile-schema.js';
import { type RawMap, rawPhases } from '../source/raw-profile.js';
import { parsedEntries, type Resolver } from './resolver.js';

const toFactorMap = (table: RawMap): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(table).map(([key, value]) => [key, isMap(value) ? toFactorMap(value) : value]));

/** The rule that `phase_profiles` is short for: factors by phase and strategy. */
function phaseProfilesRule(resolver: Resolver, table: NonNullable<ProfileData['phase_profiles']>): Adjustment {
  const at: DataPath = ['phase_profiles'];
  const phases = rawPhases(resolver.root);
  for (const phase of phases ? Object.keys(table) : []) {
    if (phases && Object.hasOwn(phases, phase)) continue;
    const hint = `phases: ${nameList(Object.keys(phases ?? {}))}`;
    resolver.report('ASZ205', `there is no phase ${phase}`, [...at, phase], hint, 'key');
  }
  if (!phases) {
    const hint = 'declare phases: { early: { n_turns: 4 }, late: {} }';
    resolver.report('ASZ205', 'phase_profiles needs phases', at, hint, 'key');
  }
  const by = (phases ? ['signals.phase', 'candidate.strategy.id'] : [])
    .map((source) => resolver.resolveExpression(source, resolver.scopes.scorer(), 'any', at))
    .filter((key) => key !== undefined);
  const multiply: TableFactor = { table: toFactorMap(table), by, missing: 1, zero: 'score' };
  return {
    id: 'phase',
    when: undefined,
    set: undefined,
    add: undefined,
    multiply,
    min: undefined,
    max: undefined,
    reason: undefined,
  };
}

/** Resolves rules in order. That of `phase_profiles` comes first, after those that `before: phase` puts before it. */
export function resolveAdjustments(resolver: Resolver, table: ProfileData['phase_profiles']): Adjustment[] {
  const scored = resolver.scopes.scored();
  const rules: { readonly before: string | undefined; readonly rule: Adjustment }[] = [];
  for (const { data, path } of parsedEntries(resolver, 'adjustments', adjustmentSchema)) {
    const { id, when, set, add, multiply, min, max } = data;
    const factor = (): Adjustment['multiply'] => {
      if (typeof multiply !== 'object') return resolver.resolveNumber(multiply, scored, [...path, 'multiply']);
      const by = multiply.by.map((key, level) =>
        resolver.resolveExpression(key, resolver.scopes.scorer(), 'any', [...path, 'multiply', 'by', level]),
      );
      return {
        table: toFactorMap(multiply.table),
        by: by.filter((key) => key !== undefined),
        missing: multiply.missing,
        zero: multiply.zero,
      };
    };
    const rule = {
      id,
      when: resolver.resolveExpression(when, scored, 'bool', [...path, 'when']),
      set: resolver.resolveNumber(set, scored, [...path, 'set']),
      add: resolver.resolveNumber(add, scored, [...path, 'add']),
      multiply: factor(),
      min: resolver.resolveNumber(min, scored, [...path, 'min']),
      max: resolver.resolveNumber(max, scored, [...path, 'max']),
      reason: data.reason,
    };
    rules.push({ before: data.before, rule });
  }
  if (!table) return rules.map(({ rule }) => rule);
  // A rule with a `before` that names one of these goes before `phase` as well.
  const first = new Set(['phase']);
  for (const { before, rule } of rules.toReversed()) if (before !== undefined && first.has(before)) first.add(rule.id);
  const [ahead, behind] = [true, false].map((is) => rules.filter(({ rule }) => first.has(rule.id) === is));
  return [...(ahead ?? []), { rule: phaseProfilesRule(resolver, table) }, ...(behind ?? [])].map(({ rule }) => rule);
}
