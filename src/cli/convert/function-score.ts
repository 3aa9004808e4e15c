import { type DataPath, describeValue } from '../../base/index.js';
import { isMap } from '../../expression/index.js';
import { type Conversion, decimal, type Draft, type DraftEntry, joined, literal, mapAt } from './draft.js';
import { functionText, type JsonMap, number, positive } from './functions.js';
import { conditionOf, indexField, queryConditions, queryScore } from './query.js';

/** One function of a `function_score`. */
interface ScoreFunction {
  readonly id: string;
  /** Its number, times its weight. */
  readonly expr: string;
  readonly weight: number;
  /** The name of its filter in `let`; undefined if it applies to every candidate. */
  readonly filter: string | undefined;
  readonly comment: string;
}

/** The keys of a function. */
const FUNCTIONS = ['weight', 'field_value_factor', 'gauss', 'exp', 'linear', 'script_score', 'random_score'];
const SETTINGS = ['query', 'functions', 'boost', 'score_mode', 'boost_mode', 'max_boost', 'min_score', '_name'];
const SCORE_MODES = ['multiply', 'sum', 'avg', 'first', 'max', 'min'];
const BOOST_MODES = ['multiply', 'replace', 'sum', 'avg', 'max', 'min'];

/** The greatest float: the default of `max_boost`. */
const MOST = 3.4028235e38;

/**
 * Converts a `function_score` of Elasticsearch or OpenSearch. Each function becomes a scorer, and `score_mode`,
 * `boost_mode` and `max_boost` a formula of them. Filters of the query become vetoes, filters of functions names.
 *
 * @param scoreField the field of candidates with the score of a query that depends on the index
 */
export function convertFunctionScore(conversion: Conversion, scoreField: string): Draft {
  if (!isMap(conversion.data)) {
    conversion.lost([], 'expected a map with a function_score, found a list');
    return { source: '', names: [], vetoes: [], scorers: [], rest: {} };
  }
  const { score, path, top } = findFunctionScore(conversion, conversion.data);
  const vetoes = queryConditions(conversion, score['query'] ?? { match_all: {} }, [...path, 'query']).map(
    ({ expr, isNegated, query }): DraftEntry => {
      const id = conversion.idOf(`${isNegated ? 'is' : 'not'}_${fieldOf(query)}`, 'filter');
      return { comment: commentOf(query), entry: { id, expr: isNegated ? expr : `!(${expr})` } };
    },
  );
  const boost = positive(conversion, score, 'boost', path) ?? 1;
  const known = queryScore(conversion, score['query'] ?? { match_all: {} }, [...path, 'query']);
  const query = known ?? indexField(scoreField);
  const boosted = boost === 1 ? query : `${decimal(boost)} * ${query}`;
  const names: { comment: string; name: string; expr: string }[] = [];
  const functions = readFunctions(conversion, score, path, boosted, names);
  const scorers = functions.map(({ id, expr, filter, comment }): DraftEntry => {
    const neutral = scoreModeOf(score) === 'multiply' ? '1.0' : '0.0';
    const value = filter === undefined ? expr : `${filter} ? ${expr} : ${neutral}`;
    return { comment, entry: { id, expr: value } };
  });
  const mode = choice(conversion, score, 'boost_mode', BOOST_MODES, path) ?? 'multiply';
  const usesQuery = functions.length === 0 || mode !== 'replace';
  let queryTerm = boosted;
  if (usesQuery && known === undefined) {
    const hint = `give each candidate the score of the query alone, as the field ${scoreField}`;
    conversion.lost([...path, 'query'], 'the score of the query depends on the index', hint);
    const id = conversion.idOf('query', 'query');
    scorers.unshift({ comment: commentOf(score['query']), entry: { id, expr: boosted } });
    queryTerm = id;
  } else if (functions.length === 0) {
    const id = conversion.idOf('query', 'query');
    scorers.unshift({ comment: commentOf(score['query'] ?? { match_all: {} }), entry: { id, expr: boosted } });
    queryTerm = id;
  }
  const factor = cappedFactor(conversion, score, functions, path);
  const formula = factor === undefined ? queryTerm : combined(mode, queryTerm, factor);
  const least = number(conversion, score, 'min_score', path) ?? top.minScore;
  const select = { ...(least !== undefined && { min_score: least }), ...(top.size !== undefined && { top: top.size }) };
  const rest = { combine: { formula }, ...(Object.keys(select).length > 0 && { select }) };
  const count = functions.length;
  return {
    source: `a function_score of ${count} ${count === 1 ? 'function' : 'functions'}`,
    names,
    vetoes,
    scorers,
    rest,
  };
}

