import { didYouMean, type DataPath, locate, nameList } from '../../base/index.js';
import { isMap } from '../../expression/index.js';
import { hasRelativeWeights, readsWeights } from '../combine-methods.js';
import type { Adjustment, CaseWeights, CombineMethod, ScorerEntry, TableFactor } from '../profile.js';
import { adjustmentSchema } from '../schema/entry-schemas.js';
import type { ProfileData } from '../schema/profile-schema.js';
import { entryIds, type RawMap, rawPhases } from '../source/raw-profile.js';
import { parsedEntries, type Resolver } from './resolver.js';

/** Resolves `combine`: a name, or a formula. */
export function resolveCombine(resolver: Resolver, combine: ProfileData['combine']): CombineMethod {
  if (typeof combine === 'string') return combine;
  const scope = resolver.scopes.formula();
  const formula = resolver.resolveExpression(combine.formula, scope, 'number', ['combine', 'formula']);
  return formula ? { formula } : 'weighted_mean';
}

/** Resolves `weights`, and checks that every case weighs scorers. */
export function resolveWeights(resolver: Resolver, weights: ProfileData['weights']): CaseWeights | undefined {
  if (!weights) return undefined;
  // Disabled scorers count as well: a profile may disable a scorer and inherit its weights.
  const scorerIds = entryIds(resolver.root, 'tier2_scorers');
  const by = resolver.resolveExpression(weights.by, resolver.scopes.scorer(), 'any', ['weights', 'by']);
  for (const [name, byId] of Object.entries(weights.cases)) {
    for (const id of Object.keys(byId)) {
      if (scorerIds.includes(id)) continue;
      const hint = didYouMean(id, scorerIds, `tier2_scorers: ${nameList(scorerIds)}`);
      resolver.report('ASZ205', `unknown scorer ${id}`, ['weights', 'cases', name, id], hint, 'key');
    }
  }
  const cases = new Map(Object.entries(weights.cases).map(([name, byId]) => [name, new Map(Object.entries(byId))]));
  return by && { by, cases };
}

/** Checks that a weight of a mean is not negative. */
function checkNotNegative(resolver: Resolver, weight: unknown, path: DataPath): void {
  if (typeof weight !== 'number' || !(weight < 0)) return; // the schema reports other types
  const hint = 'weights are relative here; reverse the scorer, or use combine: weighted_sum';
  resolver.report('ASZ202', `expected a weight of at least 0, found ${weight}`, path, hint);
}

/** Reports weights that the combine method ignores: at the weights, or at `combine` if they are inherited. */
function reportUnreadWeights(resolver: Resolver, combine: CombineMethod, written: readonly DataPath[]): void {
  const { root } = resolver;
  const message = `${typeof combine === 'string' ? combine : 'a formula'} uses no weights`;
  const at = locate(root, ['combine'], 'value')?.file;
  const near = written.filter((path) => locate(root, path, 'key')?.file === at);
  for (const path of near)
    resolver.report('ASZ202', message, path, 'remove it, or use combine: weighted_mean or weighted_sum', 'key');
  const inherited = written.length - near.length;
  if (inherited === 0) return;
  const hint = 'replace those entries by entries without a weight, or use combine: weighted_mean or weighted_sum';
  resolver.report('ASZ202', `${message}, so ${inherited} inherited weights would be lost`, ['combine'], hint);
}

