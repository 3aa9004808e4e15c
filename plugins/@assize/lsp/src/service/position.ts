import { cursorAt } from './cursor.js';
import type { Cursor } from './types.js';

/** What may be written at an offset, and texts in which what is written there now cannot be a mistake. */
export interface Position extends Cursor {
  readonly offset: number;
  /** The end of the key or value that the offset is in. */
  readonly end: number;
  /** Whether a colon follows, so that a key is edited and not added. */
  readonly hasColon: boolean;
  /** The text without the key. */
  withoutKey(): string;
  /** The text with a text in place of the value. */
  withValue(): string;
}

/** What may be written at an offset of a text. */
export function positionAt(text: string, offset: number): Position {
  const cursor = cursorAt(text, offset);
  const end = endOf(text, offset, cursor);
  const after = cursor.quote !== '' && text[end] === cursor.quote ? end + 1 : end;
  const rest = text.slice(after);
  const hasColon = /^[ \t]*:(?=\s|$)/.test(rest);
  const from = cursor.quote === '' || cursor.quote === '|' ? cursor.start : cursor.start - 1;
  const closed = (): string => {
    const closers = missingClosers(rest, cursor);
    return closers === '' ? rest : closers + rest.slice(Math.max(0, rest.indexOf('\n')));
  };
  return {
    ...cursor,
    offset,
    end,
    hasColon,
    withoutKey: () => (hasColon ? text : text.slice(0, from) + closed()),
    withValue: () => (cursor.quote === '|' ? text : `${text.slice(0, from)}'x'${closed()}`),
  };
}

/** The end of the key or value around an offset. */
function endOf(text: string, offset: number, { quote, open, keyOf, valueAt }: Cursor): number {
  const line = text.indexOf('\n', offset);
  const rest = text.slice(offset, line < 0 ? text.length : line);
  if (quote === '|') return offset + (/^\w*/.exec(rest)?.[0].length ?? 0);
  if (quote !== '') {
    const inside = quote === "'" ? /^(?:[^']|'')*(?=')/.exec(rest) : /^(?:[^"\\]|\\.)*(?=")/.exec(rest);
    if (inside) return offset + inside[0].length;
    return offset + (/^[\w.]*/.exec(rest)?.[0].length ?? 0); // the quote is never closed
  }
  if (keyOf !== undefined && valueAt === undefined) return offset + (/^[\w./-]*/.exec(rest)?.[0].length ?? 0);
  const plain = open === '' ? /^(?:(?!:(?:\s|$))(?!\s#)[^\n])*/ : /^(?:(?!:(?:\s|$))(?!\s#)[^\n,[\]{}])*/;
  return offset + (plain.exec(rest)?.[0].trimEnd().length ?? 0);
}

/** The brackets that a text does not close before its lines are indented less. */
function missingClosers(rest: string, { open, indent }: Cursor): string {
  let depth = open.length;
  let quote = '';
  for (let at = 0; at < rest.length && depth > 0; at += 1) {
    const character = rest[at] ?? '';
    if (character === '\n') {
      const [blank = ''] = /^[ \t\r]*/.exec(rest.slice(at + 1, at + 1000)) ?? [];
      const next = rest[at + 1 + blank.length];
      if (next !== undefined && next !== '\n' && blank.length <= indent && !/[\]}]/.test(next)) break;
    } else if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
  }
  const kept = open.slice(0, Math.min(depth, open.length));
  return depth === 0
    ? ''
    : Array.from(kept, (bracket) => (bracket === '{' ? '}' : ']'))
        .toReversed()
        .join('');
}
