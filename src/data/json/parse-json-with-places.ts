import { type JSONVisitor, visit } from 'jsonc-parser';
import {
  type ItemMarks,
  type Mark,
  recordPlaces,
  SourceFile,
  type Problem,
  toError,
  AssizeError,
  type ProblemCode,
  toAssizeError,
} from '../../base/index.js';
import { setOwn } from '../../expression/index.js';
import type { RowProblem } from '../candidate-reader.js';
import {
  type DocumentLimits,
  MAX_DEPTH,
  type ParsedDocument,
  TOO_DEEP,
  tooManyValues,
  tryParseJson,
  isDeeperThan,
} from '../parsed-document.js';

/** A map or list that is not closed yet. */
interface OpenContainer {
  readonly container: Record<string, unknown> | unknown[];
  readonly items: Map<string, ItemMarks>;
  readonly offset: number;
  /** For a map: the key whose value comes next. */
  key: { readonly name: string; readonly mark: Mark };
}

/** Thrown to stop the parser, which would continue after a mistake. */
class JsonSyntaxError extends Error {
  constructor(readonly problem: JsonSyntaxProblem) {
    super(problem.message);
  }
}

const tooDeep = (offset: number): JsonSyntaxProblem => ({ offset, message: TOO_DEEP });

/**
 * Parses JSON and records the place of every value. It is much slower than `JSON.parse`, so use it for documents and to
 * describe an error of `JSON.parse`. A duplicate key is reported and parsing continues; the first syntax error ends it.
 *
 * @param textName how messages call the text
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
    if (offset === source.text.length) refuse(offset); // at the end, the parser closes open brackets before it reports them
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
        const hint = `the first is at ${file}:${line}:${column}`;
        report({ offset, message: `the key ${name} occurs twice in one object`, hint });
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

/** Characters in which `findJsonMistake` searches: they take about two milliseconds. */
const MAX_SEARCHED = 2 ** 13;

/**
 * Finds the first syntax error of a JSON text. It builds no values and searches only the first `MAX_SEARCHED` characters,
 * because invalid requests must not keep a server busy. For an error after them it returns the message of `JSON.parse`,
 * with the place if the message names a position.
 *
 * @param textName how messages call the text
 * @param error    the error of `JSON.parse`, if it is known: a long text then is not parsed again
 * @returns undefined if the text is valid
 */
export function findJsonMistake(
  source: SourceFile,
  textName: 'file' | 'line',
  error?: unknown,
): RowProblem | undefined {
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
    return parserMistake(source, error);
  } catch (mistake) {
    if (!(mistake instanceof JsonSyntaxError)) throw mistake;
    if (mistake.problem === AFTER) return parserMistake(source, error);
    const { offset, message, hint } = mistake.problem;
    return { message, place: source.placeAt(offset), hint };
  }
}

/** Marks an error after the characters that are searched. */
const AFTER: JsonSyntaxProblem = { offset: 0, message: '' };

/**
 * The error that `JSON.parse` reports; undefined if the text is valid.
 *
 * @param known the error, if the text was parsed before
 */
function parserMistake(source: SourceFile, known?: unknown): RowProblem | undefined {
  let error = known;
  if (error === undefined) tryParseJson(source.text, (failure) => void (error = failure));
  if (error === undefined) return undefined;
  const { message } = toError(error);
  const position = /\bposition (\d+)/.exec(message)?.[1];
  return { message, place: position === undefined ? undefined : source.placeAt(Number(position)) };
}

