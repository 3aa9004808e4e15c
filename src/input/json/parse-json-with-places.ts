import { type JSONVisitor, visit } from 'jsonc-parser';
import { type ItemMarks, type Mark, type Problem, recordPlaces, type SourceFile } from '../../diagnostics/index.js';
import { setOwn } from '../../expression/index.js';
import type { RowProblem } from '../candidate-reader.js';
import { type DocumentLimits, MAX_DEPTH, type ParsedDocument, tooManyValues } from '../parsed-document.js';
import { type JsonPosition, type JsonSyntaxProblem, syntaxProblem } from './syntax-problem.js';

/** A map or list that is not closed yet. */
interface OpenContainer {
  readonly container: Record<string, unknown> | unknown[];
  readonly items: Map<string, ItemMarks>;
  readonly offset: number;
  /** Of a map: the key whose value comes next. */
  key: { readonly name: string; readonly mark: Mark };
}

/** Ends the parser, which would go on after a mistake. */
class JsonSyntaxError extends Error {
  constructor(readonly problem: JsonSyntaxProblem) {
    super(problem.message);
  }
}

const tooDeep = (offset: number): JsonSyntaxProblem => ({
  offset,
  message: `the data is nested more than ${MAX_DEPTH} deep`,
});

/**
 * Parses JSON into plain data that remembers its lines. Much slower than `JSON.parse`, and so for documents, and for
 * finding what is wrong with a text that `JSON.parse` has refused. A key that is written twice is a problem, after
 * which parsing goes on; the first syntax error ends it.
 *
 * @param textName the name of the text in problems
 */
export function parseJsonWithPlaces(
  source: SourceFile,
  textName: 'file' | 'line' = 'file',
  limits?: DocumentLimits,
): ParsedDocument {
  const problems: Problem[] = [];
  const open: OpenContainer[] = [];
  let data: unknown;
  let previous: JsonPosition['previous'] = { kind: 'start', offset: 0, end: 0 };

  const report = ({ message, offset, hint }: JsonSyntaxProblem): void => {
    problems.push({ code: 'ASZ102', message, place: source.placeAt(offset), hint });
  };
  let values = 0;
  const add = (value: unknown, offset: number): void => {
    values += 1;
    if (limits && values > limits.values) throw new JsonSyntaxError({ offset, ...tooManyValues(limits.values) });
    const parent = open.at(-1);
    const mark = { source, offset };
    if (parent === undefined) data = value;
    else if (Array.isArray(parent.container)) {
      parent.items.set(String(parent.container.length), { key: mark, value: mark });
      parent.container.push(value);
    } else {
      parent.items.set(parent.key.name, { key: parent.key.mark, value: mark });
      setOwn(parent.container, parent.key.name, value);
    }
  };
  const begin = (container: OpenContainer['container'], offset: number): void => {
    if (open.length === MAX_DEPTH) {
      throw new JsonSyntaxError(tooDeep(offset));
    }
    add(container, offset);
    const self: Mark = { source, offset };
    const items = new Map<string, ItemMarks>();
    recordPlaces(container, { self, items });
    open.push({ container, items, offset, key: { name: '', mark: self } });
    previous = { kind: 'bracket', offset, end: offset + 1 };
  };
  const refuse = (offset: number): never => {
    const container = open.at(-1);
    const bracket = container && { offset: container.offset, isList: Array.isArray(container.container) };
    throw new JsonSyntaxError(syntaxProblem(source, { offset, previous, bracket, textName }));
  };
  const close = (offset: number): void => {
    if (offset === source.text.length) refuse(offset); // the parser closes what is open there, and reports it after that
    open.pop();
    previous = { kind: 'value', offset, end: offset + 1 };
  };
  const visitor: JSONVisitor = {
    onObjectBegin: (offset) => begin({}, offset),
    onArrayBegin: (offset) => begin([], offset),
    onObjectEnd: close,
    onArrayEnd: close,
    onObjectProperty(name, offset, length) {
      const map = open.at(-1)!;
      const first = map.items.get(name)?.key;
      if (first) {
        const { file, line, column } = source.placeAt(first.offset);
        const hint = `it is first at ${file}:${line}:${column}`;
        report({ offset, message: `the key ${name} is written twice in one object`, hint });
      }
      map.key = { name, mark: { source, offset } };
      previous = { kind: 'key', offset, end: offset + length };
    },
    onLiteralValue(value: unknown, offset, length) {
      add(value, offset);
      previous = { kind: typeof value === 'number' ? 'number' : 'value', offset, end: offset + length };
    },
    onSeparator(character, offset) {
      previous = { kind: character === ',' ? 'comma' : 'colon', offset, end: offset + 1 };
    },
    onError: (_, offset) => refuse(offset),
  };
  try {
    visit(source.text, visitor, { disallowComments: true });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    report(error.problem);
    data = undefined;
  }
  return { data, problems };
}

