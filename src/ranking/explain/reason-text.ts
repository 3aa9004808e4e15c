import type { NoteData, SelectorNotSelected, SelectorNote } from '../../sdk/index.js';
import { reasonTemplatesOf, withSelectReasons, type PrunedRows, type RecordedNote } from '../../engine/index.js';
import { isMap } from '../../expression/index.js';
import { formatSigned, type PlotPoint, sparkline } from '../../base/index.js';

/** Fills a template such as `'{age:duration} old'` with a reason's data. */
const fillTemplate = (template: string, data: NoteData): string =>
  template.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, format?: string) => {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    return (format === undefined ? undefined : NOTE_FORMATS[format]?.(value)) ?? formatNoteValue(value);
  });

type NoteTemplates = Readonly<Record<string, string>> | undefined;

/** The template that a unit declares for a reason. */
const templateOf = (reason: string, templates: NoteTemplates): string | undefined =>
  templates && Object.hasOwn(templates, reason) ? templates[reason] : undefined;

/** The text of a note. For an undeclared reason: its id with spaces. */
export function noteText({ reason, data }: RecordedNote, templates: NoteTemplates): string {
  const template = templateOf(reason, templates);
  return template === undefined ? reason.replaceAll('_', ' ') : fillTemplate(template, data);
}

/** The mistake in a note: an undeclared reason, or missing data that its template uses. */
export function noteProblem({ reason, data }: RecordedNote, templates: NoteTemplates): string | undefined {
  const template = templateOf(reason, templates);
  if (template === undefined) return `it notes ${reason}, which is not declared in its meta`;
  const names = [...template.matchAll(/\{(\w+)/g)].map(([, name = '']) => name);
  const missing = names.filter((name) => !Object.hasOwn(data, name) || data[name] === undefined);
  return missing.length === 0 ? undefined : `it notes ${reason} without ${missing.join(', ')}, which its template uses`;
}

/** The reason that a selector gave for a row as text, such as why the row was not selected. */
export const selectorNoteText = (note: SelectorNote): string =>
  noteText({ reason: note.reason, data: note.data ?? {} }, reasonTemplatesOf(note));

/** Why a row was excluded before all scorers ran on it. */
export function prunedReason({ plan, most, floor }: PrunedRows, index: number, row: number): SelectorNotSelected {
  const { top } = plan;
  if (plan.how === 'rerank') return withSelectReasons({ index, reason: 'not_reranked', data: { top } });
  const { minScore } = plan;
  const upperBound = most[row]!;
  return minScore !== undefined && upperBound < minScore
    ? withSelectReasons({ index, reason: 'below_min_score', data: { most: upperBound, min_score: minScore } })
    : withSelectReasons({ index, reason: 'out_of_reach', data: { most: upperBound, top, floor } });
}

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

/** Whole numbers in full, because they may be counts; other numbers to four digits. */
const formatNoteNumber = (value: number): string =>
  String(Number.isInteger(value) ? value : Number(value.toPrecision(4)));

/** A value of a note as text. */
function formatNoteValue(value: unknown): string {
  if (typeof value === 'number') return formatNoteNumber(value);
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  if (typeof value === 'string') return value.length > 80 ? `${value.slice(0, 79)}…` : value;
  if (Array.isArray(value)) return value.map(formatNoteValue).join(', ');
  return value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value);
}

const isPoint = (value: unknown): value is PlotPoint =>
  Array.isArray(value) && value.length === 2 && value.every((one) => Number.isFinite(one));

/** Plots a curve and an x on it, `{ points, x }`, in one line. */
function formatPlot(value: unknown): string | undefined {
  if (!isMap(value)) return undefined;
  const { points, x } = value;
  if (!Array.isArray(points) || points.length < 2 || !points.every(isPoint) || typeof x !== 'number') return undefined;
  return sparkline(points, x);
}

/** A summand: its name, the value it was computed from, and the amount it adds. */
interface Contribution {
  readonly name: string;
  readonly value?: unknown;
  readonly contribution: number;
}

const isContribution = (value: unknown): value is Contribution =>
  isMap(value) && typeof value['name'] === 'string' && typeof value['contribution'] === 'number';

const SHOWN_CONTRIBUTIONS = 6;

/** The largest summands by absolute amount, and the others as one: `price = 3 (+0.4), 12 others (−0.02)`. */
function formatContributions(value: unknown): string | undefined {
  if (!Array.isArray(value) || !value.every(isContribution)) return undefined;
  if (value.length === 0) return 'nothing';
  const parts = value.toSorted((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
  const shown = parts.length === SHOWN_CONTRIBUTIONS + 1 ? parts.length : SHOWN_CONTRIBUTIONS;
  const rest = parts.slice(shown);
  const texts = parts.slice(0, shown).map(({ name, value: found, contribution }) => {
    const is = found === undefined || found === null ? 'absent' : `= ${formatNoteValue(found)}`;
    return `${name} ${is} (${formatSigned(contribution)})`;
  });
  if (rest.length > 0)
    texts.push(
      `${rest.length} others (${formatSigned(rest.reduce((sum, { contribution }) => sum + contribution, 0))})`,
    );
  return texts.join(', ');
}

/**
 * The formats that a template may name after a colon: `'{age:duration} old'`. A format returns undefined for a value of
 * another type, which is then formatted as without a format.
 */
const NOTE_FORMATS: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  duration: (value) => (typeof value === 'number' ? formatDuration(value) : undefined),
  time: (value) => (typeof value === 'number' ? new Date(value).toISOString() : undefined),
  percent: (value) => (typeof value === 'number' ? `${formatNoteNumber(value * 100)} %` : undefined),
  plot: formatPlot,
  contributions: formatContributions,
};