/** The `function_score` of a request, and the limits of the request. */
function findFunctionScore(
  conversion: Conversion,
  request: JsonMap,
): {
  readonly score: JsonMap;
  readonly path: DataPath;
  readonly top: { readonly size?: number; readonly minScore?: number };
} {
  const isRequest = isMap(request['query']) && 'function_score' in request['query'];
  const holder = isRequest && isMap(request['query']) ? request['query'] : request;
  const path = isRequest ? ['query', 'function_score'] : 'function_score' in request ? ['function_score'] : [];
  const score = path.length === 0 ? request : (mapAt(conversion, holder['function_score'], path) ?? {});
  const top: { size?: number; minScore?: number } = {};
  for (const [key, value] of path.length === 0 ? [] : Object.entries(request)) {
    if (key === path[0]) continue;
    if (key === 'size' && Number.isInteger(value) && Number(value) > 0) top.size = Number(value);
    else if (key === 'min_score' && typeof value === 'number') top.minScore = value;
    else conversion.lost([key], `${key} of the request was not carried over`);
  }
  for (const key of Object.keys(score)) {
    if (key === '_name') conversion.note([...path, key], '_name has no effect on scores');
    else if (![...SETTINGS, ...FUNCTIONS].includes(key))
      conversion.lost([...path, key], `${key} is not a key of function_score`);
  }
  return { score, path, top };
}

function readFunctions(
  conversion: Conversion,
  score: JsonMap,
  path: DataPath,
  query: string,
  names: { comment: string; name: string; expr: string }[],
): readonly ScoreFunction[] {
  const own = Object.fromEntries(Object.entries(score).filter(([key]) => FUNCTIONS.includes(key)));
  const { functions } = score;
  if (functions !== undefined && !Array.isArray(functions)) {
    conversion.lost([...path, 'functions'], `expected a list, found ${describeValue(functions)}`);
  }
  const list: readonly unknown[] = Array.isArray(functions) ? functions : [];
  const found = [
    ...(Object.keys(own).length > 0 ? [{ value: own, at: path }] : []),
    ...list.map((value, index) => ({ value, at: [...path, 'functions', index] })),
  ];
  return found.flatMap(({ value, at }) => readFunction(conversion, value, at, query, names) ?? []);
}

function readFunction(
  conversion: Conversion,
  value: unknown,
  path: DataPath,
  query: string,
  names: { comment: string; name: string; expr: string }[],
): ScoreFunction | undefined {
  const map = mapAt(conversion, value, path);
  if (!map) return undefined;
  const kinds = Object.keys(map).filter((key) => FUNCTIONS.includes(key) && key !== 'weight');
  for (const key of Object.keys(map)) {
    if (![...FUNCTIONS, 'filter', '_name'].includes(key))
      return conversion.lost([...path, key], `${key} is not a function`);
  }
  const weight = map['weight'] === undefined ? 1 : positive(conversion, map, 'weight', path);
  if (weight === undefined) return undefined;
  const [kind = 'weight', other] = kinds;
  if (other !== undefined) return conversion.lost([...path, other], `a function has ${kind} and ${other}`);
  if (kinds.length === 0 && map['weight'] === undefined) return conversion.lost(path, 'the function has no kind');
  const read =
    kind === 'weight'
      ? { expr: '', field: 'weight' }
      : functionText(conversion, kind, map[kind], [...path, kind], query);
  if (!read) return undefined;
  const condition = map['filter'] === undefined ? 'true' : conditionOf(conversion, map['filter'], [...path, 'filter']);
  if (condition === undefined) {
    return conversion.lost(path, `the function ${kind} was not carried over`, 'its filter has no equivalent');
  }
  const filter = condition === 'true' ? undefined : conversion.idOf(`if_${fieldOf(map['filter'])}`, 'if');
  if (filter !== undefined) names.push({ comment: commentOf(map['filter']), name: filter, expr: condition });
  const id = conversion.idOf(read.field, kind);
  const factor = kind === 'weight' ? decimal(weight) : weight === 1 ? read.expr : `${decimal(weight)} * (${read.expr})`;
  const expr = conversion.checked(path, factor);
  return expr === undefined ? undefined : { id, expr, weight, filter, comment: commentOf(value) };
}

