import { isWarning } from '../contract/codes.js';
import type { Place, Problem } from '../contract/problem.js';
import { excerpt } from './excerpt.js';
import { visible, visibleLine } from './visible.js';
import { widthOf } from './width.js';

export interface FormatOptions {
  /** Whether to add a terminal's colour codes; no when not said. */
  readonly colour?: boolean;
}

type Paint = (text: string) => string;
interface Colours {
  readonly place: Paint;
  readonly error: Paint;
  readonly warning: Paint;
  readonly faint: Paint;
}

const sgr =
  (on: number, off: number): Paint =>
  (text) =>
    `\u001b[${on}m${text}\u001b[${off}m`;
const COLOURS: Colours = { place: sgr(1, 22), error: sgr(31, 39), warning: sgr(33, 39), faint: sgr(2, 22) };
const plain: Paint = (text) => text;
const NO_COLOURS: Colours = { place: plain, error: plain, warning: plain, faint: plain };

/** A problem as a person reads it: where, what, the line with a caret under it, and what to do. */
export function formatProblem(problem: Problem, options: FormatOptions = {}): string {
  const colours = options.colour ? COLOURS : NO_COLOURS;
  const { place, path, code, message, hint } = problem;
  const grave = isWarning(code) ? 'warning' : 'error';
  const where = place ? `${place.file}:${place.line}:${place.column}` : path;
  const head = [
    ...(where ? [colours.place(visible(where))] : []),
    colours[grave](grave),
    colours.faint(code),
    visible(message),
  ].join(' ');
  return [head, ...(place ? frame(place, colours, colours[grave]) : []), ...hintLines(hint)].join('\n');
}

/** All problems by file, line and column, those without a place last, and how many errors there are. */
export function formatProblems(problems: readonly Problem[], options: FormatOptions = {}): string {
  const all = problems.toSorted(byPlace).map((problem) => formatProblem(problem, options));
  const errors = problems.filter(({ code }) => !isWarning(code)).length;
  return errors > 1 ? [...all, `${errors} problems`].join('\n') : all.join('\n');
}

function frame(place: Place, colours: Colours, caret: Paint): string[] {
  if (place.text === undefined || place.text.trim() === '') return [];
  const { text, column } = excerpt(place.text, place.textColumn ?? place.column);
  const number = String(place.line);
  // The same tabs stand above the caret and before it, whatever a terminal makes of them.
  const before = visibleLine(text.slice(0, column - 1));
  const padding = before.replace(/[^\t]+/g, (run) => ' '.repeat(widthOf(run)));
  return [
    `  ${colours.faint(`${number} |`)} ${visibleLine(text)}`.trimEnd(),
    `  ${colours.faint(`${' '.repeat(number.length)} |`)} ${padding}${caret('^')}`,
  ];
}

function hintLines(hint: string | undefined): string[] {
  return hint ? hint.split('\n').map((line) => `  ${visible(line)}`) : [];
}

function byPlace({ place: a }: Problem, { place: b }: Problem): number {
  if (!a || !b) return Number(!a) - Number(!b);
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
