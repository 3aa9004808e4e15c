import {
  type Alias,
  Composer,
  CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type ParsedNode,
  Parser,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { type ItemMarks, type Mark, recordPlaces, type SourceFile, nameList, type Problem } from '../../base/index.js';
import { setOwn } from '../../expression/index.js';
import { type DocumentLimits, MAX_DEPTH, type ParsedDocument, tooManyValues } from '../../data/index.js';
import { yamlProblems } from './yaml-problems.js';

/**
 * Parses YAML 1.2 (core schema) into plain data with places. All problems are reported together, in the order of the
 * text. An empty file gives `undefined`.
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
  // `uniqueKeys: false`: the builder finds duplicate keys in linear time, and knows both places.
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

/** A value takes about six lexemes: indentation, key, colon, space, value and the end of the line. */
const LEXEMES_PER_VALUE = 6;

interface Tokens {
  readonly tokens: readonly CST.Token[];
  /** The offset at which the nesting is too deep. */
  readonly deep?: number;
  /** The offset at which the number of values exceeds the limit. */
  readonly full?: number;
}

/** The tokens of a text, up to the first that is too deep or too many. Composing is recursive, so this checks first. */
function tokensOf(text: string, limits: DocumentLimits | undefined): Tokens {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  const most = limits ? limits.values * LEXEMES_PER_VALUE : Number.POSITIVE_INFINITY;
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

/** The most values that the aliases of one file may stand for: nested aliases can turn ten lines into a billion values. */
const MAX_ALIASED = 10_000;

/** The value of an anchor, with its number of values and levels when written out. */
interface Anchor {
  readonly value: unknown;
  readonly size: number;
  readonly height: number;
}

/** Builds plain data from the nodes of a document and records the place of each part. */
class YamlDataBuilder {
  readonly problems: Problem[] = [];
  readonly #anchors = new Map<string, Anchor | 'open'>();
  /** The number of values so far, with aliases written out, and how many of them come from aliases. */
  #size = 0;
  #aliased = 0;
  /** The deepest level reached since an anchor was opened. */
  #deepest = 0;

  constructor(private readonly source: SourceFile) {}

  build(node: ParsedNode): unknown {
    return this.#value(node, 0);
  }

  #value(node: ParsedNode | null, depth: number): unknown {
    this.#size += 1;
    if (node === null) return null;
    if (isAlias(node)) return this.#alias(node, depth);
    if (!('anchor' in node) || node.anchor === undefined) return this.#plain(node, depth);
    const [outer, size] = [this.#deepest, this.#size];
    this.#deepest = depth;
    this.#anchors.set(node.anchor, 'open');
    const value = this.#plain(node, depth);
    this.#anchors.set(node.anchor, { value, size: this.#size - size + 1, height: this.#deepest - depth });
    this.#deepest = Math.max(outer, this.#deepest);
    return value;
  }

  #plain(node: ParsedNode, depth: number): unknown {
    this.#deepest = Math.max(this.#deepest, depth);
    if (isMap(node)) return this.#map(node, depth);
    if (isSeq(node)) return this.#list(node, depth);
    return isScalar(node) ? node.value : null;
  }

  #map(node: YAMLMap.Parsed, depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    const items = new Map<string, ItemMarks>();
    for (const { key, value } of node.items) {
      // The parser has reported any other kind of key.
      if (!isScalar(key) || typeof key.value !== 'string') continue;
      const name = key.value;
      const at = this.#mark(key);
      const first = items.get(name);
      if (first) this.#reportDuplicateKey(name, at, first.key);
      else if (name === '<<' && key.type === 'PLAIN') this.#reportMergeKey(at);
      if (key.anchor) this.#anchors.set(key.anchor, { value: name, size: 1, height: 0 });
      setOwn(map, name, this.#value(value, depth + 1));
      items.set(name, { key: at, value: value ? this.#mark(value) : at });
    }
    recordPlaces(map, { self: this.#mark(node), items });
    return map;
  }

  #list(node: YAMLSeq.Parsed, depth: number): unknown[] {
    const items = new Map<string, ItemMarks>();
    const list = node.items.map((item, index) => {
      const at = this.#mark(item);
      items.set(String(index), { key: at, value: at });
      return this.#value(item, depth + 1);
    });
    recordPlaces(list, { self: this.#mark(node), items });
    return list;
  }

  /** Aliased maps and lists are shared, which keeps the data small. Their size when written out is limited. */
  #alias(node: Alias.Parsed, depth: number): unknown {
    const anchor = this.#anchors.get(node.source);
    const name = `*${node.source}`;
    if (anchor === undefined) {
      return this.#refuse(node, `the alias ${name} refers to nothing`, this.#unknownAnchorHint(node.source));
    }
    if (anchor === 'open') return this.#refuse(node, `the alias ${name} is inside the value that it refers to`);
    if (depth + anchor.height > MAX_DEPTH) {
      return this.#refuse(node, `with the alias ${name} the data is nested more than ${MAX_DEPTH} deep`);
    }
    this.#deepest = Math.max(this.#deepest, depth + anchor.height);
    this.#size += anchor.size - 1;
    this.#aliased += anchor.size;
    // Reported once, although every later alias also exceeds the limit.
    if (this.#aliased > MAX_ALIASED && this.#aliased - anchor.size <= MAX_ALIASED) {
      this.#refuse(node, `with the alias ${name} the aliases stand for more than ${MAX_ALIASED} values`);
    }
    return this.#aliased > MAX_ALIASED ? null : anchor.value;
  }

  #unknownAnchorHint(name: string): string {
    const later = `&${name} must come before it`;
    const known = [...this.#anchors.keys()].map((anchor) => `*${anchor}`);
    return `${later}; ${known.length > 0 ? `known aliases: ${nameList(known)}` : 'quote a text that starts with *'}`;
  }

  #reportDuplicateKey(name: string, second: Mark, first: Mark): void {
    const { file, line, column } = this.source.placeAt(first.offset);
    this.#add(second, `duplicate key ${name}`, `the first is at ${file}:${line}:${column}`);
  }

  #reportMergeKey(at: Mark): void {
    this.#add(at, 'merge keys (<<) are not supported', 'write the keys out, or extend another profile with extends');
  }

  #refuse(node: ParsedNode, message: string, hint?: string): null {
    this.#add(this.#mark(node), message, hint);
    return null;
  }

  #add(at: Mark, message: string, hint?: string): void {
    this.problems.push({ code: 'ASZ102', message, place: this.source.placeAt(at.offset), hint });
  }

  #mark(node: ParsedNode): Mark {
    return { source: this.source, offset: node.range[0] };
  }
}
