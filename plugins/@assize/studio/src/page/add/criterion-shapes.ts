import type { CurvePoints } from '../../data/studio-data.js';
import { isJsonMap, type JsonMap, scalarText } from '../../save/data-edit.js';
import { roundedIn } from '../parts/rounded-in.js';
import { arithmeticIn, arithmeticText, type Sign, SIGN_WORDS } from './arithmetic.js';
import { type Decay, decayField, decayIn, decayParams, decayWords, halfLife } from './decay.js';
import { type FieldFacts, type FieldType } from './field-facts.js';
import { fieldText, pathText } from './field-text.js';

/** How a criterion turns a field into a score. */
export type Shape = 'more' | 'less' | 'near' | 'curve' | 'value' | 'newer' | 'one of' | 'yes' | 'no';

/** A criterion, as a person chooses it. */
export interface Criterion {
  readonly field: FieldFacts;
  readonly shape: Shape;
  /** How the score of `newer` falls. */
  readonly decay: Decay;
  /** The calculation of `value`. */
  readonly sign: Sign;
  readonly number: number;
  /** The best value of `near`, and the distance at which its score is 0. */
  readonly target: number;
  readonly width: number;
  /** The good values of `one of`. */
  readonly values: readonly string[];
  readonly points: CurvePoints;
  /** The expression in the file, if it is another text with the same meaning. */
  readonly written?: string;
}

/** The shapes of a type, the proposed one first. */
export const SHAPES: Readonly<Record<FieldType, readonly Shape[]>> = {
  number: ['more', 'less', 'near', 'curve', 'value'],
  date: ['newer'],
  text: ['one of'],
  list: ['one of'],
  'yes/no': ['yes', 'no'],
};

export const SHAPE_WORDS: Readonly<Record<Shape, string>> = {
  more: 'more is better',
  less: 'less is better',
  near: 'closer to a value is better',
  curve: 'a curve that I draw',
  value: 'the number itself, in a calculation',
  newer: 'newer is better',
  'one of': 'is one of these',
  yes: 'yes is better',
  no: 'no is better',
};

/** Names of numbers of which less is usually better. */
const LESS = /price|cost|fee|distance|latency|delay|age|error|risk|rank|time|duration|weight/i;
const DAY = 86_400_000;

/** The criterion that the page proposes for a field. */
export function proposedCriterion(field: FieldFacts, now: number): Criterion {
  const { type, range: [least, most] = [0, 1], middle = 0, frequent } = field;
  const first = SHAPES[type][0]!;
  const span = most - least || 1;
  const age = (now - middle) / DAY;
  return {
    field,
    shape: type === 'number' && LESS.test(field.name) ? 'less' : first,
    decay: halfLife(Math.min(36_500, Math.max(1, Number((age > 0 ? age : span / DAY / 2).toPrecision(2))))),
    sign: '/',
    number: Math.max(Math.abs(least), Math.abs(most)) || 1,
    target: middle,
    width: roundedIn(span / 2, span) || 1,
    values: frequent.slice(0, 1).map(({ value }) => value),
    points: firstPoints(least, least === most ? least + 1 : most),
  };
}

function firstPoints(least: number, most: number): CurvePoints {
  const span = most - least;
  const middle = roundedIn(least + span / 2, span);
  return middle > least && middle < most
    ? [
        [least, 0],
        [middle, 0.5],
        [most, 1],
      ]
    : [
        [least, 0],
        [most, 1],
      ];
}

