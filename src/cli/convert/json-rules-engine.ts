import { type DataPath, describeValue } from '../../base/index.js';
import { isMap } from '../../expression/index.js';
import { type Conversion, type Draft, type DraftEntry, fieldText, joined, literal, mapAt } from './draft.js';

/** What an event becomes: a refusal, or the number that it adds to the score. */
export type EventEffect = 'veto' | number;

/** Params of an event that are read as the number it adds. */
const AMOUNTS = ['score', 'weight', 'points'];

/**
 * Converts rules of json-rules-engine 7. A rule becomes a scorer of 1 if its event fires and else 0, in a weighted sum,
 * or a veto.
 *
 * Where a value is missing or has another type than an operator needs, the rule does not fire, as in an engine with
 * `allowUndefinedFacts`. A scorer that is absent or fails gives 0, so conditions need not test types, except under `not`.
 *
 * @param effects what an event becomes, by its type
 */
export function convertRules(conversion: Conversion, effects: ReadonlyMap<string, EventEffect>): Draft {
  const { data } = conversion;
  const isFile = isMap(data) && !('event' in data);
  const listKey = isFile && 'rules' in data ? 'rules' : 'decisions';
  const base: DataPath = isFile ? [listKey] : [];
  const rules = isFile ? data[listKey] : data;
  const isList = Array.isArray(rules);
  const list: readonly unknown[] = isList ? rules : [rules];
  const vetoes: DraftEntry[] = [];
  const scorers: DraftEntry[] = [];
  const conditions = new Conditions(conversion, isFile ? data['conditions'] : undefined);
  if (isFile) {
    for (const key of Object.keys(data)) {
      if (key !== listKey && key !== 'conditions')
        conversion.lost([key], 'this key is not one of rules and conditions');
    }
  }
  const seen = new Set<string>();
  for (const [index, rule] of list.entries()) {
    const path = isList ? [...base, index] : base;
    const map = mapAt(conversion, rule, path);
    const converted = map && convertRule(conversion, conditions, map, path, effects, seen);
    if (converted) (converted.isVeto ? vetoes : scorers).push(converted);
  }
  for (const type of effects.keys()) {
    if (!seen.has(type)) conversion.note([], `--event ${type}: no rule has an event of this type`);
  }
  return {
    source: `${list.length} ${list.length === 1 ? 'rule' : 'rules'} of json-rules-engine`,
    names: conditions.names,
    vetoes,
    scorers,
    rest: { combine: 'weighted_sum' },
  };
}

function convertRule(
  conversion: Conversion,
  conditions: Conditions,
  rule: Readonly<Record<string, unknown>>,
  path: DataPath,
  effects: ReadonlyMap<string, EventEffect>,
  seen: Set<string>,
): (DraftEntry & { readonly isVeto: boolean }) | undefined {
  const { event, name, priority, conditions: root } = rule;
  for (const key of Object.keys(rule)) {
    if (['conditions', 'event', 'name'].includes(key)) continue;
    if (key === 'priority') conversion.note([...path, key], `priority ${literal(priority)} only orders evaluation`);
    else
      conversion.lost([...path, key], `${key} was not carried over`, 'a profile has no callbacks: act on its result');
  }
  if (!isMap(event) || typeof event['type'] !== 'string') {
    return conversion.lost([...path, 'event'], `expected an event with a type, found ${describeValue(event)}`);
  }
  const { type, params } = event;
  seen.add(type);
  if (!isMap(root) || !['all', 'any', 'not', 'condition'].some((key) => Object.hasOwn(root, key))) {
    return conversion.lost([...path, 'conditions'], 'expected conditions with all, any, not or condition');
  }
  const effect = effects.get(type);
  const condition = conditions.of(root, [...path, 'conditions'], false);
  const expr = condition && conversion.checked([...path, 'conditions'], condition);
  if (expr === undefined) {
    return conversion.lost(
      path,
      `the rule of event ${literal(type)} was not carried over`,
      'a part of it has no equivalent',
    );
  }
  const values = isMap(params) ? params : {};
  const amount = AMOUNTS.find((key) => typeof values[key] === 'number');
  const shown = Object.keys(values).filter((key) => key !== amount);
  if (shown.length > 0 || (params !== undefined && !isMap(params))) {
    const hint = 'look them up in your program by the id of the entry';
    conversion.note([...path, 'event', 'params'], `params of the event are kept only in a comment`, hint);
  }
  const label = typeof name === 'string' && name !== '' && name.length <= 100 ? { label: name } : {};
  const id = conversion.idOf(type, 'event');
  const comment = `event ${literal(event)}`;
  if (effect === 'veto') {
    return { isVeto: true, comment, entry: { id, ...label, expr, on_absent: 'pass', on_error: 'pass' } };
  }
  const weight = effect ?? (amount === undefined ? 1 : values[amount]);
  const scored = { id, ...label, expr: `${expr} ? 1.0 : 0.0` };
  return { isVeto: false, comment, entry: { ...scored, weight, on_absent: 0, on_error: 0 } };
}

