/**
 * Characters that a terminal would obey, or that hide or reorder others: controls, halves of pairs, bidirectional
 * marks, invisible spaces. A file may be hostile, and what is printed about it must show what is in it.
 */
const INVISIBLE = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/** A text with its control characters made visible: `␛` for an escape, `<U+202E>` for a mark that turns the line. */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE, escapeCharacter);
}

/** The same for a line of a file, whose tabs stay, so that what stands under it can be aligned. */
export function escapeInvisibleInLine(line: string): string {
  return line.replace(INVISIBLE, (character) => (character === '\t' ? character : escapeCharacter(character)));
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0)!;
  // Unicode has a picture of each ASCII control, as wide as any letter.
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
