import {
  type CST,
  type Document,
  type ErrorCode,
  isMap,
  isScalar,
  isSeq,
  type Node,
  visit,
  type YAMLError,
} from 'yaml';
import { lowerBound, type SourceFile, type Problem } from '../../base/index.js';

/** A mistake in the text. `SourceFile.placeAt` converts its offset to a line and a column. */
interface Mistake {
  readonly describe: () => YamlMessage;
  /** Where it is shown. */
  readonly offset: number;
  /** Where the parser found it, possibly much later in the text. */
  readonly noticed: number;
}

/**
 * Describes all errors of the parser, in plain words and at the place where the user must edit.
 *
 * @param tokens the tokens of the whole file. Those of type `error` belong to no document
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
    // The parser notices an unclosed bracket late, possibly at the end of the file. Report where it was opened.
    if (open) return { describe: () => unclosedMessage(open, text), offset: open.start, noticed };
    const isMisplaced = misplaced.has(noticed);
    const describe = (): YamlMessage =>
      yamlMessage({ code, text, offset: noticed, end, inside: surroundings(nodes, starts, noticed), isMisplaced });
    return { describe, offset: noticed, noticed };
  });
  return withoutFollowUps(mistakes, misplaced, source);
}

/** Keeps only the first of the errors on one line, because the others follow from it. */
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
  hint: 'indent all keys of a map equally',
};

const IMPLICIT_KEY_CODES: ReadonlySet<YAMLError['code']> = new Set(['BLOCK_AS_IMPLICIT_KEY', 'MULTILINE_IMPLICIT_KEY']);

/**
 * The keys that are indented more than the one above, by the offset at which the parser reports them. The parser takes
 * such a key for a part of the value above and reports two errors. The mistake is in the line of the second key.
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

/** A node with its own end, and the end of the text after it on its line. */
interface LocatedNode {
  readonly node: Node;
  readonly start: number;
  readonly valueEnd: number;
  readonly end: number;
}

/** All nodes of a document by start, outer nodes before their parts. */
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

/** The codes of unclosed values. Other mistakes have the same codes. */
const UNCLOSED_CODES: ReadonlySet<YAMLError['code']> = new Set(['MISSING_CHAR', 'BAD_INDENT']);

/** Whether a quoted text, or a list or map in brackets, is not closed. */
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
    hint: `indent its lines and the ${end} more than its key`,
  };
}

/** The innermost node around an offset that is not a text on one line. */
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

/** An error of the YAML parser: its code and its position. Its message describes the grammar and is not used. */
interface YamlError {
  readonly code: ErrorCode;
  readonly text: string;
  readonly offset: number;
  readonly end: number;
  /** The innermost node that contains the offset: `flow` is a list or map in brackets, `text` a block after | or >. */
  readonly inside: 'flow' | 'list' | 'map' | 'text' | undefined;
  /** Whether no value can start or continue with the token at the offset. */
  readonly isMisplaced: boolean;
}

/** A message and a hint. */
interface YamlMessage {
  readonly message: string;
  readonly hint?: string | undefined;
}

const NO_KEY: YamlMessage = { message: 'expected "key: value"', hint: 'write a colon and a space after the key' };
const KEYS_ON_A_LINE: YamlMessage = {
  message: 'found a second "key: value" on one line',
  hint: 'quote a text that contains a colon and a space, and put nested keys on separate lines',
};
const CORE_TAG = /^!(?:!|<tag:yaml\.org,2002:)(?:bool|float|int|null|str)>?$/;
/** The dash of an item, even if the error is at the start of its line. */
const ITEM = /^\s*-(?:\s|$)/;
/** Characters with which an unquoted text cannot start. */
const INDICATOR = /^(?:$|[,[\]{}&*!|>'"#%@`]|[-?:](?:\s|$))/;

const firstCharacter = (text: string): string =>
  text === '' ? 'the end of the file' : String.fromCodePoint(text.codePointAt(0)!);
const characterAt = ({ text, offset }: YamlError): string => firstCharacter(text.slice(offset, offset + 2));
const sourceOf = ({ text, offset, end }: YamlError): string => text.slice(offset, end);
const lineBefore = ({ text, offset }: YamlError): string => text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);

function missingCharacter(error: YamlError): YamlMessage {
  const { text, offset, inside } = error;
  if (text[offset] === '#') return { message: 'expected a space before #' };
  if (/^[!&]/.test(text.slice(offset))) return { message: 'expected a line end after a tag or anchor of a list' };
  if (/(?:^|\s)[!&]\S*$/.test(lineBefore(error))) return { message: 'expected a space after a tag or anchor' };
  if (text.startsWith('%')) return { message: 'expected the line --- after a directive' };
  if (inside === 'flow') return { message: 'expected a comma between two items' };
  if (inside === 'list') {
    const isKey = /^\s*[\w-]+:(?:\s|$)/.test(text.slice(offset, offset + 100));
    const hint = isKey ? 'indent the keys of an item like its first key, which follows the dash' : undefined;
    return { message: 'expected "- " before the item of a list', hint };
  }
  return inside === 'text' ? { message: 'the first lines of this text are indented more than the others' } : NO_KEY;
}

function unexpectedToken(error: YamlError): YamlMessage {
  const rest = error.text.slice(error.offset, error.offset + 100).trimStart();
  const before = lineBefore(error);
  if (ITEM.test(rest) && /:[ \t]+$/.test(before)) {
    return {
      message: 'a list starts on the line of its key',
      hint: 'put its items on separate lines, or in brackets: [a, b]',
    };
  }
  if (/(?:^|[\s:-])[|>][-+\d]*[ \t]*$/.test(before))
    return { message: 'a text after | or > must start on the next line' };
  if (error.isMisplaced || INDICATOR.test(rest)) {
    const unquoted = /^\["?[\w$]/.test(rest) && /[{,]\s*\w+:\s+[\w$.]+$/.test(before);
    const hint = unquoted ? 'inside braces, quote a text with brackets: \'a["b"]\'' : undefined;
    return { message: `unexpected ${firstCharacter(rest)}`, ...(hint !== undefined && { hint }) };
  }
  const dash = /^-\S/.test(rest) ? 'start an item with a dash and a space' : undefined;
  const quote = before.endsWith("'") ? "inside single quotes, a quote is written twice: ''" : undefined;
  return { message: 'found text after the end of a value', hint: dash ?? quote };
}

function badIndent({ text, offset, inside }: YamlError): YamlMessage {
  if (inside === 'text') return { message: 'the text after | or > is not indented more than its key' };
  if (inside === 'flow' && /[\]}]/.test(text[offset] ?? '')) {
    return { message: `the ${text[offset]} is not indented more than its key` };
  }
  return {
    message: 'this line is not indented like its neighbours',
    hint: 'start the keys of one map in the same column; those of an item of a list start after its dash',
  };
}

