/**
 * Characters that control a terminal, or that hide or reorder others: controls, lone surrogates, bidirectional marks,
 * invisible spaces. A file may be hostile, so that all of its text that is printed is escaped.
 */
const INVISIBLE = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/** Escapes a text: `␛` for an escape character, `<U+202E>` for a right-to-left override. */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE, escapeCharacter);
}

/** Escapes a line of a file but for its tabs, which a code frame repeats to place its caret. */
export function escapeInvisibleInLine(line: string): string {
  return line.replace(INVISIBLE, (character) => (character === '\t' ? character : escapeCharacter(character)));
}

/** Those of them that JSON leaves as they are: it escapes the controls of ASCII, and lone surrogates. */
const INVISIBLE_IN_JSON = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Escapes a text of JSON: `\u202e` for a right-to-left override. Its value stays the same. */
export function escapeInvisibleInJson(json: string): string {
  return json.replace(INVISIBLE_IN_JSON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0)!;
  // Unicode has a picture of each ASCII control character, one column wide.
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
