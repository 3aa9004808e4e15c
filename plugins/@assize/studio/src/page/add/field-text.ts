/** Words that CEL reserves: a field with such a name is read by an index. */
const KEYWORDS = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const isName = (key: string): boolean => /^[A-Za-z_]\w*$/.test(key) && !KEYWORDS.has(key);

/** A field as an expression: `candidate.stars`, or `candidate["No. of stars"]`. */
export const fieldText = (keys: readonly string[]): string =>
  keys.reduce((text, key) => (isName(key) ? `${text}.${key}` : `${text}[${JSON.stringify(key)}]`), 'candidate');

/** A field as a path of a param: `a.b`, or `a["No. of stars"]`. */
export const pathText = (keys: readonly string[]): string =>
  keys.reduce((text, key) => {
    if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key)) return `${text}["${key.replace(/["\\]/g, '\\$&')}"]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');

/** An expression that is true for candidates without the field. */
export const missingText = (keys: readonly string[]): string =>
  `!${keys.reduce((text, key) => (isName(key) ? `${text}.?${key}` : `${text}[?${JSON.stringify(key)}]`), 'candidate')}.hasValue()`;
