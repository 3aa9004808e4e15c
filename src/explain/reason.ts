import type { NoteData } from '../contract/index.js';
import type { Noted } from './recorder.js';

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** A duration in the largest unit that it fills: `3.5d`, `12h`, `400ms`. */
function duration(ms: number): string {
  const [unit, size] = UNITS.find(([, length]) => Math.abs(ms) >= length) ?? (['ms', 1] as const);
  return `${number(ms / size)}${unit}`;
}

/** A whole number, which may be a count of something, as it is; any other to four digits. */
const number = (value: number): string => String(Number.isInteger(value) ? value : Number(value.toPrecision(4)));

function text(value: unknown): string {
  if (typeof value === 'number') return number(value);
  if (typeof value === 'string') return value.length > 80 ? `${value.slice(0, 79)}…` : value;
  if (Array.isArray(value)) return value.map(text).join(', ');
  return value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value);
}

const FORMATS: Readonly<Record<string, (value: unknown) => string>> = {
  duration: (value) => (typeof value === 'number' ? duration(value) : text(value)),
  time: (value) => (typeof value === 'number' ? new Date(value).toISOString() : text(value)),
  percent: (value) => (typeof value === 'number' ? `${number(value * 100)} %` : text(value)),
};

/** Fills a template such as `'{age:duration} old'` with a reason's data. */
export const fill = (template: string, data: NoteData): string =>
  template.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, format?: string) => {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    return (format === undefined ? undefined : FORMATS[format]?.(value)) ?? text(value);
  });

/** The template that a unit declares for a reason. */
const templateOf = (reason: string, templates: Templates): string | undefined =>
  templates && Object.hasOwn(templates, reason) ? templates[reason] : undefined;

type Templates = Readonly<Record<string, string>> | undefined;

/** A noted reason as a person reads it; one that its unit doesn't declare is shown as it is. */
export function reasonText({ reason, data }: Noted, templates: Templates): string {
  const template = templateOf(reason, templates);
  return template === undefined ? reason.replaceAll('_', ' ') : fill(template, data);
}

/** What is wrong with a note: a reason that its unit does not declare, or data that the template names and misses. */
export function reasonProblem({ reason, data }: Noted, templates: Templates): string | undefined {
  const template = templateOf(reason, templates);
  if (template === undefined) return `it notes ${reason}, which its meta does not declare`;
  const names = [...template.matchAll(/\{(\w+)/g)].map(([, name = '']) => name);
  const missing = names.filter((name) => !Object.hasOwn(data, name) || data[name] === undefined);
  return missing.length === 0
    ? undefined
    : `it notes ${reason} without ${missing.join(', ')}, which its template names`;
}
