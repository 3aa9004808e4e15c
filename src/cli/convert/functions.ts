import { type DataPath, describeValue } from '../../base/index.js';
import { isMap } from '../../expression/index.js';
import { type Conversion, decimal, literal, mapAt } from './draft.js';
import { indexField, onlyEntry, timeText } from './query.js';

export type JsonMap = Readonly<Record<string, unknown>>;

/** The number of a function without its weight, and a name for it. */
export function functionText(
  conversion: Conversion,
  kind: string,
  value: unknown,
  path: DataPath,
  query: string,
): { readonly expr: string; readonly field: string } | undefined {
  const map = mapAt(conversion, value, path);
  if (!map) return undefined;
  if (kind === 'random_score') {
    return conversion.lost(path, 'random_score has no equivalent', 'give each candidate a random number as a field');
  }
  if (kind === 'field_value_factor') return fieldValueFactor(conversion, map, path);
  if (kind === 'script_score') return script(conversion, map, path, query);
  return decayText(conversion, kind, map, path);
}

/** What a modifier does to a value. */
const MODIFIERS: Readonly<Record<string, (value: string) => string>> = {
  none: (value) => value,
  log: (value) => `ln(${value}) / ln(10.0)`,
  log1p: (value) => `ln(${value} + 1.0) / ln(10.0)`,
  log2p: (value) => `ln(${value} + 2.0) / ln(10.0)`,
  ln: (value) => `ln(${value})`,
  ln1p: (value) => `ln(${value} + 1.0)`,
  ln2p: (value) => `ln(${value} + 2.0)`,
  square: (value) => `pow(${value}, 2.0)`,
  sqrt: (value) => `sqrt(${value})`,
  reciprocal: (value) => `1.0 / (${value})`,
};

function fieldValueFactor(
  conversion: Conversion,
  map: JsonMap,
  path: DataPath,
): { expr: string; field: string } | undefined {
  for (const key of Object.keys(map)) {
    if (!['field', 'factor', 'modifier', 'missing'].includes(key))
      conversion.lost([...path, key], `${key} is not a key here`);
  }
  const { field, modifier = 'none' } = map;
  if (typeof field !== 'string') return conversion.lost(path, `expected a field, found ${describeValue(field)}`);
  const apply = typeof modifier === 'string' ? modifier.toLowerCase() : '';
  if (!Object.hasOwn(MODIFIERS, apply))
    return conversion.lost([...path, 'modifier'], `the modifier ${literal(modifier)} is unknown`);
  const factor = map['factor'] === undefined ? 1 : number(conversion, map, 'factor', path);
  const missing = map['missing'] === undefined ? undefined : number(conversion, map, 'missing', path);
  if (factor === undefined || (map['missing'] !== undefined && missing === undefined)) return undefined;
  const read = indexField(field);
  const value = missing === undefined ? read : `(${read} == null ? ${decimal(missing)} : ${read})`;
  const expr = MODIFIERS[apply]!(factor === 1 ? value : `${decimal(factor)} * ${value}`);
  return { expr: apply === 'square' || apply === 'sqrt' ? expr : notNegative(expr), field };
}

/** A number, or absent if it is negative: Elasticsearch fails, and a profile refuses the candidate as unscored. */
const notNegative = (expr: string): string => `cel.bind(n, ${expr}, n >= 0.0 ? n : optional.none())`;

/** The share of its number that a decay keeps at a distance in units of the scale. */
const DECAYS: Readonly<Record<string, (distance: string, share: number) => string>> = {
  gauss: (distance, share) => `exp(ln(${share}) * pow(${distance}, 2.0))`,
  exp: (distance, share) => `exp(ln(${share}) * ${distance})`,
  linear: (distance, share) => `max(0.0, 1.0 - ${decimal(1 - share)} * ${distance})`,
};

const MULTI_VALUE: Readonly<Record<string, (list: string) => string>> = {
  min: (list) => `min(${list})`,
  max: (list) => `max(${list})`,
  sum: (list) => `sum(${list})`,
  avg: (list) => `sum(${list}) / size(${list})`,
};

