import type { Node, YAMLSeq } from 'yaml';
import { endOf, lineStart, SpliceError, startOf } from './splice.js';

/** Where an element of a list stands in a text. */
export interface ItemPlace {
  /** Of its dash, or of its anchor, tag or value in a flow list. */
  readonly start: number;
  readonly end: number;
  /** The comma after it, in a flow list; missing after the last, unless it has one. */
  readonly comma?: number;
  /** Whether its lines have nothing else, but for its comma and a comment. */
  readonly isAlone: boolean;
}

/** @throws SpliceError where the list is written in a way that is not known here */
export function itemPlace(text: string, list: YAMLSeq, at: number): ItemPlace {
  const items = list.items as Node[];
  const end = endOf(items[at]);
  const isFirst = (start: number): boolean => text.slice(lineStart(text, start), start).trim() === '';
  if (!list.flow) {
    const start = at === 0 ? startOf(list) : skipBlanks(text, endOf(items[at - 1]));
    if (text[start] !== '-') throw new SpliceError('an element does not begin with a dash');
    return { start, end, isAlone: isFirst(start) };
  }
  const start = skipBlanks(text, at === 0 ? startOf(list) + 1 : skipBlanks(text, endOf(items[at - 1])) + 1);
  const after = skipBlanks(text, end);
  const comma = text[after] === ',' ? after : undefined;
  const rest = text.slice(comma === undefined ? end : comma + 1);
  const isLast = /^[ \t]*(?:#|\r?\n|$)/.test(rest) && !text.slice(end, comma ?? end).includes('\n');
  return { start, end, ...(comma !== undefined && { comma }), isAlone: isFirst(start) && isLast };
}

/** The first position from one on that is neither blank nor in a comment. */
function skipBlanks(text: string, from: number): number {
  const blanks = /(?:\s|#[^\n]*)*/y;
  blanks.lastIndex = from;
  blanks.test(text);
  return blanks.lastIndex;
}