/** The class or expression of a criterion, as keys of an entry. */
export function criterionKeys({ field, shape, ...criterion }: Criterion): JsonMap | undefined {
  const text = fieldText(field.keys);
  const { decay, sign, number, target, width, values, points, written } = criterion;
  switch (shape) {
    case 'more':
    case 'less': {
      const scale = { type: 'min_max', ...(shape === 'less' && { reverse: true }) };
      return { class: 'ScaledScorer', params: { scorer: { expr: text }, scale } };
    }
    case 'newer': {
      const params = decayParams(field, decay);
      return params && { class: 'DecayScorer', params };
    }
    case 'value': {
      const expr = written ?? arithmeticText({ field, sign, number });
      return expr === undefined ? undefined : { expr };
    }
    case 'near':
      return width > 0 && Number.isFinite(target)
        ? { expr: `1 - min(abs(${text} - ${signed(target)}) / ${width}, 1)` }
        : undefined;
    case 'curve':
      return { class: 'CurveScorer', params: { value: pathText(field.keys), points } };
    case 'one of': {
      if (values.length === 0) return undefined;
      const list = `[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
      const isGood = field.type === 'list' ? `${text}.exists(item, item in ${list})` : `${text} in ${list}`;
      return { expr: `${isGood} ? 1 : 0` };
    }
    case 'yes':
      return { expr: `${text} ? 1 : 0` };
    default:
      return { expr: `${text} ? 0 : 1` };
  }
}

const signed = (value: number): string => (value < 0 ? `(${value})` : scalarText(value));

/** The criterion in words: `newer released is better; the score halves every 90 days`. */
export function criterionWords({ field, shape, ...criterion }: Criterion): string {
  const { name } = field;
  const { decay, sign, number, target, width, values, points } = criterion;
  switch (shape) {
    case 'newer':
      return `newer ${name} is better: ${decayWords(decay)}`;
    case 'value':
      return `the score is ${name}${number === 1 && sign === '/' ? '' : ` ${SIGN_WORDS[sign]} ${number}`}`;
    case 'near':
      return `${name} close to ${target} is better: the score is 0 at a distance of ${width}`;
    case 'curve':
      return `${name} is scored by a curve with ${points.length} points`;
    case 'one of':
      return `${name} is good if it is ${values.map((value) => `“${value}”`).join(' or ') || 'one of the chosen values'}`;
    case 'yes':
    case 'no':
      return `${name} is good if it is ${shape}`;
    default:
      return `${shape} ${name} is better, compared with the other candidates`;
  }
}

/** The criterion that an entry was made from; undefined if it has another form. */
export function criterionIn(entry: JsonMap, fields: readonly FieldFacts[], now: number): Criterion | undefined {
  const params = isJsonMap(entry['params']) ? entry['params'] : {};
  if (/(?:^|\/)DecayScorer$/.test(scalarText(entry['class']))) {
    const [field, decay] = [decayField(params, fields), decayIn(params)];
    return field && decay && { ...proposedCriterion(field, now), shape: 'newer', decay };
  }
  const expr = scalarText(entry['expr']);
  const calculation = arithmeticIn(expr, fields);
  if (calculation) {
    const isUsual = arithmeticText(calculation) === expr;
    const { field } = calculation;
    return { ...proposedCriterion(field, now), ...calculation, shape: 'value', ...(!isUsual && { written: expr }) };
  }
  const wanted = JSON.stringify([entry['class'], entry['expr'], entry['params']]);
  const [numbers, texts] = [numbersIn(wanted), textsIn(scalarText(entry['expr']))];
  const points = curvePointsIn(entry['params']);
  for (const field of fields) {
    const proposed = proposedCriterion(field, now);
    const ofKeys = new Set(field.keys);
    for (const shape of SHAPES[field.type]) {
      const criterion: Criterion = {
        ...proposed,
        shape,
        target: numbers.at(-3) ?? proposed.target,
        width: numbers.at(-2) ?? proposed.width,
        values: texts.filter((one) => !ofKeys.has(one)),
        points: points ?? proposed.points,
      };
      const keys = criterionKeys(criterion);
      if (keys && JSON.stringify([keys['class'], keys['expr'], keys['params']]) === wanted) return criterion;
    }
  }
  return undefined;
}

const numbersIn = (text: string): readonly number[] =>
  [...text.matchAll(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/g)].map(([number]) => Number(number));

const textsIn = (text: string): readonly string[] =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)].flatMap(([literal]) => {
    try {
      return [String(JSON.parse(literal))];
    } catch {
      return [];
    }
  });

function curvePointsIn(params: unknown): CurvePoints | undefined {
  const points: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, 'points') : undefined;
  const isPoint = (one: unknown): one is readonly [number, number] =>
    Array.isArray(one) && one.length === 2 && one.every(Number.isFinite);
  return Array.isArray(points) && points.every(isPoint) ? points : undefined;
}
