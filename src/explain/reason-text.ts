import type { NoteData } from '../contract/index.js';
import type { RecordedNote } from '../engine/note-recorder.js';

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

/** A whole number, which may be a count of something, as it is; any other to four digits. */
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
export const fillTemplate = (template: string, data: NoteData): string =>
  template.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, format?: string) => {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    return (format === undefined ? undefined : FORMATS[format]?.(value)) ?? formatNoteValue(value);
  });

/** The template that a unit declares for a reason. */
const templateOf = (reason: string, templates: NoteTemplates): string | undefined =>
  templates && Object.hasOwn(templates, reason) ? templates[reason] : undefined;

type NoteTemplates = Readonly<Record<string, string>> | undefined;

/** A noted reason as a person reads it; one that its unit doesn't declare is shown as it is. */
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
