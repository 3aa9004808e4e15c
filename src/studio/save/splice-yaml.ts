import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { type DataEdit, formatSteps, type JsonData, type Step, withEdit } from './data-edit.js';
import { finestEdits } from './finest-edits.js';
import { type WriteValue, writerOf } from './flow-text.js';

/** An edit that cannot be written into a text without changing more than it should. */
export class SpliceError extends Error {
  override readonly name = 'SpliceError';
}

/** A piece of a text, and what replaces it. */
interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What stands at a path, as far as it goes. */
interface Found {
  /** The last node on the way; undefined where the path goes on in an empty text or an empty value. */
  readonly node: Node | undefined;
  /** The pair that holds the node, where it is a value of a map. */
  readonly pair: YamlPair | undefined;
  /** The steps that lead no further. */
  readonly rest: readonly Step[];
}

type YamlPair = Pair<Node, Node | null>;

/**
 * Writes values into a YAML text, and changes no other character: comments, order, quotes and anchors stay.
 *
 * A value that is there is replaced. A key that is missing is added after the last of its map, an entry after the last of
 * its list. Where other places share the value by an alias, they keep the old one. The result is parsed and compared with
 * the edited data, so that what cannot be written exactly is refused. Each edit is linear in the text.
 *
 * @throws SpliceError where the text is not YAML, or an edit cannot be written
 */
export const spliceYaml = (text: string, edits: readonly DataEdit[]): string => edits.reduce(spliceFinest, text);

/** Of a list, only the elements that differ; all of it where others share it. */
function spliceFinest(text: string, edit: DataEdit): string {
  const finest = Array.isArray(edit.value) ? finestEdits(dataOf(parse(text)), edit) : [edit];
  try {
    return finest.reduce(spliceOne, text);
  } catch (error) {
    if (!(error instanceof SpliceError) || !Array.isArray(edit.value)) throw error;
    return spliceOne(text, edit);
  }
}

function spliceOne(text: string, { path, value }: DataEdit): string {
  const document = parse(text);
  const found = find(document.contents ?? undefined, path);
  const write = writerOf(text);
  const splices =
    found.rest.length === 0 ? replace(document, found, value, write) : [insert(text, found, value, write)];
  const result = apply(text, splices);
  if (!isDeepStrictEqual(dataOf(parse(result)), withEdit(dataOf(document), path, value))) {
    throw new SpliceError(`${formatSteps(path)} cannot be written without changing something else`);
  }
  return result;
}

function parse(text: string): Document.Parsed {
  const document = parseDocument(text, { version: '1.2', schema: 'core', prettyErrors: false, stringKeys: true });
  const [error] = document.errors;
  if (error) throw new SpliceError(`the file is not YAML: ${error.message}`);
  return document;
}

const dataOf = (document: Document.Parsed): JsonData => document.toJS() as JsonData;

const apply = (text: string, splices: readonly Splice[]): string =>
  splices
    .toSorted((a, b) => b.start - a.start)
    .reduce((whole, { start, end, text: put }) => whole.slice(0, start) + put + whole.slice(end), text);

/** Follows a path as far as it goes. */
function find(root: Node | undefined, path: readonly Step[]): Found {
  let [node, pair]: [Node | undefined, YamlPair | undefined] = [root, undefined];
  for (const [depth, step] of path.entries()) {
    const rest = path.slice(depth);
    if (node === undefined || isNull(node)) return { node: undefined, pair, rest };
    if (!isCollection(node)) throw new SpliceError(`${formatSteps(path.slice(0, depth))} is no map and no list`);
    const next = typeof step === 'string' ? pairOf(node, step) : elementOf(node, step);
    if (next === undefined) return { node, pair, rest };
    pair = 'range' in next ? undefined : (next as YamlPair);
    node = pair ? (pair.value ?? undefined) : (next as Node);
  }
  return { node, pair, rest: [] };
}

const isNull = (node: Node): boolean => isScalar(node) && node.value === null;

const pairOf = (node: Node, key: string): YamlPair | undefined =>
  isMap(node) ? (node.items as YamlPair[]).find((one) => isScalar(one.key) && one.key.value === key) : undefined;

function elementOf(node: Node, step: Exclude<Step, string>): Node | undefined {
  if (!isSeq(node)) return undefined;
  const items = node.items as Node[];
  if (typeof step === 'number') return items[step];
  return items.find((item) => {
    const id = pairOf(item, 'id')?.value;
    return isScalar(id) && id.value === step.id;
  });
}

