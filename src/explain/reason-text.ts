import type { NoteData, SelectorLeftOut } from '../contract/index.js';
import { type PrunedRows, reasonTemplatesOf, type RecordedNote, withSelectReasons } from '../engine/index.js';

const DURATION_UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** A duration in the largest unit that it fills: `3.5d`, `12h`, `400ms`. */
function formatDuration(ms: number): string {
  const [unit, size] = DURATION_UNITS.find(([, length]) => Math.abs(ms) >= length) ?? (['ms', 1] as const);
  return `${formatNoteNumber(ms / size)}${unit}`;
}

/** A whole number, which may be a count of something, in full; any other to four digits. */
const formatNoteNumber = (value: number): string =>
  String(Number.isInteger(value) ? value : Number(value.toPrecision(4)));

function formatNoteValue(value: unknown): string {
  if (typeof value === 'number') return formatNoteNumber(value);
  if (typeof value === 'string') return value.length > 80 ? `${value.slice(0, 79)}…` : value;
  if (Array.isArray(value)) return value.map(formatNoteValue).join(', ');
  return value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value);
}

const FORMATS: Readonly<Record<string, (value: unknown) => string>> = {
  duration: (value) => (typeof value === 'number' ? formatDuration(value) : formatNoteValue(value)),
  time: (value) => (typeof value === 'number' ? new Date(value).toISOString() : formatNoteValue(value)),
  percent: (value) => (typeof value === 'number' ? `${formatNoteNumber(value * 100)} %` : formatNoteValue(value)),
};

/** Fills a template such as `'{age:duration} old'` with a reason's data. */
const fillTemplate = (template: string, data: NoteData): string =>
  template.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, format?: string) => {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    return (format === undefined ? undefined : FORMATS[format]?.(value)) ?? formatNoteValue(value);
  });

type NoteTemplates = Readonly<Record<string, string>> | undefined;

/** The template that a unit declares for a reason. */
const templateOf = (reason: string, templates: NoteTemplates): string | undefined =>
  templates && Object.hasOwn(templates, reason) ? templates[reason] : undefined;

/** A note in words; a reason that its unit does not declare as it is, with spaces. */
export function noteText({ reason, data }: RecordedNote, templates: NoteTemplates): string {
  const template = templateOf(reason, templates);
  return template === undefined ? reason.replaceAll('_', ' ') : fillTemplate(template, data);
}

/** What is wrong with a note: a reason that its unit does not declare, or data that the template names and misses. */
export function noteProblem({ reason, data }: RecordedNote, templates: NoteTemplates): string | undefined {
  const template = templateOf(reason, templates);
  if (template === undefined) return `it notes ${reason}, which its meta does not declare`;
  const names = [...template.matchAll(/\{(\w+)/g)].map(([, name = '']) => name);
  const missing = names.filter((name) => !Object.hasOwn(data, name) || data[name] === undefined);
  return missing.length === 0
    ? undefined
    : `it notes ${reason} without ${missing.join(', ')}, which its template names`;
}

/** Why a row was left out, in words. */
export const leftOutText = (left: SelectorLeftOut): string =>
  noteText({ reason: left.reason, data: left.data ?? {} }, reasonTemplatesOf(left));

/** Why a row was left out before every scorer scored it. */
export function prunedReason({ plan, most, floor }: PrunedRows, index: number, row: number): SelectorLeftOut {
  const { top } = plan;
  if (plan.how === 'rerank') return withSelectReasons({ index, reason: 'not_reranked', data: { top } });
  const { minScore } = plan;
  const upperBound = most[row]!;
  return minScore !== undefined && upperBound < minScore
    ? withSelectReasons({ index, reason: 'below_min_score', data: { most: upperBound, min_score: minScore } })
    : withSelectReasons({ index, reason: 'out_of_reach', data: { most: upperBound, top, floor } });
}
