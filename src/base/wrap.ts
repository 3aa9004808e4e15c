import stringWidth from 'fast-string-width';

/** Cuts the middle of a text so that it takes `width` columns. Names differ most at their ends. */
export function truncateMiddle(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const characters = graphemes(text);
  const head = takeWidth(characters, Math.ceil((width - 1) / 2));
  const tail = takeWidth(characters.toReversed(), width - 1 - displayWidth(head.join('')));
  return `${head.join('')}…${tail.toReversed().join('')}`;
}

/** Cuts the end of a text so that it takes `width` columns. */
export function truncateEnd(text: string, width: number): string {
  return displayWidth(text) <= width ? text : `${takeWidth(graphemes(text), width - 1).join('')}…`;
}

/** The first characters that fit into `width` columns. */
function takeWidth(characters: readonly string[], width: number): readonly string[] {
  let left = width;
  const end = characters.findIndex((character) => (left -= displayWidth(character)) < 0);
  return end < 0 ? characters : characters.slice(0, end);
}

/** Wraps a text at spaces to lines of at most `width` columns. Lines after the first are indented twice as far. */
export function wrap(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.trim() !== '' && displayWidth(`${line}${word}`) > width) {
      lines.push(line.trimEnd());
      line = indent.repeat(2);
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()].join('\n');
}

/** Wraps a text to lines of at most `width` columns. Breaks words that are too long. */
export function wrapToLines(text: string, width: number): readonly string[] {
  const words = text.split(' ').flatMap((word) => splitWord(word, width));
  return wrap(words.join(' '), width, '').split('\n');
}

/** Breaks a word into parts of at most `width` columns and at least one character. */
function splitWord(word: string, width: number): readonly string[] {
  const parts: string[] = [];
  let part = '';
  let taken = 0;
  for (const character of graphemes(word)) {
    const own = displayWidth(character);
    if (taken + own > width && part !== '') {
      parts.push(part);
      part = '';
      taken = 0;
    }
    part += character;
    taken += own;
  }
  return [...parts, part];
}

/** Scripts that are written without spaces between words. */
const UNSPACED_SCRIPTS =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const RUN = new RegExp(`[${UNSPACED_SCRIPTS}ー]+|(?:(?![${UNSPACED_SCRIPTS}ー])[\\p{L}\\p{M}\\p{N}])+`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED_SCRIPTS}ー]`, 'u');

/** Splits a text into runs of letters and digits, in lower case and NFKC form. A run never mixes spaced and unspaced scripts. */
export const wordRuns = (text: string): readonly string[] => text.normalize('NFKC').toLowerCase().match(RUN) ?? [];

/** Whether a run is in a script without spaces. Callers use its pairs of neighbouring characters as words. */
export const isUnspaced = (run: string): boolean => IS_UNSPACED.test(run);

/** Characters of one column: Latin letters, and the dashes, quotes, lines and bars that Assize prints. */
const NARROW = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u024f\u2010-\u2026\u2190-\u2193\u2212\u2500-\u259f]*$/;

/** The escape sequences that set colours and weights. */
// oxlint-disable-next-line no-control-regex -- they start with a control character
const STYLES = /\u001b\[[\d;]*m/g;

let segmenter: Intl.Segmenter | undefined;

/** The number of terminal columns of a text. East Asian characters and emoji take two, combining marks and colours none. */
export function displayWidth(text: string): number {
  const plain = text.includes('\u001b') ? text.replaceAll(STYLES, '') : text;
  return NARROW.test(plain) ? plain.length : stringWidth(plain);
}

/** The width of the widest text. */
export const maxWidth = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0);

/** Splits a text into the characters that a reader sees, such as a letter with its marks. */
export function graphemes(text: string): readonly string[] {
  if (NARROW.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/**
 * Characters that control a terminal, or that hide or reorder others: controls, lone surrogates, bidirectional marks,
 * invisible spaces. A file may be hostile, so all of its text is escaped before it is printed.
 */
const INVISIBLE = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/** Escapes a text: `␛` for an escape character, `<U+202E>` for a right-to-left override. */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE, escapeCharacter);
}

/** Escapes a line of a file, except its tabs: a code frame repeats them to place its caret. */
export function escapeInvisibleInLine(line: string): string {
  return line.replace(INVISIBLE, (character) => (character === '\t' ? character : escapeCharacter(character)));
}

/** The invisible characters that JSON does not escape. It escapes ASCII controls and lone surrogates. */
const INVISIBLE_IN_JSON = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Escapes JSON text: `\u202e` for a right-to-left override. The parsed value stays the same. */
export function escapeInvisibleInJson(json: string): string {
  return json.replace(INVISIBLE_IN_JSON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0)!;
  // Unicode has a picture of one column for each ASCII control character.
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
