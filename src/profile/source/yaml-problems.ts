import { type CST, type Document, isMap, isScalar, isSeq, type Node, visit, type YAMLError } from 'yaml';
import { lowerBound, type Problem, type SourceFile } from '../../diagnostics/index.js';
import { ITEM, type YamlError, type YamlMessage, yamlMessage } from './yaml-messages.js';

/** A mistake: what it is, where it is shown, and where the parser found it. */
interface Mistake {
  readonly describe: () => YamlMessage;
  readonly offset: number;
  readonly noticed: number;
}

/**
 * Describes everything that the parser found wrong, in the words and at the place that help.
 *
 * @param tokens of the whole file: those of type `error` belong to no document
 */
export function yamlProblems(
  source: SourceFile,
  tokens: readonly CST.Token[],
  document?: Document.Parsed,
  second?: Document.Parsed,
): Problem[] {
  const mistakes = document ? mistakesOf(document, tokens, source) : [];
  const problems = mistakes.map(({ describe, offset }): Problem => {
    const { message, hint } = describe();
    return { code: 'ASZ102', message, place: source.placeAt(offset), hint };
  });
  if (second) {
    const message = 'a second document starts here, expected one';
    problems.push({ code: 'ASZ102', message, place: source.placeAt(second.range[0]), hint: 'remove the line ---' });
  }
  return problems;
}

function mistakesOf(document: Document.Parsed, tokens: readonly CST.Token[], source: SourceFile): Mistake[] {
  const { text } = source;
  const errors = [...document.errors, ...document.warnings];
  if (errors.length === 0) return [];
  const nodes = nodesOf(document);
  const starts = nodes.map(({ start }) => start);
  const openUpTo = new Map(nodes.filter(isUnclosed).map((node) => [node.valueEnd, node])); // the innermost is the last
  const overIndented = overIndentedKeys(errors, text);
  const misplaced = new Set(tokens.filter(({ type }) => type === 'error').map(({ offset }) => offset));
  const mistakes = errors.map(({ code, pos: [noticed, end] }): Mistake => {
    const key = IMPLICIT_KEY_CODES.has(code) ? overIndented.get(noticed) : undefined;
    if (key !== undefined) return { describe: () => OVER_INDENTED, offset: key, noticed: key };
    const open = UNCLOSED_CODES.has(code) ? openUpTo.get(noticed) : undefined;
    // What is never closed is noticed late, at the end of the file even; the mistake is where it was opened.
    if (open) return { describe: () => unclosedMessage(open, text), offset: open.start, noticed };
    const isMisplaced = misplaced.has(noticed);
    const describe = (): YamlMessage =>
      yamlMessage({ code, text, offset: noticed, end, inside: surroundings(nodes, starts, noticed), isMisplaced });
    return { describe, offset: noticed, noticed };
  });
  return withoutFollowUps(mistakes, misplaced, source);
}

/** Removes errors that follow from others: of those found on one line the first is kept. */
function withoutFollowUps(mistakes: readonly Mistake[], misplaced: ReadonlySet<number>, source: SourceFile): Mistake[] {
  const lines = new Set<number>();
  const first = mistakes.reduce((least, { noticed }) => Math.min(least, noticed), source.text.length);
  return mistakes.filter(({ noticed }) => {
    const line = source.lineAt(noticed);
    const isFollowUp = lines.has(line) || (noticed > first && misplaced.has(noticed));
    lines.add(line);
    return !isFollowUp;
  });
}

const OVER_INDENTED: YamlMessage = {
  message: 'this key is indented more than the one above it, which has a value already',
  hint: 'keys of one map start in the same column',
};

const IMPLICIT_KEY_CODES: ReadonlySet<YAMLError['code']> = new Set(['BLOCK_AS_IMPLICIT_KEY', 'MULTILINE_IMPLICIT_KEY']);

/**
 * The keys that are indented more than the one above, by where the parser finds them. Each is taken for a part of that
 * one's value, and refused twice over; the mistake is in the line of the second key.
 */
function overIndentedKeys(errors: readonly YAMLError[], text: string): Map<number, number> {
  const offsetsOf = (wanted: YAMLError['code']) =>
    new Map(errors.filter(({ code }) => code === wanted).map(({ pos: [start, end] }) => [start, end]));
  const nested = offsetsOf('BLOCK_AS_IMPLICIT_KEY');
  const keys = new Map<number, number>();
  for (const [start, end] of offsetsOf('MULTILINE_IMPLICIT_KEY')) {
    if (!nested.has(start) || ITEM.test(text.slice(start, start + 100))) continue; // which is a list for a key
    const line = text.slice(start, end).lastIndexOf('\n') + 1 + start;
    keys.set(start, line + /^[ \t]*/.exec(text.slice(line, end))![0].length);
  }
  return keys;
}

/** A node, and where it is in the text: its own end, and that of what follows it on its line. */
interface LocatedNode {
  readonly node: Node;
  readonly start: number;
  readonly valueEnd: number;
  readonly end: number;
}

/** All that a document consists of, by start, an outer node before its parts. */
function nodesOf(document: Document.Parsed): LocatedNode[] {
  const nodes: LocatedNode[] = [];
  visit(document, {
    Node(_, node) {
      if (!node.range) return;
      const [start, valueEnd, end] = node.range;
      nodes.push({ node, start, valueEnd, end });
    },
  });
  return nodes;
}

/** The codes of what is never closed; each is that of other mistakes, too. */
const UNCLOSED_CODES: ReadonlySet<YAMLError['code']> = new Set(['MISSING_CHAR', 'BAD_INDENT']);

/** Whether a text in quotes, or a list or map in brackets, has no end. */
function isUnclosed({ node }: LocatedNode): boolean {
  const token = node.srcToken;
  if (token?.type === 'single-quoted-scalar' || token?.type === 'double-quoted-scalar') {
    return token.source.length === 1 || !token.source.endsWith(token.source.charAt(0));
  }
  return token?.type === 'flow-collection' && token.end[0]?.source !== (isSeq(node) ? ']' : '}');
}

function unclosedMessage({ node, start }: LocatedNode, text: string): YamlMessage {
  if (isScalar(node)) return { message: `the text opened with ${text[start]} is never closed` };
  const [what, end] = isSeq(node) ? ['list', ']'] : ['map', '}'];
  return {
    message: `the ${what} that starts here is not closed, expected ${end}`,
    hint: `its lines are indented more than its key, the ${end} too`,
  };
}

/** What an offset is inside of: the innermost node that is no text on a line. */
function surroundings(nodes: readonly LocatedNode[], starts: readonly number[], offset: number): YamlError['inside'] {
  for (let index = lowerBound(starts, offset + 1) - 1; index >= 0; index--) {
    const { node, valueEnd, end } = nodes[index]!;
    if (isScalar(node) && node.srcToken?.type === 'block-scalar') {
      if (offset < end || node.value === '') return 'text';
    } else if (isSeq(node) || isMap(node)) {
      if (node.flow && offset < valueEnd) return 'flow';
      if (!node.flow && offset < end) return isSeq(node) ? 'list' : 'map';
    }
  }
  return undefined;
}
