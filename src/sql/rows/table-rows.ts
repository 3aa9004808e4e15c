import { MOST_MILLIS } from '../../columns/index.js';
import { setOwn } from '../../expression/index.js';
import type { Column, Dialect } from '../dialects/dialect.js';

/** The row of a table as one text: its values as texts, in the order of the columns. */
export const cellsOf = (dialect: Dialect, columns: readonly Column[]): string =>
  dialect.cells(columns.map(({ name, type, kind }) => dialect.cell(dialect.identifier(name), type, kind)));

/** The candidate of a row: a property for each column, null where the row has no value. */
export function decodeCells(columns: readonly Column[], cells: string): object {
  const texts: unknown = JSON.parse(cells);
  if (!Array.isArray(texts) || texts.length !== columns.length) {
    throw new SyntaxError(`a row has not the ${columns.length} values of its columns`);
  }
  const candidate: Record<string, unknown> = {};
  for (const [k, { name, kind }] of columns.entries()) setOwn(candidate, name, decodeCell(texts[k], kind));
  return candidate;
}

function decodeCell(text: unknown, kind: Column['kind']): unknown {
  if (typeof text !== 'string') return null;
  switch (kind) {
    case 'number':
    case 'integer':
      return decodeNumber(text);
    case 'bool':
      return text === 'true' || text === 't';
    case 'time':
      return Math.abs(Number(text)) <= MOST_MILLIS ? new Date(Number(text)) : null;
    case 'json':
      return JSON.parse(text);
    case 'text':
      return text;
    default:
      return decodeOther(text);
  }
}

/** Databases write infinities as `inf`, `Infinity` and their like. */
function decodeNumber(text: string): number {
  if (/^-?inf/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return Number(text);
}

/** A list, a struct or a map as JSON; any other type as the database writes it. */
function decodeOther(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
