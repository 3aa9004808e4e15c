import { isCollection, type Node, type Pair } from 'yaml';
import type { JsonData } from './data-edit.js';

/** An edit that cannot be written without changing other parts of the text. */
export class SpliceError extends Error {
  override readonly name = 'SpliceError';
}

/** A part of a text and its replacement. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type YamlPair = Pair<Node, Node | null>;

/** Applies replacements that do not overlap. */
export const apply = (text: string, splices: readonly Splice[]): string =>
  splices
    .toSorted((a, b) => b.start - a.start)
    .reduce((whole, { start, end, text: put }) => whole.slice(0, start) + put + whole.slice(end), text);

/** The start of a node, after its anchor and tag. */
export const startOf = (node: Node | null | undefined): number => node?.range?.[0] ?? 0;

/** The end of a node, before the blanks and comments that follow. */
export function endOf(node: Node | null | undefined): number {
  if (node && isCollection(node) && !node.flow) {
    const last: unknown = node.items.at(-1);
    if (last !== undefined) return endOf('range' in (last as object) ? (last as Node) : lastOf(last as YamlPair));
  }
  return node?.range?.[1] ?? 0;
}

export const lastOf = ({ key, value }: YamlPair): Node => value ?? key;

/** The line ending of a text. */
export const newlineOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** The start of the line of a position. */
export const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

/** The end of the line of a position, after its line ending. */
export function lineEnd(text: string, at: number): number {
  if (at > 0 && text[at - 1] === '\n') return at;
  const found = text.indexOf('\n', at);
  return found < 0 ? text.length : found + 1;
}

/** Inserts a line after the line of a position. */
export function insertLine(text: string, after: number, line: string): Splice {
  const newline = newlineOf(text);
  const at = lineEnd(text, after);
  const isEnded = at === 0 || text[at - 1] === '\n';
  return { start: at, end: at, text: isEnded ? `${line}${newline}` : `${newline}${line}` };
}

/** Formats a value. */
export type WriteValue = (value: JsonData) => string;

/** The format of values for a file: JSON for a JSON file, else YAML. */
export function writerOf(text: string): WriteValue {
  try {
    JSON.parse(text);
    return JSON.stringify;
  } catch {
    return flowText;
  }
}

/** Texts that YAML reads unchanged without quotes. */
const PLAIN = /^[A-Za-z_][\w-]*(?:\.[\w-]+)*$/;
/** Durations, which YAML reads as texts: `90d`. */
const DURATION = /^\d+(?:ms|[smhdwy])$/;
/** Texts that need no escapes in single quotes. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;
/** Words that YAML, or older versions of it, reads as something else. */
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** A value on one line, in the usual YAML style: `{ id: fresh, weight: 0.3 }`. */
function flowText(value: JsonData): string {
  if (typeof value === 'string') {
    if ((PLAIN.test(value) && !WORDS.test(value)) || DURATION.test(value)) return value;
    const isSingle = /["\\]/.test(value) && PRINTABLE.test(value);
    return isSingle ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value);
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly JsonData[]).map(flowText).join(', ')}]`;
  const entries = Object.entries(value).map(([key, inner]) => `${flowText(key)}: ${flowText(inner)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}
