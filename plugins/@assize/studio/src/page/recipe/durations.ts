import type { JsonData } from '../../save/data-edit.js';
import { formatExact } from '../parts/format.js';

/** A duration as a file writes it: `90d`. */
export interface Duration {
  readonly amount: number;
  readonly unit: string;
}

const UNITS: Readonly<Record<string, string>> = {
  ms: 'millisecond',
  s: 'second',
  m: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  y: 'year',
};

/** The duration that a text is; undefined if it is not one. */
export function durationIn(value: JsonData | undefined): Duration | undefined {
  const [, amount, unit] = (typeof value === 'string' && /^(\d+(?:\.\d+)?)(ms|[smhdwy])$/.exec(value)) || [];
  return amount === undefined || unit === undefined ? undefined : { amount: Number(amount), unit };
}

/** `day`, or `days`. */
export const unitWord = (unit: string, amount: number): string => `${UNITS[unit] ?? unit}${amount === 1 ? '' : 's'}`;

/** `90d` → `90 days`; undefined if the value is not a duration. */
export function durationWords(value: JsonData | undefined): string | undefined {
  const duration = durationIn(value);
  return duration && `${formatExact(duration.amount)} ${unitWord(duration.unit, duration.amount)}`;
}
