import { isJsonMap, type JsonData, scalarText } from '../../save/data-edit.js';
import { formatCount } from '../parts/in-words.js';
import { scalarWords } from '../recipe/param-words.js';

/** A limit per group in words: `At most 3 with the same Director`. */
export function groupWords(per: JsonData | undefined): string {
  if (!isJsonMap(per)) return 'A limit per group';
  return `At most ${scalarWords(per['top'] ?? '') ?? ''} with the same ${fieldOf(per['by'])}`;
}

/** A variety in words: `Prefers items that differ in Major Genre`. */
export function varietyWords(diversify: JsonData | undefined): string {
  const params = isJsonMap(diversify) ? diversify['params'] : undefined;
  const fields = isJsonMap(params) ? [params['fields']].flat().map(fieldOf).filter(Boolean) : [];
  return fields.length === 0 ? 'Prefers items that differ' : `Prefers items that differ in ${fields.join(' and ')}`;
}

/** `candidate["Major Genre"]` → `Major Genre`; other expressions as they are. */
export const fieldOf = (text: JsonData | undefined): string =>
  scalarText(text)
    .replace(/^candidate(?=\.|\[)\.?/, '')
    .replace(/^\["([^"\]]+)"\]$/, '$1');

/** The amounts of a budget by key: that of a single number has the path `budget`. */
export interface BudgetAmount {
  readonly path: readonly string[];
  readonly amount: number;
}

/** The amounts that limit the selection. */
export function budgetAmounts(pack: JsonData | undefined): readonly BudgetAmount[] {
  const budget = isJsonMap(pack) ? pack['budget'] : undefined;
  const path = ['select', 'pack', 'budget'];
  if (typeof budget === 'number') return [{ path, amount: budget }];
  return ['max', 'target'].flatMap((key) => {
    const amount = isJsonMap(budget) ? budget[key] : undefined;
    return typeof amount === 'number' ? [{ path: [...path, key], amount }] : [];
  });
}

/** A budget in words: `Fills up to 4,000 of tokens`. */
export function budgetWords(pack: JsonData | undefined): string {
  const amounts = budgetAmounts(pack).map(({ amount }) => formatCount(amount));
  return `Fills up to ${amounts.join(' to ')} of ${fieldOf(isJsonMap(pack) ? pack['cost'] : '')}`;
}
