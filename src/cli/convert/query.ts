import { type DataPath, describeValue } from '../../base/index.js';
import { isMap } from '../../expression/index.js';
import { Conversion, decimal, fieldText, joined, literal, mapAt } from './draft.js';

/** A condition of a query on the candidates. */
export interface QueryCondition {
  readonly expr: string;
  /** It must be false: it is in `must_not`. */
  readonly isNegated: boolean;
  readonly path: DataPath;
  readonly query: unknown;
}

type Query = Readonly<Record<string, unknown>>;

/** The one key and value of a map, such as the kind of a query or its field. */
export function onlyEntry(
  conversion: Conversion,
  value: unknown,
  path: DataPath,
  what: string,
): readonly [string, unknown] | undefined {
  const map = mapAt(conversion, value, path);
  const [entry, ...others] = Object.entries(map ?? {}).filter(([key]) => key !== 'boost' && key !== '_name');
  if (!map) return undefined;
  if (!entry || others.length > 0) return conversion.lost(path, `expected a map with one key, ${what}`);
  return entry;
}

/** The expression of a field by its name in the index. `title.keyword` is the same value as `title`. */
export const indexField = (name: string): string => fieldText(name.replace(/\.keyword$/, '').split('.'));

/** A list of clauses: one of them may be without brackets. */
const clauses = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

const clausePath = (path: DataPath, value: unknown, index: number): DataPath =>
  Array.isArray(value) ? [...path, index] : path;

/**
 * The conditions of the main query, each of which becomes a veto. Those that have no equivalent are reported.
 */
export function queryConditions(conversion: Conversion, query: unknown, path: DataPath): readonly QueryCondition[] {
  if (isMap(query) && isMap(query['bool'])) {
    const { bool } = query;
    const at = [...path, 'bool'];
    reportBoolKeys(conversion, bool, at);
    const inside = ['must', 'filter'].flatMap((key) =>
      clauses(bool[key]).flatMap((one, index) =>
        queryConditions(conversion, one, clausePath([...at, key], bool[key], index)),
      ),
    );
    const outside = clauses(bool['must_not']).flatMap((one, index) => {
      const own = clausePath([...at, 'must_not'], bool['must_not'], index);
      const expr = conditionOf(conversion, one, own);
      return expr === undefined ? [] : [{ expr, isNegated: true, path: own, query: one }];
    });
    const least = leastShould(conversion, bool, at);
    const should = least === 0 ? undefined : shouldCondition(conversion, bool, at, least ?? 1);
    const some = should === undefined ? [] : [{ expr: should, isNegated: false, path: at, query: bool['should'] }];
    return [...inside, ...outside, ...some];
  }
  if (isMap(query) && isMap(query['constant_score'])) {
    return queryConditions(conversion, query['constant_score']['filter'], [...path, 'constant_score', 'filter']);
  }
  const expr = conditionOf(conversion, query, path);
  return expr === undefined || expr === 'true' ? [] : [{ expr, isNegated: false, path, query }];
}

const BOOL_KEYS = ['must', 'filter', 'must_not', 'should', 'minimum_should_match', 'boost', '_name'];

function reportBoolKeys(conversion: Conversion, bool: Query, path: DataPath): void {
  for (const key of Object.keys(bool)) {
    if (!BOOL_KEYS.includes(key)) conversion.lost([...path, key], `${key} of bool has no equivalent`);
  }
}

/** How many clauses of `should` must match. */
function leastShould(conversion: Conversion, bool: Query, path: DataPath): number | undefined {
  const { should, minimum_should_match: least } = bool;
  if (clauses(should).length === 0) return 0;
  if (least === undefined) return bool['must'] === undefined && bool['filter'] === undefined ? 1 : 0;
  const number = typeof least === 'string' ? Number(least) : least;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 0) return number;
  const hint = 'write a whole number of clauses';
  return conversion.lost([...path, 'minimum_should_match'], `${literal(least)} has no equivalent`, hint);
}

