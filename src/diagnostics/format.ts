import { displayWidth } from '../text/display-width.js';
import { escapeInvisible, escapeInvisibleInLine } from '../text/escape-invisible.js';
import { isWarning } from './codes.js';
import { excerpt } from './excerpt.js';
import type { Place, Problem } from './problem.js';

export interface ProblemFormatOptions {
  /** Whether to add a terminal's colour codes; no when not said. */
  readonly colour?: boolean;
}

type Colourize = (text: string) => string;
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

/** A problem as a person reads it: where, what, the line with a caret under it, and what to do. */
export function formatProblem(problem: Problem, options: ProblemFormatOptions = {}): string {
  const colours = options.colour ? COLOURS : NO_COLOURS;
  const { place, path, code, message, hint } = problem;
  const grave = isWarning(code) ? 'warning' : 'error';
  const where = place ? `${place.file}:${place.line}:${place.column}` : path;
  const head = [
    ...(where ? [colours.place(escapeInvisible(where))] : []),
    colours[grave](grave),
    colours.faint(code),
    escapeInvisible(message),
  ].join(' ');
  return [head, ...(place ? codeFrame(place, colours, colours[grave]) : []), ...hintLines(hint)].join('\n');
}

/** All problems by file, line and column, those without a place last, and how many errors there are. */
export function formatProblems(problems: readonly Problem[], options: ProblemFormatOptions = {}): string {
  const all = problems.toSorted(compareByPlace).map((problem) => formatProblem(problem, options));
  const errors = problems.filter(({ code }) => !isWarning(code)).length;
  return errors > 1 ? [...all, `${errors} problems`].join('\n') : all.join('\n');
}

function codeFrame(place: Place, colours: ProblemColours, caret: Colourize): string[] {
  if (place.text === undefined || place.text.trim() === '') return [];
  const { text, column } = excerpt(place.text, place.textColumn ?? place.column);
  const number = String(place.line);
  // The same tabs stand above the caret and before it, whatever a terminal makes of them.
  const before = escapeInvisibleInLine(text.slice(0, column - 1));
  const padding = before.replace(/[^\t]+/g, (run) => ' '.repeat(displayWidth(run)));
  return [
    `  ${colours.faint(`${number} |`)} ${escapeInvisibleInLine(text)}`.trimEnd(),
    `  ${colours.faint(`${' '.repeat(number.length)} |`)} ${padding}${caret('^')}`,
  ];
}

function hintLines(hint: string | undefined): string[] {
  return hint ? hint.split('\n').map((line) => `  ${escapeInvisible(line)}`) : [];
}

function compareByPlace({ place: a }: Problem, { place: b }: Problem): number {
  if (!a || !b) return Number(!a) - Number(!b);
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