/** `score_mode`. A single function without a filter is the factor, whatever the mode. */
function scoreModeOf(score: JsonMap): string {
  const mode = score['score_mode'];
  return typeof mode === 'string' && SCORE_MODES.includes(mode.toLowerCase()) ? mode.toLowerCase() : 'multiply';
}

/** The factor of the functions, limited by `max_boost`; undefined without functions. */
function cappedFactor(
  conversion: Conversion,
  score: JsonMap,
  functions: readonly ScoreFunction[],
  path: DataPath,
): string | undefined {
  const mode = choice(conversion, score, 'score_mode', SCORE_MODES, path) ?? 'multiply';
  const most = positive(conversion, score, 'max_boost', path);
  if (functions.length === 0) return undefined;
  const factor = factorOf(mode, functions);
  return most === undefined ? factor : `min(${factor}, ${decimal(most)})`;
}

function factorOf(mode: string, functions: readonly ScoreFunction[]): string {
  const [only] = functions;
  if (only && functions.length === 1 && only.filter === undefined) return only.id;
  const ids = functions.map(({ id }) => id);
  if (mode === 'multiply') return ids.join(' * ');
  /** The number if a function applies; otherwise the factor is 1. */
  const ifAny = (among: readonly ScoreFunction[], value: string): string => {
    if (among.length === 0) return '1.0';
    if (among.some(({ filter }) => filter === undefined)) return value;
    return `(${joined(
      among.map(({ filter = 'true' }) => filter),
      '||',
    )} ? ${value} : 1.0)`;
  };
  const weighted = functions.filter(({ weight }) => weight !== 0);
  const sum = ids.join(' + ');
  switch (mode) {
    case 'sum':
      return ifAny(weighted, `(${sum})`);
    case 'avg': {
      const total = weighted.map(({ filter, weight }) =>
        filter === undefined ? decimal(weight) : `(${filter} ? ${decimal(weight)} : 0.0)`,
      );
      return ifAny(weighted, `(${sum}) / (${total.join(' + ')})`);
    }
    case 'first':
      return `(${functions.reduceRight((rest, { filter, id }) => (filter === undefined ? id : `${filter} ? ${id} : ${rest}`), '1.0')})`;
    case 'max':
      return ifAny(functions, `max([${ids.join(', ')}])`);
    default: {
      const each = functions.map(({ id, filter }) => (filter === undefined ? id : `${filter} ? ${id} : ${MOST}`));
      return ifAny(functions, `min([${each.join(', ')}])`);
    }
  }
}

/** The score of a candidate from that of the query and that of the functions. */
function combined(mode: string, query: string, factor: string): string {
  switch (mode) {
    case 'replace':
      return factor;
    case 'sum':
      return `${query} + ${factor}`;
    case 'avg':
      return `(${query} + ${factor}) / 2.0`;
    case 'max':
    case 'min':
      return `${mode}(${query}, ${factor})`;
    default:
      return query === '1.0' ? factor : `${query} * ${factor}`;
  }
}

function choice(
  conversion: Conversion,
  map: JsonMap,
  key: string,
  values: readonly string[],
  path: DataPath,
): string | undefined {
  const value = map[key];
  if (value === undefined) return undefined;
  const name = typeof value === 'string' ? value.toLowerCase() : '';
  return values.includes(name)
    ? name
    : conversion.lost([...path, key], `expected ${values.join(', ')}, found ${literal(value)}`);
}

/** A word for a query: its field, or its kind. */
function fieldOf(query: unknown): string {
  if (!isMap(query)) return 'query';
  const [kind = 'query', value] = Object.entries(query)[0] ?? [];
  if (!isMap(value)) return kind;
  if (kind === 'exists' && typeof value['field'] === 'string') return value['field'];
  return kind === 'bool' ? 'bool' : (Object.keys(value)[0] ?? kind);
}

const commentOf = (value: unknown): string => literal(value);
