import { widthOf } from '../document/width.js';

/** A text of at most so many columns: the middle gives way, because names differ at their ends. */
export function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const characters = Array.from(text);
  const head = fitting(characters, Math.ceil((width - 1) / 2));
  const tail = fitting(characters.toReversed(), width - 1 - widthOf(head.join('')));
  return `${head.join('')}…${tail.toReversed().join('')}`;
}

/** As much of the end of a line as fits is cut off. */
export function cut(text: string, width: number): string {
  return widthOf(text) <= width ? text : `${fitting(Array.from(text), width - 1).join('')}…`;
}

function fitting(characters: readonly string[], width: number): readonly string[] {
  let left = width;
  const end = characters.findIndex((character) => (left -= widthOf(character)) < 0);
  return end < 0 ? characters : characters.slice(0, end);
}

/** A text in lines of at most so many columns, where its words allow it, indented, and twice as far after the first. */
export function wrap(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.trim() !== '' && widthOf(`${line}${word}`) > width) {
      lines.push(line.trimEnd());
      line = indent.repeat(2);
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()].join('\n');
}

/** A text in lines of at most so many columns, where its words allow it, each indented alike. */
export const paragraph = (text: string, width: number, indent: string): string =>
  wrap(text, width - indent.length, '')
    .split('\n')
    .map((line) => indent + line)
    .join('\n');

/** `1,832`. */
export const count = (n: number): string => n.toLocaleString('en-US');

/** `1 candidate`, `1,832 candidates`. */
export const counted = (n: number, noun: string): string => `${count(n)} ${noun}${n === 1 ? '' : 's'}`;
