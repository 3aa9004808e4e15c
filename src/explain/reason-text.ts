import type { NoteData, SelectorLeftOut, SelectorNote } from '../contract/index.js';
import { type PrunedRows, reasonTemplatesOf, type RecordedNote, withSelectReasons } from '../engine/index.js';
import { formatNoteValue, NOTE_FORMATS } from './note-formats.js';

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

/** The reason of a selector for a row in words, such as why it was left out. */
export const selectorNoteText = (note: SelectorNote): string =>
  noteText({ reason: note.reason, data: note.data ?? {} }, reasonTemplatesOf(note));

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