/** In how many characters a mistake is searched: so many take about two milliseconds. */
const MAX_SEARCHED = 2 ** 13;

/**
 * Finds the first mistake in a text that is not JSON. It keeps nothing of the text and reads only its beginning, and so
 * costs a fraction of `parseJsonWithPlaces`: callers who send broken texts must not keep a server busy. A mistake after
 * the beginning has the message of `JSON.parse`, and its place if that names one.
 *
 * @param textName the name of the text in problems
 * @returns undefined if there is none
 */
export function findJsonMistake(source: SourceFile, textName: 'file' | 'line'): RowProblem | undefined {
  const { text } = source;
  const beginning = text.slice(0, MAX_SEARCHED);
  const open: { readonly offset: number; readonly isList: boolean }[] = [];
  let previous: JsonPosition['previous'] = { kind: 'start', offset: 0, end: 0 };
  const refuse = (offset: number, length: number): never => {
    if (offset + length >= beginning.length && beginning.length < text.length) throw new JsonSyntaxError(AFTER);
    throw new JsonSyntaxError(syntaxProblem(source, { offset, previous, bracket: open.at(-1), textName }));
  };
  const begin = (offset: number, isList: boolean): void => {
    if (open.length === MAX_DEPTH) throw new JsonSyntaxError(tooDeep(offset));
    open.push({ offset, isList });
    previous = { kind: 'bracket', offset, end: offset + 1 };
  };
  const close = (offset: number): void => {
    if (offset === beginning.length) refuse(offset, 0);
    open.pop();
    previous = { kind: 'value', offset, end: offset + 1 };
  };
  const visitor: JSONVisitor = {
    onObjectBegin: (offset) => begin(offset, false),
    onArrayBegin: (offset) => begin(offset, true),
    onObjectEnd: close,
    onArrayEnd: close,
    onObjectProperty: (_, offset, length) => void (previous = { kind: 'key', offset, end: offset + length }),
    onLiteralValue(value: unknown, offset, length) {
      previous = { kind: typeof value === 'number' ? 'number' : 'value', offset, end: offset + length };
    },
    onSeparator(character, offset) {
      previous = { kind: character === ',' ? 'comma' : 'colon', offset, end: offset + 1 };
    },
    onError: (_, offset, length) => refuse(offset, length),
  };
  try {
    visit(beginning, visitor, { disallowComments: true });
    return parserMistake(source);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (error.problem === AFTER) return parserMistake(source);
    const { offset, message, hint } = error.problem;
    return { message, place: source.placeAt(offset), hint };
  }
}

/** Stands for a mistake after the beginning. */
const AFTER: JsonSyntaxProblem = { offset: 0, message: '' };

/** The mistake that `JSON.parse` reports; undefined if it takes the text. */
function parserMistake(source: SourceFile): RowProblem | undefined {
  try {
    JSON.parse(source.text);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const position = /\bposition (\d+)/.exec(message)?.[1];
    return { message, place: position === undefined ? undefined : source.placeAt(Number(position)) };
  }
}
