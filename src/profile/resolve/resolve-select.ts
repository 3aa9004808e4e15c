import type { z } from 'zod';
import { locate } from '../../diagnostics/places.js';
import { isMap } from '../../expression/is-map.js';
import { budgetReserveExcess } from '../budget-reserve.js';
import type { RawMap } from '../merge/merge-profiles.js';
import type { BudgetSpec, PackEntry, SelectorEntry, SelectSpec } from '../profile.js';
import { partialParse } from '../schema/partial-parse.js';
import { formatDataPath } from '../schema/schema-problems.js';
import { budgetSchema, packSchema, placeSchema, selectSchema } from '../schema/select-schema.js';
import type { ExpressionScopes } from './expression-scopes.js';
import type { Path, Resolver } from './resolver.js';

type BudgetData = z.output<typeof budgetSchema>;

/**
 * Which of the scored are selected, and in what order. Each part is looked at as far as it is well formed: what is wrong
 * with its shape is reported with the whole profile, and must not hide what else is wrong.
 */
export function resolveSelect(resolver: Resolver, scopes: ExpressionScopes): SelectSpec {
  const written = resolver.root['select'];
  const { pack, place, ...rest } = isMap(written) ? written : {};
  const select = partialParse(selectSchema, rest) ?? {};
  return {
    duplicates: resolver.resolveExpression(select.duplicates, scopes.scored(), 'any', ['select', 'duplicates']),
    minScore: select.min_score,
    ties: select.ties?.map((tie, index) =>
      tie === 'input' ? undefined : resolver.resolveExpression(tie, scopes.scored(), 'any', ['select', 'ties', index]),
    ),
    top: select.top,
    prune: select.prune ?? true,
    pack: isMap(pack) ? resolvePack(resolver, pack, scopes) : undefined,
    place: isMap(place) ? resolveSelector(resolver, place, scopes, ['select', 'place']) : undefined,
  };
}

function resolvePack(resolver: Resolver, raw: RawMap, scopes: ExpressionScopes): PackEntry | undefined {
  const path: Path = ['select', 'pack'];
  const { shape } = packSchema;
  const source = partialParse(shape.cost, raw['cost']);
  const cost = resolver.resolveExpression(source, scopes.scored(), 'number', [...path, 'cost']);
  const budget = toBudgetSpec(partialParse(shape.budget, raw['budget']));
  checkBudget(resolver, budget, [...path, 'budget']);
  const entry = resolveSelector(resolver, raw, scopes, path);
  const overflow = partialParse(shape.overflow, raw['overflow']) ?? 'throw';
  return cost && entry && { ...entry, cost, budget, overflow };
}

function resolveSelector(
  resolver: Resolver,
  raw: RawMap,
  scopes: ExpressionScopes,
  path: Path,
): SelectorEntry | undefined {
  const name = partialParse(placeSchema.shape.class, raw['class']);
  if (name === undefined) return undefined;
  const use = resolver.resolveClassUse(
    name,
    partialParse(placeSchema.shape.params, raw['params']),
    raw,
    'selector',
    scopes.scored(),
    path,
  );
  return use && { use, path: formatDataPath(path), place: locate(resolver.root, path, 'value') };
}

function toBudgetSpec(data: BudgetData | undefined): BudgetSpec {
  if (typeof data !== 'object') return { target: data, max: data, outputReserve: 0, reservedSlots: 0, safetyMargin: 0 };
  const { target, max, output_reserve: outputReserve, reserved_slots: slots, safety_margin: safetyMargin } = data;
  const reservedSlots = Object.values(slots).reduce((sum, slot) => sum + slot, 0);
  return { target: target ?? max, max: max ?? target, outputReserve, reservedSlots, safetyMargin };
}

/** What no single number shows. */
function checkBudget(resolver: Resolver, budget: BudgetSpec, path: Path): void {
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
