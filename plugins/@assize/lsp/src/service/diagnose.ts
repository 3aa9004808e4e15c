import type { Problem } from 'assize';
import { AssizeError } from 'assize/language';
import type { Diagnostic, ProfileServiceOptions, TextRange } from './types.js';

/** The problems of a profile, as `assize check` reports them: its errors, or the warnings of a valid profile. */
export async function checkProblems(
  yaml: string,
  name: string,
  check: ProfileServiceOptions['check'],
): Promise<Pick<Diagnostic, 'severity'> & { readonly problems: readonly Problem[] }> {
  try {
    return { severity: 'warning', problems: (await check({ yaml, name })).warnings };
  } catch (error) {
    if (error instanceof AssizeError) return { severity: 'error', problems: error.problems };
    throw error;
  }
}

/** A text that was checked. */
export interface DiagnosedText {
  readonly text: string;
  /** The name of its file in problems. */
  readonly name: string;
  /** The offsets at which its lines start. */
  readonly lines: readonly number[];
}

/** A problem as a diagnostic of the text. A problem of another file is shown where that file is named. */
export function toDiagnostic(
  problem: Problem,
  severity: Diagnostic['severity'],
  { text, name, lines }: DiagnosedText,
): Diagnostic {
  const { place, message, hint } = problem;
  const isHere = place === undefined || place.file === name;
  const range = isHere ? rangeOf(problem, text, lines) : extendsRange(text, place.file);
  const where = isHere ? '' : `${place.file}:${place.line}:${place.column}: `;
  const shown = `${where}${message}${hint === undefined ? '' : `\n${hint}`}`;
  const fix = isHere ? fixOf(problem, text, range) : undefined;
  return { ...range, severity, problem, message: shown, ...(fix && { fix }) };
}

/** The range of a problem: the name, text or bracket that starts at its place. */
function rangeOf({ place }: Problem, text: string, lines: readonly number[]): TextRange {
  if (place === undefined) return { start: 0, end: /^.*/.exec(text)?.[0].length ?? 0 };
  const mark = text.startsWith('\ufeff') && place.line === 1 ? 1 : 0;
  const start = Math.min((lines[place.line - 1] ?? text.length) + place.column - 1 + mark, text.length);
  return { start, end: start + lengthAt(text, start) };
}

/** A problem underlines one name, one quoted text on one line, or one character. */
const PART = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|[\w./@-]+|[^\n\r]?/y;
const LONGEST = 500;

function lengthAt(text: string, start: number): number {
  PART.lastIndex = 0;
  return PART.exec(text.slice(start, start + LONGEST))?.[0].length ?? 0;
}

function extendsRange(text: string, file: string): TextRange {
  const name = /([^/\\]+?)(?:\.ya?ml|\.json)?$/.exec(file)?.[1] ?? file;
  const section = /^[ \t]*extends:/m.exec(text)?.index ?? 0;
  const at = text.indexOf(name, section);
  return at < 0 ? { start: section, end: section + lengthAt(text, section) } : { start: at, end: at + name.length };
}

/** The change that "did you mean NAME?" proposes, if the problem is about the name at its place. */
function fixOf({ message, hint = '' }: Problem, text: string, range: TextRange): Diagnostic['fix'] {
  const [, meant] = /^did you mean ([\w./-]+)\?/.exec(hint) ?? [];
  if (meant === undefined) return undefined;
  const written = text.slice(range.start, range.end);
  const name = /^["']?([\w./-]+)/.exec(written)?.[1];
  const isAbout = name !== undefined && new RegExp(`(?:^|[^\\w./-])${escaped(name)}(?:$|[^\\w./-])`).test(message);
  if (name === undefined || !isAbout) return undefined;
  const start = range.start + written.indexOf(name);
  return { start, end: start + name.length, text: meant, title: `Change to ${meant}` };
}

const escaped = (name: string): string => name.replaceAll(/[./-]/g, '\\$&');

/** The offsets at which the lines of a text start. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return starts;
}
