import { Composer, CST, type Document, Lexer, Parser } from 'yaml';
import type { Problem, SourceFile } from '../../diagnostics/index.js';
import { type DocumentLimits, MAX_DEPTH, type ParsedDocument, tooManyValues } from '../../input/parsed-document.js';
import { YamlDataBuilder } from './yaml-data-builder.js';
import { yamlProblems } from './yaml-problems.js';

/**
 * Parses YAML 1.2 (core schema) into plain data that remembers its lines. All problems are reported together, in
 * order. An empty file has no data.
 */
export function parseYaml(source: SourceFile, limits?: DocumentLimits): ParsedDocument {
  const { tokens, deep, full } = tokensOf(source.text, limits);
  if (limits && full !== undefined) {
    const problem: Problem = { code: 'ASZ102', ...tooManyValues(limits.values), place: source.placeAt(full) };
    return { data: undefined, problems: [problem] };
  }
  if (deep !== undefined) {
    const message = `the data is nested more than ${MAX_DEPTH} deep`;
    return { data: undefined, problems: [{ code: 'ASZ102', message, place: source.placeAt(deep) }] };
  }
  // Keys are compared by the builder: in linear time, and with both places.
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    uniqueKeys: false,
    prettyErrors: false,
    keepSourceTokens: true,
  });
  const documents: Document.Parsed[] = [...composer.compose(tokens, true, source.text.length)];
  const [document, second] = documents;
  const builder = new YamlDataBuilder(source);
  const data = document?.contents ? builder.build(document.contents) : undefined;
  const problems = [...yamlProblems(source, tokens, document, second), ...builder.problems];
  return { data, problems: problems.toSorted((a, b) => sortKey(a) - sortKey(b)) };
}

const sortKey = ({ place }: Problem): number => (place ? place.line * 2 ** 26 + place.column : 0);

/** A value takes some six lexemes: its indentation, key, colon, space, itself, and the end of its line. */
const LEXEMES_OF_A_VALUE = 6;

interface Tokens {
  readonly tokens: readonly CST.Token[];
  /** The offset where it is nested too deep. */
  readonly deep?: number;
  /** The offset where it has more than it may have. */
  readonly full?: number;
}

/** Tokens of a text, as far as it is neither too deep nor too large: checked here, since composing them is recursive. */
function tokensOf(text: string, limits: DocumentLimits | undefined): Tokens {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  const most = limits ? limits.values * LEXEMES_OF_A_VALUE : Number.POSITIVE_INFINITY;
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1;
    if (lexemes > most) return { tokens, full: parser.offset };
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > MAX_DEPTH) {
      const open = parser.stack.filter((token) => CST.isCollection(token));
      if (open.length > MAX_DEPTH) return { tokens, deep: open.at(-1)!.offset };
    }
  }
  for (const token of parser.end()) tokens.push(token);
  return { tokens };
}
