/** What is wrong with a JSON text, and where. */
export class JsonSyntaxError extends Error {
  constructor(
    readonly offset: number,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

const WORD = /[A-Za-z_$][\w$]*/y;

/** Words of other languages that people write into JSON, with what it has instead. */
const FOREIGN_LITERALS: Readonly<Record<string, string>> = {
  NaN: 'JSON has no NaN: write null, or leave the key out',
  Infinity: 'JSON has no Infinity: write null, or leave the key out',
  undefined: 'write null, or leave the key out',
  None: 'write null',
  True: 'write true',
  False: 'write false',
};

/** What stands at an offset, in words. */
export function describeToken(text: string, offset: number, whole: 'file' | 'line'): string {
  const code = text.codePointAt(offset);
  if (code === undefined) return `the end of the ${whole}`;
  if (code === 0x2c) return 'a comma';
  return wordAt(text, offset) ?? String.fromCodePoint(code);
}

function wordAt(text: string, offset: number): string | undefined {
  WORD.lastIndex = offset;
  const word = WORD.exec(text)?.[0];
  return word !== undefined && word.length > 30 ? `${word.slice(0, 30)}…` : word;
}

/** Something stands where a value should, and is none. */
export function invalidValue(text: string, offset: number, found: string): JsonSyntaxError {
  if (text.trim() === '') return new JsonSyntaxError(0, 'there is nothing in it, expected JSON');
  return new JsonSyntaxError(offset, `found ${found}, expected a value`, valueHint(text, offset));
}

function valueHint(text: string, offset: number): string | undefined {
  const word = wordAt(text, offset);
  if (word !== undefined)
    return Object.hasOwn(FOREIGN_LITERALS, word) ? FOREIGN_LITERALS[word] : 'JSON writes texts in double quotes';
  const rest = text.slice(offset, offset + 9);
  if (rest.startsWith("'")) return 'JSON writes texts in double quotes';
  if (/^(?:\/[/*]|#)/.test(rest)) return 'JSON has no comments';
  if (rest === '-Infinity') return FOREIGN_LITERALS['Infinity'];
  return /^[+.-]/.test(rest) ? 'a number starts with a digit, or - and a digit' : undefined;
}

/** Something stands where a key should, and is none. */
export function invalidKey(text: string, offset: number, found: string): JsonSyntaxError {
  const hint = /^(?:\/[/*]|#)/.test(text.slice(offset, offset + 2))
    ? 'JSON has no comments'
    : 'JSON writes keys in double quotes';
  return new JsonSyntaxError(offset, `found ${found}, expected a key`, hint);
}

/** A number that goes on where none can. */
export function invalidNumber(text: string, offset: number): JsonSyntaxError {
  const number = /^[\w.$+-]{1,30}/.exec(text.slice(offset, offset + 30))?.[0] ?? '';
  const hint = /^-?0\d/.test(number) ? 'a number has no zeros in front' : undefined;
  return new JsonSyntaxError(offset, `${number} is not a number of JSON`, hint);
}

/** A backslash before what needs none. */
export function invalidEscape(text: string, offset: number): JsonSyntaxError {
  const escape = text[offset + 1] === 'u' ? text.slice(offset, offset + 6) : text.slice(offset, offset + 2);
  return new JsonSyntaxError(offset, `${escape} is not an escape of JSON`, 'a backslash itself is \\\\');
}
