import { type Document, isCollection, isScalar, visit, type YAMLError } from 'yaml';
import type { Problem } from '../../diagnostics/problem.js';
import type { SourceFile } from '../../diagnostics/source-file.js';
import { yamlMessage } from './yaml-messages.js';

/** Everything that the parser found wrong, in the words and at the place that help. */
export function yamlProblems(source: SourceFile, document?: Document.Parsed, second?: Document.Parsed): Problem[] {
  const errors = [...(document?.errors ?? []), ...(document?.warnings ?? [])];
  const openings = document && errors.length > 0 ? openingsOf(document, source.text) : NO_OPENINGS;
  const problems = withoutFollowUpErrors(mergeIndentedKeyErrors(errors, source), source).map((error): Problem => {
    // What to say is chosen by where the parser stumbled, what to show by where the mistake is.
    const { message, hint } = yamlMessage(error, source);
    return { code: 'ASZ102', message, place: source.placeAt(mistakeOffset(error, openings)), hint };
  });
  if (second) {
    const message = 'a second document starts here, expected one';
    problems.push({ code: 'ASZ102', message, place: source.placeAt(second.range[0]), hint: 'remove the line ---' });
  }
  return problems;
}

/** One mistake often makes the parser stumble over what follows: of errors on a line the first counts. */
function withoutFollowUpErrors(errors: readonly YAMLError[], source: SourceFile): YAMLError[] {
  const lines = new Set<number>();
  const first = errors.reduce((least, { pos }) => Math.min(least, pos[0]), source.text.length);
  return errors.filter((error) => {
    const line = source.lineAt(error.pos[0]);
    const echo = lines.has(line) || (error.pos[0] > first && error.message.includes('in YAML '));
    lines.add(line);
    return !echo;
  });
}

/**
 * A key that is indented more than the one above is taken for a part of that one's value, and refused twice over. The
 * mistake is in the line of the second key.
 */
function mergeIndentedKeyErrors(errors: readonly YAMLError[], source: SourceFile): YAMLError[] {
  const spread = new Map(
    errors.filter(({ message }) => message.startsWith('Implicit keys need')).map((error) => [error.pos[0], error]),
  );
  return errors.map((error) => {
    const [start] = error.pos;
    const over = error.message.startsWith('Nested mappings') ? spread.get(start) : undefined;
    if (!over) return error;
    const line = source.text.slice(start, over.pos[1]).lastIndexOf('\n') + 1 + start;
    const key = line + /^[ \t]*/.exec(source.text.slice(line, over.pos[1]))![0].length;
    return Object.assign(over, { pos: [key, key + 1], message: 'Indented key' });
  });
}

/** Where quotes start, and lists and maps in brackets that have no end; in order. */
interface Openings {
  readonly quotes: readonly number[];
  readonly brackets: readonly number[];
}

const NO_OPENINGS: Openings = { quotes: [], brackets: [] };

function openingsOf(document: Document.Parsed, text: string): Openings {
  const quotes: number[] = [];
  const brackets: number[] = [];
  visit(document, {
    Node(_, node) {
      if (!node.range) return;
      const [start, end] = node.range;
      if (isScalar(node) && node.type?.startsWith('QUOTE')) quotes.push(start);
      if (isCollection(node) && node.flow && !/[\]}]/.test(text[end - 1] ?? '')) brackets.push(start);
    },
  });
  return { quotes, brackets };
}

/** What is never closed is noticed later, as late as at the end of the file; the mistake is where it was opened. */
function mistakeOffset({ message, pos: [noticed] }: YAMLError, { quotes, brackets }: Openings): number {
  if (message.startsWith('Missing closing')) return lastBefore(quotes, noticed) ?? noticed;
  if (/^Flow .*[\]}]$/.test(message)) return lastBefore(brackets, noticed) ?? noticed;
  return noticed;
}

function lastBefore(sorted: readonly number[], limit: number): number | undefined {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1];
}