/** Checks that relative weights are not negative and not all 0, and that no weight is written if `combine` ignores it. */
export function checkWeights(
  resolver: Resolver,
  combine: CombineMethod,
  scorers: readonly ScorerEntry[],
  weights: CaseWeights | undefined,
): void {
  const list: unknown = resolver.root['tier2_scorers'];
  const entries = (Array.isArray(list) ? list : []).map((entry: unknown, index) => ({
    entry,
    path: ['tier2_scorers', index, 'weight'],
  }));
  const written = entries.filter(
    ({ entry }) => isMap(entry) && entry['enabled'] !== false && Object.hasOwn(entry, 'weight'),
  );
  if (!readsWeights(combine)) {
    reportUnreadWeights(resolver, combine, [...written.map(({ path }) => path), ...(weights ? [['weights']] : [])]);
    return;
  }
  if (!hasRelativeWeights(combine)) return;
  for (const { entry, path } of written) checkNotNegative(resolver, isMap(entry) ? entry['weight'] : undefined, path);
  for (const [name, byId] of weights?.cases ?? []) {
    for (const [id, weight] of byId) checkNotNegative(resolver, weight, ['weights', 'cases', name, id]);
  }
  // Malformed entries are not in `scorers`; their weights are unknown.
  const enabled = entries.filter(({ entry }) => isMap(entry) && entry['enabled'] !== false);
  if (scorers.length > 0 && scorers.length === enabled.length && scorers.every(({ weight }) => weight === 0)) {
    const hint = 'a mean needs at least one weight above 0';
    resolver.report('ASZ202', 'all weights are 0', ['tier2_scorers'], hint, 'key');
  }
}

const toFactorMap = (table: RawMap): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(table).map(([key, value]) => [key, isMap(value) ? toFactorMap(value) : value]));

/** The rule that `phase_profiles` is shorthand for: factors by phase and strategy. */
function phaseProfilesRule(resolver: Resolver, table: NonNullable<ProfileData['phase_profiles']>): Adjustment {
  const at: DataPath = ['phase_profiles'];
  const phases = rawPhases(resolver.root);
  for (const phase of phases ? Object.keys(table) : []) {
    if (phases && Object.hasOwn(phases, phase)) continue;
    const hint = `phases: ${nameList(Object.keys(phases ?? {}))}`;
    resolver.report('ASZ205', `unknown phase ${phase}`, [...at, phase], hint, 'key');
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
    group: undefined,
    when: undefined,
    set: undefined,
    add: undefined,
    multiply,
    min: undefined,
    max: undefined,
    refuse: undefined,
    reason: undefined,
  };
}

/** Resolves rules in order. The rule of `phase_profiles` comes first, after any rules with `before: phase`. */
export function resolveAdjustments(resolver: Resolver, table: ProfileData['phase_profiles']): Adjustment[] {
  const rules: { readonly before: string | undefined; readonly rule: Adjustment }[] = [];
  for (const { data, path } of parsedEntries(resolver, 'adjustments', adjustmentSchema)) {
    const { id, group, when, set, add, multiply, min, max } = data;
    const scored = group === undefined ? resolver.scopes.scored() : resolver.scopes.grouped();
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
    const condition = resolver.resolveExpression(when, scored, 'bool', [...path, 'when']);
    // A score or a measure may be missing because its entry failed: then the rule fails closed.
    const judges = condition?.reads.some((name) => /^(?:scores|measures)\b/.test(name)) ?? false;
    const rule = {
      id,
      group: resolver.resolveExpression(group, resolver.scopes.scored(), 'any', [...path, 'group']),
      when: condition,
      set: resolver.resolveNumber(set, scored, [...path, 'set']),
      add: resolver.resolveNumber(add, scored, [...path, 'add']),
      multiply: factor(),
      min: resolver.resolveNumber(min, scored, [...path, 'min']),
      max: resolver.resolveNumber(max, scored, [...path, 'max']),
      refuse: data.refuse && { onAbsent: data.on_absent ?? (judges ? 'refuse' : 'pass') },
      reason: data.reason,
    };
    rules.push({ before: data.before, rule });
  }
  if (!table) return rules.map(({ rule }) => rule);
  // A rule that comes before one of these rules also comes before `phase`.
  const first = new Set(['phase']);
  for (const { before, rule } of rules.toReversed()) if (before !== undefined && first.has(before)) first.add(rule.id);
  const [ahead, behind] = [true, false].map((is) => rules.filter(({ rule }) => first.has(rule.id) === is));
  return [...(ahead ?? []), { rule: phaseProfilesRule(resolver, table) }, ...(behind ?? [])].map(({ rule }) => rule);
}