/** Operators that compare two numbers. */
const COMPARISONS: Readonly<Record<string, string>> = {
  lessThan: '<',
  lessThanInclusive: '<=',
  greaterThan: '>',
  greaterThanInclusive: '>=',
};

/** Converts conditions to expressions, and the named conditions of a file to names of `let`. */
class Conditions {
  readonly names: { comment: string; name: string; expr: string }[] = [];
  /** By the name in the file: the name in the profile, undefined if it cannot be converted or refers to itself. */
  readonly #named = new Map<string, string | undefined>();
  /** The params with which a condition first calls a fact. */
  readonly #params = new Map<string, string>();
  readonly #file: Readonly<Record<string, unknown>>;

  constructor(
    readonly conversion: Conversion,
    named: unknown,
  ) {
    const isGiven = named !== undefined && mapAt(conversion, named, ['conditions']);
    this.#file = isGiven || {};
  }

  /**
   * @param isTotal whether the expression must be true or false for any candidate, because something negates it;
   *   otherwise it may be absent or fail instead of false
   * @returns undefined if it has no equivalent, which is reported
   */
  of(value: unknown, path: DataPath, isTotal: boolean): string | undefined {
    const condition = mapAt(this.conversion, value, path);
    if (!condition) return undefined;
    for (const key of ['any', 'all'] as const) {
      if (!Object.hasOwn(condition, key)) continue;
      this.#unread(condition, path, key);
      const list = condition[key];
      if (!Array.isArray(list)) {
        return this.conversion.lost([...path, key], `expected a list, found ${describeValue(list)}`);
      }
      const parts = list.map((one, index) => this.of(one, [...path, key, index], isTotal));
      return parts.every((one) => one !== undefined) ? joined(parts, key === 'all' ? '&&' : '||') : undefined;
    }
    if (Object.hasOwn(condition, 'not')) {
      this.#unread(condition, path, 'not');
      const inner = this.of(condition['not'], [...path, 'not'], true);
      return inner === undefined ? undefined : `!(${inner})`;
    }
    if (Object.hasOwn(condition, 'condition')) {
      this.#unread(condition, path, 'condition');
      return this.#reference(condition['condition'], [...path, 'condition']);
    }
    return this.#comparison(condition, path, isTotal);
  }

