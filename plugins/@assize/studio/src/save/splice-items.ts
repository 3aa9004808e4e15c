import { isScalar, isSeq, type Node, type YAMLSeq } from 'yaml';
import type { JsonData } from './data-edit.js';
import {
  apply,
  endOf,
  insertLine,
  lineEnd,
  lineStart,
  newlineOf,
  type Splice,
  SpliceError,
  startOf,
  type WriteValue,
} from './splice.js';

/**
 * Inserts an element into a list before the one at a position, in the style of the list: on its own line if its neighbour
 * is, and formatted like it. Comments stay with the elements that they follow or precede.
 *
 * @throws SpliceError if the list has an unsupported form
 */
export function insertItem(text: string, list: YAMLSeq, at: number, value: JsonData, write: WriteValue): Splice[] {
  const items = list.items as Node[];
  const put = writtenLike(text, items[at] ?? items.at(-1), value, write);
  if (items.length === 0) return [{ start: startOf(list) + 1, end: endOf(list) - 1, text: put }];
  return list.flow ? insertInFlow(text, list, at, put) : insertInBlock(text, list, at, put);
}

function insertInBlock(text: string, list: YAMLSeq, at: number, put: string): Splice[] {
  const column = startOf(list) - lineStart(text, startOf(list));
  const line = `${' '.repeat(column)}- ${put}`;
  if (at > 0) return [insertLine(text, itemPlace(text, list, at - 1).end, line)];
  const { start, isAlone } = itemPlace(text, list, 0);
  if (!isAlone) throw new SpliceError('the list starts in the middle of a line');
  return [lineBefore(text, start, line)];
}

function insertInFlow(text: string, list: YAMLSeq, at: number, put: string): Splice[] {
  const { start, end, comma, isAlone } = itemPlace(text, list, Math.max(0, at - 1));
  const indent = text.slice(lineStart(text, start), start);
  if (at === 0) {
    return [
      isAlone ? lineBefore(text, start, `${indent}${put},`) : insertion(start, `${put}${separatorOf(text, list)}`),
    ];
  }
  if (!isAlone) return [insertion(end, `${separatorOf(text, list)}${put}`)];
  return comma === undefined
    ? [insertion(end, ','), insertLine(text, end, `${indent}${put}`)]
    : [insertLine(text, comma, `${indent}${put},`)];
}

/**
 * Removes an element from a list, with the comment after it.
 *
 * @throws SpliceError if it is the only one, or the list has an unsupported form
 */
export function removeItem(text: string, list: YAMLSeq, at: number): Splice[] {
  if (list.items.length === 1) throw new SpliceError('the only element of a list cannot be removed');
  const place = itemPlace(text, list, at);
  const { start, end, comma, isAlone } = place;
  const before = at > 0 ? itemPlace(text, list, at - 1) : undefined;
  if (isAlone) {
    const line = lineOf(text, start, comma ?? end);
    return list.flow && comma === undefined ? [line, ...commaOf(before)] : [line];
  }
  if (!list.flow) throw new SpliceError('the list starts in the middle of a line');
  if (before && !text.slice(before.end, start).includes('#')) return [{ start: before.end, end, text: '' }];
  if (comma === undefined) return [{ start, end, text: '' }, ...commaOf(before)];
  const blanks = /^[ \t]*/.exec(text.slice(comma + 1))![0].length;
  return [{ start, end: comma + 1 + blanks, text: '' }];
}

const insertion = (at: number, text: string): Splice => ({ start: at, end: at, text });

const commaOf = (place: ItemPlace | undefined): Splice[] =>
  place?.comma === undefined ? [] : [{ start: place.comma, end: place.comma + 1, text: '' }];

const lineBefore = (text: string, at: number, line: string): Splice =>
  insertion(lineStart(text, at), `${line}${newlineOf(text)}`);

/** The lines from one position to another with their line end, or with the line end before them if none follows. */
function lineOf(text: string, from: number, to: number): Splice {
  const [start, end] = [lineStart(text, from), lineEnd(text, to)];
  const isUnended = end === text.length && text[end - 1] !== '\n';
  return { start: isUnended ? text.slice(0, start).replace(/\r?\n$/, '').length : start, end, text: '' };
}

/** The separator between two elements on one line. */
function separatorOf(text: string, list: YAMLSeq): string {
  if (list.items.length < 2) return ', ';
  const between = text.slice(endOf(list.items[0] as Node), itemPlace(text, list, 1).start);
  return /^, *$/.test(between) ? between : ', ';
}

/** Formats a list like another one with the same number of scalars, with its blanks or dashes; other values on one line. */
function writtenLike(text: string, like: Node | undefined, value: JsonData, write: WriteValue): string {
  if (!Array.isArray(value) || !isSeq(like) || like.items.length !== value.length) return write(value);
  const [start, end] = [startOf(like), endOf(like)];
  const pattern = text.slice(start, end);
  if (!like.items.every(isScalar) || /[#&!*|>]/.test(pattern)) return write(value);
  const splices = (value as readonly JsonData[]).map((one, k): Splice => {
    const item = like.items[k] as Node;
    return { start: startOf(item) - start, end: endOf(item) - start, text: write(one) };
  });
  return apply(pattern, splices);
}

/** The place of a list element in a text. */
interface ItemPlace {
  /** The position of its dash or, in a flow list, of its anchor, tag or value. */
  readonly start: number;
  readonly end: number;
  /** The comma after it, in a flow list; absent for the last element without a trailing comma. */
  readonly comma?: number;
  /** Whether its lines contain nothing else except its comma and a comment. */
  readonly isAlone: boolean;
}

/** @throws SpliceError if the list has an unsupported form */
function itemPlace(text: string, list: YAMLSeq, at: number): ItemPlace {
  const items = list.items as Node[];
  const end = endOf(items[at]);
  const isFirst = (start: number): boolean => text.slice(lineStart(text, start), start).trim() === '';
  if (!list.flow) {
    const start = at === 0 ? startOf(list) : skipBlanks(text, endOf(items[at - 1]));
    if (text[start] !== '-') throw new SpliceError('an element does not start with a dash');
    return { start, end, isAlone: isFirst(start) };
  }
  const start = skipBlanks(text, at === 0 ? startOf(list) + 1 : skipBlanks(text, endOf(items[at - 1])) + 1);
  const after = skipBlanks(text, end);
  const comma = text[after] === ',' ? after : undefined;
  const rest = text.slice(comma === undefined ? end : comma + 1);
  const isLast = /^[ \t]*(?:#|\r?\n|$)/.test(rest) && !text.slice(end, comma ?? end).includes('\n');
  return { start, end, ...(comma !== undefined && { comma }), isAlone: isFirst(start) && isLast };
}

/** The next position that is neither blank nor in a comment. */
function skipBlanks(text: string, from: number): number {
  const blanks = /(?:\s|#[^\n]*)*/y;
  blanks.lastIndex = from;
  blanks.test(text);
  return blanks.lastIndex;
}
