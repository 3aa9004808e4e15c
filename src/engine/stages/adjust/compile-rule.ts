import type { Adjustment, NumberOrExpression, TableFactor } from '../../../profile/index.js';
import type { Binder } from '../../units/binder.js';
import { keyText } from '../key-text.js';
import type { CompiledAmount, CompiledFactor, CompiledRule } from './types.js';

/** Compiles one rule on the combined score. */
export function compileRule(rule: Adjustment, binder: Binder): CompiledRule {
  const amount = (value: NumberOrExpression | undefined): CompiledAmount | undefined =>
    value === undefined ? undefined : typeof value === 'number' ? () => value : binder.bind(value);
  const { multiply } = rule;
  const isTable = typeof multiply === 'object' && 'table' in multiply;
  const factor = isTable ? undefined : amount(multiply);
  return {
    id: rule.id,
    when: rule.when && binder.bind(rule.when),
    set: amount(rule.set),
    add: amount(rule.add),
    multiply: isTable ? tableFactor(multiply, binder) : factor && { factor, keys: [], zeroRefuses: false },
    min: amount(rule.min),
    max: amount(rule.max),
  };
}

/** Looks the factor up, one key a level; the rule does not fire where a key is absent. */
function tableFactor({ table, by, missing, zero }: TableFactor, binder: Binder): CompiledFactor {
  const keys = by.map((key) => binder.bind(key));
  const factor: CompiledAmount = (candidate, row) => {
    let at: unknown = table;
    for (const keyOf of keys) {
      const key = keyOf(candidate, row);
      if (key === undefined) return undefined;
      at = at instanceof Map ? at.get(keyText(key)) : undefined;
    }
    return typeof at === 'number' ? at : missing;
  };
  return { factor, keys, zeroRefuses: zero === 'refuse' };
}