function tagMessage(error: YamlError): YamlMessage {
  const tag = sourceOf(error);
  if (CORE_TAG.test(tag)) return { message: `the value does not match its tag ${tag}` };
  return { message: `unknown tag ${tag}`, hint: 'remove it, or quote a text that starts with !' };
}

/** A message for every code of the parser. A new code does not compile until it has a message. */
const MESSAGES: Readonly<Record<ErrorCode, YamlMessage | ((error: YamlError) => YamlMessage)>> = {
  ALIAS_PROPS: { message: 'an alias cannot have a tag or an anchor' },
  BAD_ALIAS: ({ text, offset }) =>
    text[offset] === ':'
      ? { message: 'a colon directly after an alias or anchor', hint: 'put a space before the colon' }
      : { message: 'expected a name after * or &' },
  BAD_COLLECTION_TYPE: tagMessage,
  BAD_DIRECTIVE: { message: 'unknown directive', hint: 'quote a text that starts with %' },
  BAD_DQ_ESCAPE: ({ text, offset }) => ({
    message: `${text.slice(offset, offset + 2)} is not a valid escape in double quotes`,
    hint: 'in single quotes, a backslash needs no escape',
  }),
  BAD_INDENT: badIndent,
  BAD_PROP_ORDER: (error) => ({ message: `put a tag or anchor after the ${characterAt(error)}` }),
  BAD_SCALAR_START: (error) => ({ message: `a text that starts with ${characterAt(error)} needs quotes` }),
  BLOCK_AS_IMPLICIT_KEY: ({ text, offset }) =>
    ITEM.test(text.slice(offset, offset + 100))
      ? { message: 'found a list item among the keys of a map' }
      : KEYS_ON_A_LINE,
  BLOCK_IN_FLOW: { message: 'a list or map inside brackets must be in brackets, too' },
  DUPLICATE_KEY: { message: 'a key is written twice in one map' },
  IMPOSSIBLE: { message: 'this is not YAML' },
  KEY_OVER_1024_CHARS: { message: 'a key is longer than 1024 characters' },
  MISSING_CHAR: missingCharacter,
  MULTILINE_IMPLICIT_KEY: NO_KEY,
  MULTIPLE_ANCHORS: { message: 'a value has two anchors' },
  MULTIPLE_DOCS: { message: 'a second document starts here, expected one' },
  MULTIPLE_TAGS: { message: 'a value has two tags' },
  NON_STRING_KEY: {
    message: 'a list or map is used as a key, expected a text',
    hint: 'quote a text that starts with { or [',
  },
  RESOURCE_EXHAUSTION: { message: 'the data is nested too deep' },
  TAB_AS_INDENT: { message: 'a tab is used as indentation', hint: 'indent with spaces' },
  TAG_RESOLVE_FAILED: tagMessage,
  UNEXPECTED_TOKEN: unexpectedToken,
};

/** Describes an error in the terms of the text. */
function yamlMessage(error: YamlError): YamlMessage {
  const entry = MESSAGES[error.code];
  return typeof entry === 'function' ? entry(error) : entry;
}
