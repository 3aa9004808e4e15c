import type { z } from 'zod';
import { isMap } from '../document/map.js';
import { locate } from '../document/places.js';
import { tooMuchKeptFree } from './kept-free.js';
import type { Raw } from './merge.js';
import type { BudgetSpec, PackEntry, Selection, SelectorEntry } from './profile.js';
import type { Path, Resolver } from './resolver.js';
import { wellFormed } from './salvage.js';
import { pathText } from './schema-problems.js';
import type { Scopes } from './scopes.js';
import {
  budget as budgetSchema,
  pack as packSchema,
  place as placeSchema,
  select as selectSchema,
} from './select-schema.js';

type BudgetData = z.output<typeof budgetSchema>;

/**
 * Which of the scored are selected, and in what order. Each part is looked at as far as it is well formed: what is wrong
 * with its shape is reported with the whole profile, and must not hide what else is wrong.
 */
export function resolveSelection(resolver: Resolver, scopes: Scopes): Selection {
  const written = resolver.root['select'];
  const { pack, place, ...rest } = isMap(written) ? written : {};
  const select = wellFormed(selectSchema, rest) ?? {};
  return {
    duplicates: resolver.expression(select.duplicates, scopes.scored(), 'any', ['select', 'duplicates']),
    minScore: select.min_score,
    ties: select.ties?.map((tie, index) =>
      tie === 'input' ? undefined : resolver.expression(tie, scopes.scored(), 'any', ['select', 'ties', index]),
    ),
    top: select.top,
    prune: select.prune ?? true,
    pack: isMap(pack) ? resolvePack(resolver, pack, scopes) : undefined,
    place: isMap(place) ? selector(resolver, place, scopes, ['select', 'place']) : undefined,
  };
}

function resolvePack(resolver: Resolver, raw: Raw, scopes: Scopes): PackEntry | undefined {
  const path: Path = ['select', 'pack'];
  const { shape } = packSchema;
  const source = wellFormed(shape.cost, raw['cost']);
  const cost = resolver.expression(source, scopes.scored(), 'number', [...path, 'cost']);
  const budget = budgetOf(wellFormed(shape.budget, raw['budget']));
  checkBudget(resolver, budget, [...path, 'budget']);
  const entry = selector(resolver, raw, scopes, path);
  const overflow = wellFormed(shape.overflow, raw['overflow']) ?? 'throw';
  return cost && entry && { ...entry, cost, budget, overflow };
}

function selector(resolver: Resolver, raw: Raw, scopes: Scopes, path: Path): SelectorEntry | undefined {
  const name = wellFormed(placeSchema.shape.class, raw['class']);
  if (name === undefined) return undefined;
  const use = resolver.classUse(
    name,
    wellFormed(placeSchema.shape.params, raw['params']),
    raw,
    'selector',
    scopes.scored(),
    path,
  );
  return use && { use, path: pathText(path), place: locate(resolver.root, path, 'value') };
}

function budgetOf(data: BudgetData | undefined): BudgetSpec {
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
  const excess = tooMuchKeptFree(budget, max);
  if (excess !== undefined) {
    const key = outputReserve > max ? 'output_reserve' : 'reserved_slots';
    resolver.report('ASZ210', excess, [...path, key], 'what is kept free is a part of the max');
  }
}
