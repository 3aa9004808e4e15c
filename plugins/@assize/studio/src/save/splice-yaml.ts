import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import { type DataEdit, formatSteps, type JsonData, type Step, withEdit } from './data-edit.js';
import { type FinestEdit, finestEdits, type ListEdit, withFinestEdit } from './finest-edits.js';
import {
  apply,
  endOf,
  insertLine,
  lastOf,
  lineStart,
  type Splice,
  SpliceError,
  startOf,
  writerOf,
  type WriteValue,
  type YamlPair,
} from './splice.js';
import { insertItem, removeItem } from './splice-items.js';

/** The result of following a path as far as possible. */
interface Found {
  /** The last node on the way; undefined if the path continues in an empty text or value. */
  readonly node: Node | undefined;
  /** The pair that holds the node, if it is a value of a map. */
  readonly pair: YamlPair | undefined;
  /** The remaining steps. */
  readonly rest: readonly Step[];
}

/**
 * Writes values into a YAML text without changing any other character, so that comments, order, quotes and anchors stay.
 *
 * Existing values are replaced. A missing key is added after the last one of its map, a missing entry after the last one
 * of its list. Places that share the value by an alias keep the old value. The result is parsed and compared with the
 * edited data, so that inexact edits are refused. Each edit is linear in the text.
 *
 * @throws SpliceError if the text is not YAML, or an edit cannot be written
 */
export const spliceYaml = (text: string, edits: readonly DataEdit[]): string => edits.reduce(spliceFinest, text);

/** Edits only the changed elements of a list; the whole list if that is impossible or if it is shared by an alias. */
function spliceFinest(text: string, edit: DataEdit): string {
  const finest = Array.isArray(edit.value) ? finestEdits(dataOf(parse(text)), edit) : [edit];
  try {
    return finest.reduce(spliceOne, text);
  } catch (error) {
    if (!(error instanceof SpliceError) || !Array.isArray(edit.value)) throw error;
    return spliceOne(text, edit);
  }
}

/** @throws SpliceError if the result would differ from the edited data */
function spliceOne(text: string, edit: FinestEdit): string {
  const document = parse(text);
  const result = apply(text, 'kind' in edit ? itemSplices(text, document, edit) : valueSplices(text, document, edit));
  if (!isDeepStrictEqual(dataOf(parse(result)), withFinestEdit(dataOf(document), edit))) {
    throw new SpliceError(`${formatSteps(edit.path)} cannot be written without changing something else`);
  }
  return result;
}

/** Replaces the value of an edit, or adds the missing path to it. */
function valueSplices(text: string, document: Document.Parsed, { path, value }: DataEdit): readonly Splice[] {
  const found = find(document.contents ?? undefined, path);
  const write = writerOf(text);
  return found.rest.length === 0 ? replace(document, found, value, write) : insert(text, found, value, write);
}

/** Inserts an element into a list, or removes it. */
function itemSplices(text: string, document: Document.Parsed, edit: ListEdit): readonly Splice[] {
  const { node, rest } = find(document.contents ?? undefined, edit.path.slice(0, -1));
  const at = edit.path.at(-1);
  if (rest.length > 0 || !isSeq(node) || typeof at !== 'number') {
    throw new SpliceError(`${formatSteps(edit.path)} is not an element of a list`);
  }
  return edit.kind === 'remove' ? removeItem(text, node, at) : insertItem(text, node, at, edit.value, writerOf(text));
}

function parse(text: string): Document.Parsed {
  const document = parseDocument(text, { version: '1.2', schema: 'core', prettyErrors: false, stringKeys: true });
  const [error] = document.errors;
  if (error) throw new SpliceError(`the file is not YAML: ${error.message}`);
  return document;
}

const dataOf = (document: Document.Parsed): JsonData => document.toJS() as JsonData;

/** Follows a path as far as it goes. */
function find(root: Node | undefined, path: readonly Step[]): Found {
  let [node, pair]: [Node | undefined, YamlPair | undefined] = [root, undefined];
  for (const [depth, step] of path.entries()) {
    const rest = path.slice(depth);
    if (node === undefined || isNull(node)) return { node: undefined, pair, rest };
    if (!isCollection(node)) throw new SpliceError(`${formatSteps(path.slice(0, depth))} is not a map or a list`);
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

/** Replaces the value at a path. Aliases of the value are replaced by the old value. */
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

/** Adds the missing part of a path. */
function insert(text: string, { node, pair, rest }: Found, value: JsonData, write: WriteValue): readonly Splice[] {
  const [step, ...inner] = rest;
  if (pair && node === undefined) {
    const at = endOf(lastOf(pair));
    const put = write(withEdit(undefined, rest, value));
    return [{ start: at, end: at, text: pair.value ? ` ${put}` : `: ${put}` }];
  }
  if (isSeq(node) && typeof step !== 'string') {
    const element = typeof step === 'object' ? { id: step.id } : undefined;
    return insertItem(text, node, node.items.length, withEdit(element, inner, value), write);
  }
  if (typeof step !== 'string' || (node && !isMap(node))) {
    throw new SpliceError(`${formatSteps(rest)} cannot be added there`);
  }
  const put = `${write(step)}: ${write(withEdit(undefined, inner, value))}`;
  return [node ? insertKey(text, node, put) : insertLine(text, text.length, put)];
}

/** Adds a key after the last one of a map: on the same line in a flow map, else on its own line with the same indentation. */
function insertKey(text: string, map: YAMLMap, put: string): Splice {
  const last = map.items.at(-1) as YamlPair | undefined;
  if (!map.flow) {
    const column = startOf(map) - lineStart(text, startOf(map));
    return insertLine(text, endOf(map), `${' '.repeat(column)}${put}`);
  }
  if (!last) return { start: startOf(map) + 1, end: endOf(map) - 1, text: ` ${put} ` };
  const at = endOf(lastOf(last));
  return { start: at, end: at, text: `, ${put}` };
}