  /** Reports keys next to a boolean operator, which json-rules-engine does not read. */
  #unread(condition: Readonly<Record<string, unknown>>, path: DataPath, used: string): void {
    for (const key of Object.keys(condition)) {
      if (key === used || key === 'name') continue;
      const why = key === 'priority' ? 'only orders evaluation' : `has no effect next to ${used}`;
      this.conversion.note([...path, key], `${key} ${why}`);
    }
  }

  /** A named condition. It becomes a name, so that it is written once, however often it is used. */
  #reference(name: unknown, path: DataPath): string | undefined {
    if (typeof name !== 'string' || !Object.hasOwn(this.#file, name)) {
      const hint = 'put the rules into { "rules": […], "conditions": { NAME: … } }';
      return this.conversion.lost(path, `no condition ${literal(name)} is in the file`, hint);
    }
    if (this.#named.has(name)) {
      const known = this.#named.get(name);
      return (
        known ?? this.conversion.lost(path, `condition ${literal(name)} was not carried over, or refers to itself`)
      );
    }
    this.#named.set(name, undefined);
    const expr = this.of(this.#file[name], ['conditions', name], true);
    if (expr === undefined) return undefined;
    const id = this.conversion.idOf(name, 'condition');
    this.names.push({ comment: `condition ${literal(name)}`, name: id, expr });
    this.#named.set(name, id);
    return id;
  }

  #comparison(condition: Readonly<Record<string, unknown>>, path: DataPath, isTotal: boolean): string | undefined {
    const { conversion } = this;
    const { operator, value } = condition;
    for (const key of Object.keys(condition)) {
      if (['fact', 'operator', 'value', 'path', 'params', 'name'].includes(key)) continue;
      if (key === 'priority') conversion.note([...path, key], 'priority only orders evaluation');
      else conversion.lost([...path, key], `${key} is not a key of a condition`);
    }
    for (const key of ['fact', 'operator', 'value']) {
      if (!Object.hasOwn(condition, key)) return conversion.lost(path, `the condition has no ${key}`);
    }
    const left = this.#fact(condition, path);
    if (left === undefined) return undefined;
    if (isMap(value) && Object.hasOwn(value, 'fact')) {
      const right = this.#fact(value, [...path, 'value']);
      return right === undefined ? undefined : this.#ofFacts(left, operator, right, path, isTotal);
    }
    return this.#ofValue(left, operator, value, path, isTotal);
  }

  /** An expression that reads a fact: a field of the candidate. */
  #fact({ fact, path: jsonPath, params }: Readonly<Record<string, unknown>>, path: DataPath): string | undefined {
    const { conversion } = this;
    if (typeof fact !== 'string' || fact === '__proto__') {
      return conversion.lost([...path, 'fact'], `expected the name of a fact, found ${describeValue(fact)}`);
    }
    const called = literal(params ?? null);
    const before = this.#params.get(fact);
    if (before !== undefined && before !== called) {
      const hint = 'a field has one value: use a fact of another name for each set of params';
      return conversion.lost([...path, 'fact'], `fact ${fact} is used with other params before`, hint);
    }
    this.#params.set(fact, called);
    if (params !== undefined && before === undefined) {
      const hint = `compute it before, and pass it as the field ${fact} of each candidate`;
      conversion.lost([...path, 'params'], `fact ${fact} has params, so your program computes it`, hint);
    }
    const keys = jsonPath === undefined || jsonPath === '' ? [] : pathKeys(jsonPath);
    if (keys === undefined) {
      const hint = 'names and positions are carried over: $.owner.name, $.tags[0]';
      return conversion.lost([...path, 'path'], `the path ${literal(jsonPath)} has no equivalent`, hint);
    }
    return fieldText([fact, ...keys]);
  }

  #ofValue(left: string, operator: unknown, value: unknown, path: DataPath, isTotal: boolean): string | undefined {
    const at = [...path, 'value'];
    if (typeof value === 'number' && !Number.isFinite(value)) return this.conversion.lost(at, 'the number is infinite');
    const isObject = typeof value === 'object' && value !== null;
    const number = typeof operator === 'string' && Object.hasOwn(COMPARISONS, operator) && COMPARISONS[operator];
    if (number) {
      if (typeof value !== 'number') {
        const hint = 'write a number, or a fact with one';
        return this.conversion.lost(at, `${operator} compares ${describeValue(value)} as JavaScript converts it`, hint);
      }
      return `${isTotal ? `${isNumber(left)} && ` : ''}${left} ${number} ${literal(value)}`;
    }
    const list = `[${Array.isArray(value) ? value.filter(isSimple).map(literal).join(', ') : ''}]`;
    switch (operator) {
      case 'equal':
      case 'notEqual': {
        const isEqual = operator === 'equal';
        if (isObject) {
          this.conversion.note(at, `a list or map is never equal to another one in json-rules-engine`);
          return isEqual ? 'false' : 'true';
        }
        if (value === null) {
          this.conversion.note(at, 'a missing field counts as null, which json-rules-engine distinguishes');
          return `${left} ${isEqual ? '==' : '!='} null`;
        }
        if (!isEqual) return `${left} == null || ${left} != ${literal(value)}`;
        return `${isTotal ? `${left} != null && ` : ''}${left} == ${literal(value)}`;
      }
      case 'in':
      case 'notIn': {
        if (!Array.isArray(value)) {
          return this.conversion.lost(at, `${operator} needs a list, found ${describeValue(value)}`);
        }
        if (!value.every((one) => isSimple(one) || one === null)) {
          this.conversion.note(at, 'a list or map in the list is never equal to a fact in json-rules-engine');
        }
        const hasNull = value.includes(null);
        if (hasNull) this.conversion.note(at, 'a missing field counts as null, which json-rules-engine distinguishes');
        if (operator === 'notIn')
          return hasNull ? `${left} != null && !(${left} in ${list})` : `${left} == null || !(${left} in ${list})`;
        if (hasNull) return `${left} == null || ${left} in ${list}`;
        return `${isTotal ? `${left} != null && ` : ''}${left} in ${list}`;
      }
      case 'contains':
      case 'doesNotContain': {
        if (!isSimple(value)) {
          return this.conversion.lost(at, `${operator} of ${describeValue(value)} has no equivalent`);
        }
        const test = `${literal(value)} in ${left}`;
        if (operator === 'contains') return isTotal ? `${isList(left)} && ${test}` : test;
        return isTotal ? `${isList(left)} && !(${test})` : `!(${test})`;
      }
      default: {
        const isDecorated = typeof operator === 'string' && operator.includes(':');
        const what = isDecorated ? 'a decorated operator' : 'not an operator of json-rules-engine itself';
        const hint = 'compute it before, and pass the result as a field of each candidate';
        return this.conversion.lost([...path, 'operator'], `${literal(operator)} is ${what}`, hint);
      }
    }
  }

  /** A comparison of two facts. */
  #ofFacts(left: string, operator: unknown, right: string, path: DataPath, isTotal: boolean): string | undefined {
    const number = typeof operator === 'string' && Object.hasOwn(COMPARISONS, operator) && COMPARISONS[operator];
    if (number) {
      // Two texts can be compared in CEL, but not in json-rules-engine.
      return [isNumber(left), ...(isTotal ? [isNumber(right)] : []), `${left} ${number} ${right}`].join(' && ');
    }
    const bothMissing = `${left} == null && ${right} == null`;
    const isSame = `${left} != null && ${right} != null && ${left} == ${right}`;
    if (operator === 'equal') return `(${bothMissing}) || (${isSame})`;
    if (operator === 'notEqual') return `!((${bothMissing}) || (${isSame}))`;
    const isIn = `${left} in ${right}`;
    if (!isTotal && operator === 'in') return isIn;
    if (!isTotal && operator === 'contains') return `${right} in ${left}`;
    const hint = 'write the condition by hand, or compute it before';
    return this.conversion.lost(
      [...path, 'operator'],
      `${literal(operator)} of two facts has no equivalent here`,
      hint,
    );
  }
}

