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

/** What stands at a path, as far as it goes. */
interface Found {
  /** The last node on the way; undefined where the path goes on in an empty text or an empty value. */
  readonly node: Node | undefined;
  /** The pair that holds the node, where it is a value of a map. */
  readonly pair: YamlPair | undefined;
  /** The steps that lead no further. */
  readonly rest: readonly Step[];
}

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

/** Of a list, only the elements that differ; all of it where that cannot be written, or others share it. */
function spliceFinest(text: string, edit: DataEdit): string {
  const finest = Array.isArray(edit.value) ? finestEdits(dataOf(parse(text)), edit) : [edit];
  try {
    return finest.reduce(spliceOne, text);
  } catch (error) {
    if (!(error instanceof SpliceError) || !Array.isArray(edit.value)) throw error;
    return spliceOne(text, edit);
  }
}

/** @throws SpliceError where the result would not be the edited data */
function spliceOne(text: string, edit: FinestEdit): string {
  const document = parse(text);
  const result = apply(text, 'kind' in edit ? itemSplices(text, document, edit) : valueSplices(text, document, edit));
  if (!isDeepStrictEqual(dataOf(parse(result)), withFinestEdit(dataOf(document), edit))) {
    throw new SpliceError(`${formatSteps(edit.path)} cannot be written without changing something else`);
  }
  return result;
}

/** Writes the value of an edit where it stands, or adds what leads to it. */
function valueSplices(text: string, document: Document.Parsed, { path, value }: DataEdit): readonly Splice[] {
  const found = find(document.contents ?? undefined, path);
  const write = writerOf(text);
  return found.rest.length === 0 ? replace(document, found, value, write) : insert(text, found, value, write);
}

/** Puts an element into a list, or takes it out. */
function itemSplices(text: string, document: Document.Parsed, edit: ListEdit): readonly Splice[] {
  const { node, rest } = find(document.contents ?? undefined, edit.path.slice(0, -1));
  const at = edit.path.at(-1);
  if (rest.length > 0 || !isSeq(node) || typeof at !== 'number') {
    throw new SpliceError(`${formatSteps(edit.path)} is no element of a list`);
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

/** Adds what a path leads to and is not there. */
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
    throw new SpliceError(`${formatSteps(rest)} has no place there`);
  }
  const put = `${write(step)}: ${write(withEdit(undefined, inner, value))}`;
  return [node ? insertKey(text, node, put) : insertLine(text, text.length, put)];
}

/** After the last key of a map: in a flow map behind it, else on a line of its own, as deep. */
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