function decayText(
  conversion: Conversion,
  kind: string,
  map: JsonMap,
  path: DataPath,
): { expr: string; field: string } | undefined {
  const { multi_value_mode: mode = 'min', ...fields } = map;
  const combine =
    typeof mode === 'string' && Object.hasOwn(MULTI_VALUE, mode.toLowerCase()) && MULTI_VALUE[mode.toLowerCase()];
  if (!combine) return conversion.lost([...path, 'multi_value_mode'], `${literal(mode)} is not a mode`);
  const named = onlyEntry(conversion, fields, path, 'a field');
  if (!named) return undefined;
  const [name, value] = named;
  const at = [...path, name];
  const params = mapAt(conversion, value, at);
  if (!params) return undefined;
  for (const key of Object.keys(params)) {
    if (!['origin', 'scale', 'offset', 'decay'].includes(key))
      return conversion.lost([...at, key], `${key} is not a key of a decay`);
  }
  const share = params['decay'] === undefined ? 0.5 : number(conversion, params, 'decay', at);
  if (share === undefined) return undefined;
  if (share >= 1 || share < 0 || (share === 0 && kind !== 'linear')) {
    return conversion.lost([...at, 'decay'], `decay must be above 0 and below 1, found ${share}`);
  }
  const field = indexField(name);
  const distance = distanceOf(conversion, params, at);
  if (!distance) return undefined;
  const of = (one: string): string => {
    const raw = distance.isTime ? `abs(timestamp(${one}) - ${distance.origin})` : `abs(${one} - ${distance.origin})`;
    return distance.offset === undefined ? raw : `max(0.0, ${raw} - ${distance.offset})`;
  };
  const single = of(field);
  const list = `${field}.map(one, ${of('one')})`;
  const chosen =
    map['multi_value_mode'] === undefined ? single : `(${field}[0] == null ? ${single} : ${combine(list)})`;
  // A document without the field has the distance 0.
  return {
    expr: `${field} == null ? 1.0 : ${DECAYS[kind]!(`(${chosen} / ${distance.scale})`, share)}`,
    field: `${kind}_${name}`,
  };
}

interface Distance {
  readonly isTime: boolean;
  readonly origin: string;
  readonly scale: string;
  readonly offset: string | undefined;
}

/** The origin and the scale of a decay on numbers or dates. A mapping is not known, so their form decides. */
function distanceOf(conversion: Conversion, params: JsonMap, path: DataPath): Distance | undefined {
  const { origin, scale, offset } = params;
  const isNumeric = (value: unknown): boolean =>
    (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) && Number.isFinite(Number(value));
  if (isNumeric(origin) && isNumeric(scale) && (offset === undefined || isNumeric(offset))) {
    if (Number(scale) <= 0) return conversion.lost([...path, 'scale'], 'the scale must be above 0');
    if (Number(offset ?? 0) < 0) return conversion.lost([...path, 'offset'], 'the offset must be at least 0');
    const away = Number(offset ?? 0) === 0 ? undefined : decimal(Number(offset));
    const from = decimal(Number(origin));
    return {
      isTime: false,
      origin: from.startsWith('-') ? `(${from})` : from,
      scale: decimal(Number(scale)),
      offset: away,
    };
  }
  const time =
    origin === undefined
      ? 'now'
      : typeof origin === 'number' && Number.isFinite(origin)
        ? decimal(origin)
        : typeof origin === 'string'
          ? timeText(origin)
          : undefined;
  const [unit, away] = [durationText(scale), offset === undefined ? undefined : durationText(offset)];
  if (time === undefined) {
    const hint = 'numbers, ISO 8601 dates and now-7d are carried over; for a place, give the distance as a field';
    return conversion.lost([...path, 'origin'], `the origin ${literal(origin)} has no equivalent`, hint);
  }
  if (unit === undefined || (offset !== undefined && away === undefined)) {
    const key = unit === undefined ? 'scale' : 'offset';
    const hint = 'numbers, and times in d, h, m, s and ms are carried over; for a place, give the distance as a field';
    return conversion.lost([...path, key], `the ${key} ${literal(params[key])} has no equivalent`, hint);
  }
  const isShifted = away !== undefined && !/^duration\("0(?:\.0+)?[a-z]+"\)$|^0\.0$/.test(away);
  return {
    isTime: true,
    origin: time.includes(' ') ? `(${time})` : time,
    scale: unit,
    offset: isShifted ? away : undefined,
  };
}

