import { displayWidth, graphemes } from './display-width.js';

/** Cuts a text to `width` columns in its middle, because names differ at their ends. */
export function truncateMiddle(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const characters = graphemes(text);
  const head = takeWidth(characters, Math.ceil((width - 1) / 2));
  const tail = takeWidth(characters.toReversed(), width - 1 - displayWidth(head.join('')));
  return `${head.join('')}…${tail.toReversed().join('')}`;
}

/** Cuts a text to `width` columns at its end. */
export function truncateEnd(text: string, width: number): string {
  return displayWidth(text) <= width ? text : `${takeWidth(graphemes(text), width - 1).join('')}…`;
}

/** The first characters, as many as fit into `width` columns. */
function takeWidth(characters: readonly string[], width: number): readonly string[] {
  let left = width;
  const end = characters.findIndex((character) => (left -= displayWidth(character)) < 0);
  return end < 0 ? characters : characters.slice(0, end);
}

/** Wraps a text at its spaces to lines of at most `width` columns, indented, and twice as far after the first. */
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

/** Wraps a text to lines of at most `width` columns; a word that is too long is broken. */
export function wrapToLines(text: string, width: number): readonly string[] {
  const words = text.split(' ').flatMap((word) => splitWord(word, width));
  return wrap(words.join(' '), width, '').split('\n');
}

/** Breaks a word into parts of at most `width` columns, each of at least one character. */
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