/** A syntax error in a JSON text. */
interface JsonSyntaxProblem {
  readonly offset: number;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The parser's position at a syntax error. */
interface JsonPosition {
  /** The start of the unexpected token, or the end of the text. */
  readonly offset: number;
  /** The token before it. */
  readonly previous: {
    readonly kind: 'start' | 'bracket' | 'key' | 'colon' | 'value' | 'number' | 'comma';
    readonly offset: number;
    readonly end: number;
  };
  /** The opening bracket of the innermost map or list. */
  readonly bracket: { readonly offset: number; readonly isList: boolean } | undefined;
  readonly textName: 'file' | 'line';
}

/** Describes a syntax error: what was found and expected, with a hint for syntax of other languages. */
function syntaxProblem(source: SourceFile, position: JsonPosition): JsonSyntaxProblem {
  const { text } = source;
  const { offset, previous, bracket, textName } = position;
  const found = describeToken(text, offset, textName);
  const close = bracket?.isList ? ']' : '}';
  const item = bracket?.isList ? 'value' : 'key';
  const wrong = (expected: string): JsonSyntaxProblem => {
    const message = `found ${found}, expected ${expected}`;
    return { offset, message, hint: offset === text.length ? unclosedHint(source, bracket) : undefined };
  };
  const value = (): JsonSyntaxProblem => {
    // The parser reads `true-` as one token.
    const literal = /^(?:true|false|null)(?![\w$])/.exec(text.slice(offset, offset + 6))?.[0];
    if (literal === undefined) return invalidValue(text, offset, found);
    const end = offset + literal.length;
    return syntaxProblem(source, { ...position, offset: end, previous: { kind: 'value', offset, end } });
  };
  switch (previous.kind) {
    case 'key':
      return { offset, message: `found ${found}, expected : after the key` };
    case 'number':
    case 'value':
      if (previous.kind === 'number' && previous.end === offset && /[\w.$]/.test(text[offset] ?? '')) {
        return invalidNumber(text, previous.offset);
      }
      if (bracket) return wrong(`a comma or ${close}`);
      return {
        offset,
        message: `found ${found} after the value, expected the end of the ${textName}`,
        hint:
          textName === 'file'
            ? 'if it has one object per line, it is JSON Lines: name it .jsonl or pass --input jsonl'
            : undefined,
      };
    case 'colon':
      return offset === text.length ? wrong('a value') : value();
    case 'comma':
      if (offset === text.length) return wrong(`a ${item}`);
      if (text[offset] === close) {
        return { offset: previous.offset, message: `found a comma before ${close}`, hint: 'remove the comma' };
      }
      break;
    case 'bracket':
      if (offset === text.length) return wrong(`${close} or a ${item}`);
      break;
    case 'start':
  }
  return bracket && !bracket.isList ? invalidKey(text, offset, found) : value();
}

function unclosedHint(source: SourceFile, bracket: JsonPosition['bracket']): string | undefined {
  if (!bracket) return undefined;
  const { line, column } = source.placeAt(bracket.offset);
  return `the ${source.text[bracket.offset]} at line ${line}, column ${column} is never closed`;
}

/** Describes the token at an offset. */
function describeToken(text: string, offset: number, textName: 'file' | 'line'): string {
  const code = text.codePointAt(offset);
  if (code === undefined) return `the end of the ${textName}`;
  if (code === 0x2c) return 'a comma';
  return wordAt(text, offset) ?? String.fromCodePoint(code);
}

const WORD = /[A-Za-z_$][\w$]*/y;

function wordAt(text: string, offset: number): string | undefined {
  WORD.lastIndex = offset;
  const word = WORD.exec(text)?.[0];
  return word !== undefined && word.length > 30 ? `${word.slice(0, 30)}…` : word;
}

/** Literals of other languages, with the hint to give. */
const FOREIGN_LITERALS: Readonly<Record<string, string>> = {
  NaN: 'JSON has no NaN: write null or omit the key',
  Infinity: 'JSON has no Infinity: write null or omit the key',
  undefined: 'write null or omit the key',
  None: 'write null',
  True: 'write true',
  False: 'write false',
};

const COMMENT = /^(?:\/[/*]|#)/;

function invalidValue(text: string, offset: number, found: string): JsonSyntaxProblem {
  if (text.trim() === '') return { offset: 0, message: 'it is empty, expected JSON' };
  const rest = text.slice(offset, offset + 9);
  if (rest.startsWith('"')) return invalidString(text, offset);
  if (/^-?\d/.test(rest)) return invalidNumber(text, offset);
  return { offset, message: `found ${found}, expected a value`, hint: valueHint(wordAt(text, offset), rest) };
}

function valueHint(word: string | undefined, rest: string): string | undefined {
  if (word !== undefined) {
    return Object.hasOwn(FOREIGN_LITERALS, word) ? FOREIGN_LITERALS[word] : 'write strings in double quotes';
  }
  if (rest.startsWith("'")) return 'write strings in double quotes';
  if (COMMENT.test(rest)) return 'JSON has no comments';
  if (rest === '-Infinity') return FOREIGN_LITERALS['Infinity'];
  return /^[+.-]/.test(rest) ? 'a number starts with a digit, or with - and a digit' : undefined;
}

function invalidKey(text: string, offset: number, found: string): JsonSyntaxProblem {
  const rest = text.slice(offset, offset + 2);
  if (rest.startsWith('"')) return invalidString(text, offset);
  const hint = COMMENT.test(rest) ? 'JSON has no comments' : 'write keys in double quotes';
  return { offset, message: `found ${found}, expected a key`, hint };
}

function invalidNumber(text: string, offset: number): JsonSyntaxProblem {
  const number = /^[\w.$+-]{1,30}/.exec(text.slice(offset, offset + 30))?.[0] ?? '';
  const hint = /^-?0\d/.test(number) ? 'remove the leading zeros' : undefined;
  return { offset, message: `${number} is not a valid JSON number`, hint };
}

/** The characters that end a string or must be escaped in it. */
// oxlint-disable-next-line no-control-regex -- JSON does not allow control characters
const SPECIAL = /["\\\u0000-\u001f]/g;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** Finds the first error in a string, because the parser reports only that there is one. */
function invalidString(text: string, start: number): JsonSyntaxProblem {
  for (let at = start + 1; ; ) {
    SPECIAL.lastIndex = at;
    const offset = SPECIAL.exec(text)?.index ?? text.length;
    ESCAPE.lastIndex = offset;
    const escape = ESCAPE.exec(text)?.[0];
    if (escape !== undefined) {
      at = offset + escape.length;
    } else if (text[offset] === '\\' && offset + 1 < text.length) {
      const invalid = text.slice(offset, offset + (text[offset + 1] === 'u' ? 6 : 2));
      return { offset, message: `${invalid} is not a valid JSON escape`, hint: 'write a backslash as \\\\' };
    } else if (/[\\\n\r"]|^$/.test(text[offset] ?? '')) {
      const message = 'a string is opened with " and never closed';
      return { offset: start, message, hint: 'write a line break in a string as \\n' };
    } else {
      return { offset, message: 'found a control character in a string', hint: 'write a tab in a string as \\t' };
    }
  }
}

/**
 * Parses the JSON of a request.
 *
 * @param name the name of the text in the problem: `body`
 * @throws AssizeError with the place of the mistake if the text is not JSON, or is nested too deep
 */
export function parseJsonText(text: string, name: string, code: ProblemCode): unknown {
  let error: unknown;
  const parsed = tryParseJson(text, (failure) => void (error = failure));
  if (parsed) return parsed.data;
  const found = findJsonMistake(new SourceFile(name, text), 'line', error) ?? { message: TOO_DEEP };
  const message = found.message === TOO_DEEP ? `the ${name}: ${TOO_DEEP}` : `the ${name} is not JSON: ${found.message}`;
  throw new AssizeError([{ ...found, code, message }]);
}

/** @throws AssizeError if data that was parsed elsewhere is nested deeper than a file may be */
export function checkDepth(data: unknown, path: string, code: ProblemCode): void {
  if (isDeeperThan(MAX_DEPTH, data)) throw toAssizeError([{ code, message: TOO_DEEP, path }]);
}