/** A time of Elasticsearch, such as `10d`, as CEL. A number is milliseconds. */
function durationText(value: unknown): string | undefined {
  if (typeof value === 'number') return value >= 0 && Number.isFinite(value) ? decimal(value) : undefined;
  if (typeof value !== 'string') return undefined;
  if (/^\d+$/.test(value)) return decimal(Number(value));
  return /^\d+(?:\.\d+)?(?:d|h|m|s|ms)$/.test(value) ? `duration("${value}")` : undefined;
}

const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)[dDfF]?(?![\w.])|doc\[(?:'([^'\\]+)'|"([^"\\]+)")\]\.value(?!\w)|(_score)(?!\w)|params\.(\w+)|Math\.(log|sqrt|abs|min|max|pow|exp|floor|ceil)(?=\()|([-+*/(),]))/y;

/** A Painless script that is one formula of fields, params and functions of Math. */
function script(
  conversion: Conversion,
  map: JsonMap,
  path: DataPath,
  query: string,
): { expr: string; field: string } | undefined {
  const hint = 'write it as an expression, or compute it before';
  const given = map['script'];
  const text = isMap(given) ? (given['source'] ?? given['inline']) : given;
  const params: JsonMap = isMap(given) && isMap(given['params']) ? given['params'] : {};
  const language = isMap(given) ? given['lang'] : undefined;
  if (typeof text !== 'string' || (language !== undefined && language !== 'painless')) {
    return conversion.lost([...path, 'script'], 'the script is not the source of a Painless script', hint);
  }
  const source = text
    .trim()
    .replace(/^return\s+/, '')
    .replace(/;$/, '')
    .trimEnd();
  const out: string[] = [];
  const isDecimal = (token: string | undefined): boolean => token !== undefined && /^\d+[.e]/i.test(token);
  let before: string | undefined;
  let afterDivision = false;
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < source.length; ) {
    const match = TOKEN.exec(source);
    if (!match) return conversion.lost([...path, 'script'], 'the script is more than a formula of fields', hint);
    const [, digits, single, double, score, param, fn, sign] = match;
    const argument = param === undefined ? undefined : Object.hasOwn(params, param) ? params[param] : undefined;
    if (param !== undefined && !Number.isFinite(argument)) {
      return conversion.lost([...path, 'script'], `params.${param} is not a finite number`, hint);
    }
    const value = digits ?? (typeof argument === 'number' ? String(argument) : undefined);
    // Painless divides whole numbers to a whole number, and the types of fields are not known.
    if (afterDivision && !isDecimal(value))
      return conversion.lost([...path, 'script'], 'it may divide whole numbers', hint);
    afterDivision = sign === '/' && !isDecimal(before);
    before = value ?? sign;
    const name = single ?? double;
    if (value !== undefined) out.push(decimal(Number(value)));
    else if (name !== undefined) out.push(indexField(name));
    else if (score !== undefined) out.push(`(${query})`);
    else if (fn !== undefined) out.push(fn === 'log' ? 'ln' : fn);
    else out.push(sign === '(' || sign === ')' || sign === ',' ? sign : ` ${sign} `);
  }
  const expr = conversion.checked([...path, 'script'], out.join('').trim());
  return expr === undefined ? undefined : { expr: notNegative(expr), field: 'script' };
}

/** A number, which JSON may have as a text; anything else is reported. */
export function number(conversion: Conversion, map: JsonMap, key: string, path: DataPath): number | undefined {
  const value = map[key];
  if (value === undefined) return undefined;
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof parsed === 'number' && Number.isFinite(parsed)) return parsed;
  return conversion.lost([...path, key], `expected a number, found ${describeValue(value)}`);
}

/** A number that is at least 0. */
export function positive(conversion: Conversion, map: JsonMap, key: string, path: DataPath): number | undefined {
  const value = number(conversion, map, key, path);
  return value === undefined || value >= 0
    ? value
    : conversion.lost([...path, key], `${key} must be at least 0, found ${value}`);
}