function shouldCondition(conversion: Conversion, bool: Query, path: DataPath, least: number): string | undefined {
  const parts = clauses(bool['should']).map((one, index) =>
    conditionOf(conversion, one, clausePath([...path, 'should'], bool['should'], index)),
  );
  if (!parts.every((one) => one !== undefined)) return undefined;
  return least === 1 ? joined(parts, '||') : `[${parts.join(', ')}].filter(one, one).size() >= ${least}`;
}

/**
 * A query as a condition that is true or false for any candidate, also without the field.
 *
 * @returns undefined if it has no equivalent, which is reported
 */
export function conditionOf(conversion: Conversion, query: unknown, path: DataPath): string | undefined {
  const entry = onlyEntry(conversion, query, path, 'the kind of the query');
  if (!entry) return undefined;
  const [kind, value] = entry;
  const at = [...path, kind];
  switch (kind) {
    case 'match_all':
      return 'true';
    case 'match_none':
      return 'false';
    case 'constant_score':
      return isMap(value)
        ? conditionOf(conversion, value['filter'], [...at, 'filter'])
        : conversion.lost(at, 'expected a map');
    case 'bool':
      return boolCondition(conversion, value, at);
    case 'exists': {
      const field = isMap(value) && typeof value['field'] === 'string' ? indexField(value['field']) : undefined;
      if (field === undefined) return conversion.lost(at, 'expected a field');
      return conversion.checked(at, `${field} != null && ${field} != []`);
    }
    case 'term':
    case 'terms':
    case 'prefix':
    case 'range': {
      const named = onlyEntry(conversion, value, at, 'a field');
      if (!named) return undefined;
      const [name, operand] = named;
      const expr = fieldCondition(conversion, kind, name, operand, [...at, name]);
      return expr === undefined ? undefined : conversion.checked([...at, name], expr);
    }
    default: {
      const hint = 'filter the candidates by it before, or write a condition on their fields';
      return conversion.lost(at, `the query ${kind} has no equivalent`, hint);
    }
  }
}

function boolCondition(conversion: Conversion, value: unknown, path: DataPath): string | undefined {
  const bool = mapAt(conversion, value, path);
  if (!bool) return undefined;
  reportBoolKeys(conversion, bool, path);
  const all = (key: string): (string | undefined)[] =>
    clauses(bool[key]).map((one, index) => conditionOf(conversion, one, clausePath([...path, key], bool[key], index)));
  const least = leastShould(conversion, bool, path);
  const parts = [
    ...all('must'),
    ...all('filter'),
    ...all('must_not').map((one) => (one === undefined ? undefined : `!(${one})`)),
    ...(least === 0 ? [] : [least === undefined ? undefined : shouldCondition(conversion, bool, path, least)]),
  ];
  return parts.every((one) => one !== undefined) ? joined(parts, '&&') : undefined;
}

function fieldCondition(
  conversion: Conversion,
  kind: 'term' | 'terms' | 'prefix' | 'range',
  name: string,
  operand: unknown,
  path: DataPath,
): string | undefined {
  const field = indexField(name);
  if (kind === 'range') return rangeCondition(conversion, field, operand, path);
  if (kind === 'terms') {
    if (!Array.isArray(operand) || !operand.every(isTerm)) return conversion.lost(path, 'expected a list of values');
    const list = literal(operand);
    return `${field} != null && (${field} in ${list} || ${field}[0] != null && ${field}.exists(one, one in ${list}))`;
  }
  const value = isMap(operand) ? operand['value'] : operand;
  for (const key of isMap(operand) ? Object.keys(operand) : []) {
    if (!['value', 'boost', '_name'].includes(key)) return conversion.lost([...path, key], `${key} has no equivalent`);
  }
  if (!isTerm(value))
    return conversion.lost(path, `expected a text, a number or a boolean, found ${describeValue(value)}`);
  const text = literal(value);
  if (kind === 'prefix') return `${field} != null && ${field}.startsWith(${literal(String(value))})`;
  // A field may have one value or several.
  return `${field} != null && (${field} == ${text} || ${field}[0] != null && ${text} in ${field})`;
}