const isSimple = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/** A test for a number that never fails: the text of a number starts with a digit or a minus, which sort before ":". */
const isNumber = (field: string): string =>
  `${field} != null && ${field} != "%s".format([${field}]) && "%s".format([${field}]) < ":"`;

/** A test for a list that never fails. */
const isList = (field: string): string =>
  `${field} != null && ${field} != "%s".format([${field}]) && "%s".format([${field}]).startsWith("[")`;

const STEP = /^(?:\.?([A-Za-z_$][\w$-]*)|\[(\d+)\]|\[(?:'([^'\\]*)'|"([^"\\]*)")\])/;

/** The keys of a JSONPath of names and positions; undefined if it has anything else. */
function pathKeys(path: unknown): DataPath | undefined {
  if (typeof path !== 'string' || path.startsWith('.')) return undefined; // version 7 finds nothing at .name
  const keys: (string | number)[] = [];
  let rest = path.replace(/^\$/, '');
  while (rest !== '') {
    const [step, name, index, single, double] = STEP.exec(rest) ?? [];
    const key = name ?? single ?? double ?? (index === undefined ? undefined : Number(index));
    // jsonpath-plus reads the length of a list by this name.
    if (step === undefined || key === undefined || key === 'length' || key === '__proto__') return undefined;
    keys.push(key);
    rest = rest.slice(step.length);
  }
  return keys;
}