/** Replaces the value at a path; whatever else shares it by an alias gets the old one written out. */
function replace(document: Document.Parsed, { node, pair }: Found, value: JsonData, write: WriteValue): Splice[] {
  const put = write(value);
  if (node === undefined || (isScalar(node) && startOf(node) === endOf(node))) {
    const start = node ? startOf(node) : endOf(pair?.key);
    return [{ start, end: start, text: node ? ` ${put}` : `: ${put}` }];
  }
  const shared =
    isAlias(node) || !('anchor' in node) || node.anchor === undefined ? [] : aliasesOf(document, node.anchor);
  const old = shared.length > 0 ? write((node as Scalar).toJS(document) as JsonData) : '';
  return [
    { start: startOf(node), end: endOf(node), text: put },
    ...shared.map((alias) => ({ start: startOf(alias), end: endOf(alias), text: old })),
  ];
}

function aliasesOf(document: Document.Parsed, anchor: string): Node[] {
  const aliases: Node[] = [];
  visit(document, { Alias: (_key, alias) => void (alias.source === anchor && aliases.push(alias)) });
  return aliases;
}

const startOf = (node: Node | null | undefined): number => node?.range?.[0] ?? 0;

/** Where a node ends: after its last value, and not after the blanks and comments that follow. */
function endOf(node: Node | null | undefined): number {
  if (node && isCollection(node) && !node.flow) {
    const last: unknown = node.items.at(-1);
    if (last !== undefined) return endOf('range' in (last as object) ? (last as Node) : lastOf(last as YamlPair));
  }
  return node?.range?.[1] ?? 0;
}

const lastOf = ({ key, value }: YamlPair): Node => value ?? key;

/** Adds what a path leads to and is not there. */
function insert(text: string, { node, pair, rest }: Found, value: JsonData, write: WriteValue): Splice {
  if (node === undefined) {
    const put = write(withEdit(undefined, rest, value));
    if (pair)
      return { start: endOf(lastOf(pair)), end: endOf(lastOf(pair)), text: pair.value ? ` ${put}` : `: ${put}` };
    return insertAtEnd(text, blockText(rest, value, write));
  }
  if (!isCollection(node) || isMap(node) !== (typeof rest[0] === 'string')) {
    throw new SpliceError(`${formatSteps(rest)} has no place there`);
  }
  return node.flow ? insertInFlow(node, rest, value, write) : insertInBlock(text, node, rest, value, write);
}

/** A key with its value, or an entry of a list, on one line. */
function blockText([step, ...rest]: readonly Step[], value: JsonData, write: WriteValue): string {
  if (step === undefined || typeof step === 'string') {
    return `${write(step ?? '')}: ${write(withEdit(undefined, rest, value))}`;
  }
  const element = typeof step === 'object' ? { id: step.id } : undefined;
  return `- ${write(withEdit(element, rest, value))}`;
}

/** The same without what stands before an element of a block list. */
const flowItem = (rest: readonly Step[], value: JsonData, write: WriteValue): string =>
  blockText(rest, value, write).replace(/^- /, '');

function insertInFlow(node: YAMLMap | YAMLSeq, rest: readonly Step[], value: JsonData, write: WriteValue): Splice {
  const put = flowItem(rest, value, write);
  const last: unknown = node.items.at(-1);
  if (last === undefined) {
    const at = startOf(node) + 1;
    return { start: at, end: endOf(node) - 1, text: isMap(node) ? ` ${put} ` : put };
  }
  const at = endOf('range' in (last as object) ? (last as Node) : lastOf(last as YamlPair));
  return { start: at, end: at, text: `, ${put}` };
}

/** A line of its own, after that of the last item and as deep. */
function insertInBlock(
  text: string,
  node: YAMLMap | YAMLSeq,
  rest: readonly Step[],
  value: JsonData,
  write: WriteValue,
): Splice {
  const first = startOf(node);
  const indent = first - (text.lastIndexOf('\n', first - 1) + 1);
  return insertLine(text, endOf(node), `${' '.repeat(indent)}${blockText(rest, value, write)}`);
}

const insertAtEnd = (text: string, line: string): Splice => insertLine(text, text.length, line);

/** A line after the one in which a position is. */
function insertLine(text: string, after: number, line: string): Splice {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  if (after > 0 && text[after - 1] === '\n') return { start: after, end: after, text: `${line}${newline}` };
  const found = text.indexOf('\n', after);
  if (found >= 0) return { start: found + 1, end: found + 1, text: `${line}${newline}` };
  return { start: text.length, end: text.length, text: text.length > 0 ? `${newline}${line}` : `${line}${newline}` };
}
