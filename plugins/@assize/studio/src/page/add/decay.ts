import { isJsonMap, type JsonMap, scalarText } from '../../save/data-edit.js';
import { durationIn, unitWord } from '../recipe/durations.js';
import { withoutKeys } from '../settings/structure.js';
import type { FieldFacts } from './field-facts.js';
import { pathText } from './field-text.js';

/** How the score of a date falls with its age. */
export const DECAY_TYPES = ['exponential', 'linear', 'gaussian', 'window'] as const;
export type DecayType = (typeof DECAY_TYPES)[number];

/** The curves in words, and the label of their duration. */
export const DECAY_WORDS: Readonly<Record<DecayType, readonly [curve: string, duration: string]>> = {
  exponential: ['falls fast at first, then slowly', 'The score halves after'],
  linear: ['falls evenly to 0', 'Half of the score after'],
  gaussian: ['falls slowly at first, then fast', 'Half of the score after'],
  window: ['is full, then 0', 'Full score up to an age of'],
};

/** The param of a curve that is its duration. */
const DURATIONS: Readonly<Record<DecayType, string>> = {
  exponential: 'half_life',
  linear: 'scale',
  gaussian: 'scale',
  window: 'max_age',
};

/** The units to choose from. */
export const UNITS = ['h', 'd', 'w', 'y'] as const;

/** The params of a `DecayScorer`, without its field. */
export interface Decay {
  readonly type: DecayType;
  readonly amount: number;
  readonly unit: string;
  /** The score without a date; undefined for the default of the class. */
  readonly undated: number | 'abstain' | undefined;
  /** Keys of the curve and params that have no form. */
  readonly curve: JsonMap;
  readonly params: JsonMap;
}

/** A decay that halves the score after a number of days. */
export const halfLife = (days: number): Decay => ({
  type: 'exponential',
  amount: days,
  unit: 'd',
  undated: 'abstain',
  curve: {},
  params: {},
});

/** The params of a decay; undefined if its duration is not complete. */
export function decayParams({ keys }: FieldFacts, decay: Decay): JsonMap | undefined {
  const { type, amount, unit, undated, curve, params } = decay;
  if (!(amount > 0)) return undefined;
  const isSame = type === 'linear' || type === 'gaussian';
  const kept = isSame ? curve : {}; // the other curves have no more params
  return {
    ...params,
    field: pathText(keys),
    curve: { type, [DURATIONS[type]]: `${amount}${unit}`, ...kept },
    ...(undated !== undefined && { null_timestamp_score: undated }),
  };
}

/** The decay that params of a `DecayScorer` are; undefined if they have another form, such as steps. */
export function decayIn(params: JsonMap): Decay | undefined {
  const { curve, null_timestamp_score: undated } = params;
  const type = isJsonMap(curve) ? DECAY_TYPES.find((one) => one === curve['type']) : undefined;
  if (!type || !isJsonMap(curve)) return undefined;
  const duration = durationIn(curve[DURATIONS[type]]);
  const isScore = undated === undefined || typeof undated === 'number' || undated === 'abstain';
  if (!duration || !isScore) return undefined;
  return {
    type,
    ...duration,
    undated,
    curve: withoutKeys(curve, ['type', DURATIONS[type]]),
    params: withoutKeys(params, ['field', 'curve', 'null_timestamp_score']),
  };
}

/** The field of the params of a `DecayScorer`. */
export const decayField = (params: JsonMap, fields: readonly FieldFacts[]): FieldFacts | undefined => {
  const path = scalarText(params['field'] ?? 'timestamp');
  return fields.find(({ keys }) => pathText(keys) === path);
};

/** `the score halves every 90 days`. */
export function decayWords({ type, amount, unit }: Decay): string {
  const time = `${amount} ${unitWord(unit, amount)}`;
  if (type === 'exponential') return `the score halves every ${time}`;
  return type === 'window' ? `full score up to ${time}, then 0` : `half of the score after ${time}`;
}
