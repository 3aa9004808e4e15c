import { formatNumber } from './numbers.js';
import { displayWidth, escapeInvisible, escapeInvisibleInLine } from './wrap.js';
import { isWarning } from './codes.js';
import { AssizeError, type Place, type Problem } from './problem.js';

/** How problems are formatted. */
interface ProblemFormatOptions {
  /** Whether to add the terminal's colour codes. Default: false. */
  readonly colour?: boolean;
}

interface ProblemColours {
  readonly place: Colourize;
  readonly error: Colourize;
  readonly warning: Colourize;
  readonly faint: Colourize;
}

const sgr =
  (on: number, off: number): Colourize =>
  (text) =>
    `\u001b[${on}m${text}\u001b[${off}m`;
const COLOURS: ProblemColours = { place: sgr(1, 22), error: sgr(31, 39), warning: sgr(33, 39), faint: sgr(2, 22) };
const uncoloured: Colourize = (text) => text;
const NO_COLOURS: ProblemColours = { place: uncoloured, error: uncoloured, warning: uncoloured, faint: uncoloured };

/** Formats a problem with its place, severity, code, message, code frame and hint. */
export function formatProblem(problem: Problem, options: ProblemFormatOptions = {}): string {
  const colours = options.colour ? COLOURS : NO_COLOURS;
  const { place, path, code, message, hint } = problem;
  const severity = isWarning(code) ? 'warning' : 'error';
  const where = place ? `${place.file}:${place.line}:${place.column}` : path;
  const head = [
    ...(where ? [colours.place(escapeInvisible(where))] : []),
    colours[severity](severity),
    colours.faint(code),
    escapeInvisible(message),
  ].join(' ');
  return [head, ...(place ? codeFrame(place, colours.faint, colours[severity]) : []), ...hintLines(hint)].join('\n');
}

/** Formats problems in the order of their places, with the number of errors if there are several. */
export function formatProblems(problems: readonly Problem[], options: ProblemFormatOptions = {}): string {
  const all = problems.toSorted(compareByPlace).map((problem) => formatProblem(problem, options));
  const errors = problems.filter(({ code }) => !isWarning(code)).length;
  return errors > 1 ? [...all, `${errors} problems`].join('\n') : all.join('\n');
}

function hintLines(hint: string | undefined): string[] {
  return hint ? hint.split('\n').map((line) => `  ${escapeInvisible(line)}`) : [];
}

/** Orders problems by file, line and column. Problems without a place come last. */
export function compareByPlace({ place: a }: Problem, { place: b }: Problem): number {
  if (!a || !b) return Number(!a) - Number(!b);
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}

/** How many problems an error lists. A reader fixes these before reading more. */
const MAX_PROBLEMS = 100;

/** The maximum length of a message or hint, which may quote a name from the input. */
const MAX_MESSAGE = 2000;

const cut = (text: string): string => (text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text);

const isLong = ({ message, hint = '' }: Problem): boolean => message.length > MAX_MESSAGE || hint.length > MAX_MESSAGE;

/** The first problems in the order of the report, and one that counts the rest. */
function capProblems(problems: readonly Problem[]): readonly Problem[] {
  const few = problems.length > MAX_PROBLEMS ? problems.toSorted(compareByPlace).slice(0, MAX_PROBLEMS) : problems;
  const listed = few.some(isLong)
    ? few.map((one) => ({
        ...one,
        message: cut(one.message),
        hint: one.hint === undefined ? undefined : cut(one.hint),
      }))
    : few;
  const more = problems.length - few.length;
  return more === 0 ? listed : [...listed, { code: few[0]!.code, message: `and ${formatNumber(more)} more` }];
}

/** Makes an error whose message is the formatted report. It lists a hundred problems and counts the rest. */
export function toAssizeError(problems: readonly Problem[], options?: ErrorOptions): AssizeError {
  const listed = capProblems(problems);
  return new AssizeError(listed, formatProblems(listed), options);
}

/** The maximum width of a line in a code frame. */
const MAX_COLUMNS = 160;

/** A line, or the part of it around a column. The column counts from 1 in `text`. */
interface Excerpt {
  readonly text: string;
  readonly column: number;
}

/**
 * Cuts a long line to a window around a column, and marks the cuts with `…`. It reads only the window, so a line of
 * megabytes costs no more than a short one.
 */
export function excerpt(line: string, column: number): Excerpt {
  if (line.length <= MAX_COLUMNS && displayWidth(line) <= MAX_COLUMNS) return { text: line, column };
  const at = Math.min(column - 1, line.length);
  const left = windowStart(line, at, MAX_COLUMNS / 2);
  const right = windowEnd(line, at, MAX_COLUMNS - 2 - left.width);
  // Columns that the right side does not need, such as at the end of a line, go to the left side.
  const start = windowStart(line, at, MAX_COLUMNS - 2 - right.width).index;
  const before = start > 0 ? '…' : '';
  const after = right.index < line.length ? '…' : '';
  return { text: before + line.slice(start, right.index) + after, column: at - start + before.length + 1 };
}

/** The end of a window, and its distance from the column, in columns. */
interface WindowEdge {
  readonly index: number;
  readonly width: number;
}

function windowEnd(line: string, from: number, columns: number): WindowEdge {
  let index = from;
  let width = 0;
  while (index < line.length) {
    const character = String.fromCodePoint(line.codePointAt(index)!);
    const next = width + displayWidth(character);
    if (next > columns || index - from > 2 * MAX_COLUMNS) break;
    width = next;
    index += character.length;
  }
  return { index, width };
}

function windowStart(line: string, from: number, columns: number): WindowEdge {
  let index = from;
  let width = 0;
  while (index > 0) {
    // Keep the two halves of a surrogate pair together.
    const pair = index > 1 && line.codePointAt(index - 2)! > 0xffff;
    const start = pair ? index - 2 : index - 1;
    const next = width + displayWidth(line.slice(start, index));
    if (next > columns || from - start > 2 * MAX_COLUMNS) break;
    width = next;
    index = start;
  }
  return { index, width };
}

/** Colours a part of a text. */
type Colourize = (text: string) => string;

/** The lines below a problem: the line of the file, and a caret below the column. Empty if the line is blank. */
function codeFrame(place: Place, faint: Colourize, caret: Colourize): string[] {
  if (place.text === undefined || place.text.trim() === '') return [];
  const { text, column } = excerpt(place.text, place.textColumn ?? place.column);
  const number = String(place.line);
  // Repeat the tabs of the line above, because the terminal decides their width.
  const before = escapeInvisibleInLine(text.slice(0, column - 1));
  const padding = before.replace(/[^\t]+/g, (run) => ' '.repeat(displayWidth(run)));
  return [
    `  ${faint(`${number} |`)} ${escapeInvisibleInLine(text)}`.trimEnd(),
    `  ${faint(`${' '.repeat(number.length)} |`)} ${padding}${caret('^')}`,
  ];
}