const isTerm = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

const BOUNDS: Readonly<Record<string, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

function rangeCondition(conversion: Conversion, field: string, operand: unknown, path: DataPath): string | undefined {
  const range = mapAt(conversion, operand, path);
  if (!range) return undefined;
  const parts: string[] = [`${field} != null`];
  for (const [key, bound] of Object.entries(range)) {
    if (key === 'boost' || key === '_name' || bound === null) continue;
    const operator = Object.hasOwn(BOUNDS, key) ? BOUNDS[key] : undefined;
    if (operator === undefined) return conversion.lost([...path, key], `${key} of range has no equivalent`);
    const number = typeof bound === 'string' && bound.trim() !== '' && !/^\d{4}$/.test(bound) ? Number(bound) : bound;
    if (typeof number === 'number' && Number.isFinite(number)) {
      parts.push(`${field} ${operator} ${number}`);
      continue;
    }
    const time = typeof bound === 'string' ? timeText(bound) : undefined;
    if (time === undefined) {
      const hint = 'numbers, ISO 8601 dates, now and now-7d are carried over';
      return conversion.lost([...path, key], `the bound ${literal(bound)} has no equivalent`, hint);
    }
    parts.push(`timestamp(${field}) ${operator} ${time}`);
  }
  return parts.join(' && ');
}

const MATH = /^([+-])(\d+)([wdhHms])/;

/** A date of Elasticsearch as CEL: ISO 8601, or `now` with whole weeks, days, hours, minutes and seconds. */
export function timeText(text: string): string | undefined {
  if (/^\d{4}(?:-\d\d){0,2}$|^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)?$/.test(text)) {
    const isZoned = !text.includes('T') || /Z$|[+-]\d\d:\d\d$/.test(text);
    const full = text.length === 4 ? `${text}-01-01` : text.length === 7 ? `${text}-01` : isZoned ? text : `${text}Z`;
    return Number.isNaN(Date.parse(full)) ? undefined : `timestamp(${literal(full)})`;
  }
  if (!text.startsWith('now')) return undefined;
  let rest = text.slice(3);
  let expr = 'now';
  while (rest !== '') {
    const [step, sign, amount, unit = ''] = MATH.exec(rest) ?? [];
    if (step === undefined) return undefined;
    expr += ` ${sign} duration("${amount}${unit.toLowerCase()}")`;
    rest = rest.slice(step.length);
  }
  return expr;
}

/**
 * The score that Elasticsearch gives every match of a query, as an expression.
 *
 * @returns undefined if it depends on the index: a text query, or a term
 */
export function queryScore(conversion: Conversion, query: unknown, path: DataPath): string | undefined {
  const [kind, value] = isMap(query) ? (Object.entries(query)[0] ?? []) : [];
  const boost = isMap(value) && value['boost'] !== undefined ? Number(value['boost']) : 1;
  if (kind === 'match_all' || kind === 'constant_score') return decimal(boost);
  if (kind !== 'bool' || !isMap(value)) return undefined;
  const must = clauses(value['must']).map((one) => queryScore(conversion, one, path));
  const should = clauses(value['should']).map((one) => {
    const score = queryScore(conversion, one, path);
    const condition = score === undefined ? undefined : conditionOf(new Conversion(conversion.data), one, path);
    return condition === undefined ? undefined : `(${condition} ? ${score} : 0.0)`;
  });
  const parts = [...must, ...should];
  if (!parts.every((one) => one !== undefined)) return undefined;
  const isFiltered = clauses(value['filter']).length + clauses(value['must_not']).length > 0;
  if (parts.length === 0) return isFiltered ? '0.0' : decimal(boost);
  return boost === 1 ? parts.join(' + ') : `${decimal(boost)} * (${parts.join(' + ')})`;
}
