import type * as z from 'zod';
import type { DataPath } from '../../diagnostics/index.js';
import { isMap } from '../../expression/index.js';
import type { BudgetSpec, Limit, PackEntry, SelectorEntry, SelectSpec } from '../selection.js';
import { budgetReserveExcess } from '../profile-queries.js';
import { budgetSchema, packSchema, perSchema, placeSchema, selectSchema } from '../schema/select-schema.js';
import type { RawMap } from '../source/raw-profile.js';
import { resolveClassUse } from './resolve-use.js';
import { partialParse, type Resolver } from './resolver.js';

type BudgetData = z.output<typeof budgetSchema>;

/** Resolves the well-formed parts of `select`. */
export function resolveSelect(resolver: Resolver): SelectSpec {
  const scope = resolver.scopes.scored();
  const written = resolver.root['select'];
  const { per, diversify, pack, place, ...rest } = isMap(written) ? written : {};
  const select = partialParse(selectSchema, rest) ?? {};
  return {
    duplicates: resolver.resolveExpression(select.duplicates, scope, 'any', ['select', 'duplicates']),
    minScore: resolveLimit(resolver, select.min_score, ['select', 'min_score']),
    per: isMap(per) ? resolvePer(resolver, per) : undefined,
    ties: select.ties?.map((tie, index) =>
      tie === 'input' ? undefined : resolver.resolveExpression(tie, scope, 'any', ['select', 'ties', index]),
    ),
    top: resolveLimit(resolver, select.top, ['select', 'top']),
    diversify: isMap(diversify) ? resolveSelector(resolver, diversify, ['select', 'diversify']) : undefined,
    prune: select.prune ?? true,
    pack: isMap(pack) ? resolvePack(resolver, pack) : undefined,
    place: isMap(place) ? resolveSelector(resolver, place, ['select', 'place']) : undefined,
  };
}

/** A limit: a number, or an expression on the context. */
function resolveLimit(resolver: Resolver, value: number | string | undefined, path: DataPath): Limit | undefined {
  if (typeof value !== 'string') return value;
  const expression = resolver.resolveExpression(value, resolver.scopes.limit(), 'number', path);
  return expression && { expression, ...resolver.location(path) };
}

function resolvePer(resolver: Resolver, raw: RawMap): SelectSpec['per'] {
  const source = partialParse(perSchema.shape.by, raw['by']);
  const by = resolver.resolveExpression(source, resolver.scopes.scored(), 'any', ['select', 'per', 'by']);
  const top = partialParse(perSchema.shape.top, raw['top']);
  return by && top !== undefined ? { by, top } : undefined;
}

function resolvePack(resolver: Resolver, raw: RawMap): PackEntry | undefined {
  const path: DataPath = ['select', 'pack'];
  const { shape } = packSchema;
  const source = partialParse(shape.cost, raw['cost']);
  const cost = resolver.resolveExpression(source, resolver.scopes.scored(), 'number', [...path, 'cost']);
  const budget = toBudgetSpec(partialParse(shape.budget, raw['budget']));
  checkBudget(resolver, budget, [...path, 'budget']);
  const entry = resolveSelector(resolver, raw, path);
  const overflow = partialParse(shape.overflow, raw['overflow']) ?? 'throw';
  return cost && entry && { ...entry, cost, budget, overflow };
}

function resolveSelector(resolver: Resolver, raw: RawMap, path: DataPath): SelectorEntry | undefined {
  const name = partialParse(placeSchema.shape.class, raw['class']);
  if (name === undefined) return undefined;
  const params = partialParse(placeSchema.shape.params, raw['params']);
  const use = resolveClassUse(resolver, name, params, raw, 'selector', resolver.scopes.scored(), path);
  return use && { use, ...resolver.location(path) };
}

function toBudgetSpec(data: BudgetData | undefined): BudgetSpec {
  if (typeof data !== 'object') return { target: data, max: data, outputReserve: 0, reservedSlots: 0, safetyMargin: 0 };
  const { target, max, output_reserve: outputReserve, reserved_slots: slots, safety_margin: safetyMargin } = data;
  const reservedSlots = Object.values(slots).reduce((sum, slot) => sum + slot, 0);
  return { target: target ?? max, max: max ?? target, outputReserve, reservedSlots, safetyMargin };
}

/** Checks the numbers of a budget against each other. */
function checkBudget(resolver: Resolver, budget: BudgetSpec, path: DataPath): void {
  const { target, max, outputReserve } = budget;
  if (target === undefined || max === undefined) return;
  if (target > max) {
    const message = `the target of ${target} is more than the max of ${max}`;
    resolver.report('ASZ210', message, [...path, 'target'], 'the target is what is filled, within the max');
  }
  const excess = budgetReserveExcess(budget, max);
  if (excess !== undefined) {
    const key = outputReserve > max ? 'output_reserve' : 'reserved_slots';
    resolver.report('ASZ210', excess, [...path, key], 'what is kept free is a part of the max');
  }
}
