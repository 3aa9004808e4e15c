import { invalidEscape, JsonSyntaxError } from './syntax-error.js';

const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** The offset after the quote that ends a string, or what is wrong with it. */
export function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code === 0x0a || code === 0x0d) break;
    if (code < 0x20) throw new JsonSyntaxError(at, 'found a control character in a text', 'a tab inside a text is \\t');
    if (code !== 0x5c) continue;
    ESCAPE.lastIndex = at;
    const escape = ESCAPE.exec(text)?.[0];
    if (escape === undefined && at + 1 < text.length) throw invalidEscape(text, at);
    at += (escape?.length ?? 1) - 1;
  }
  throw new JsonSyntaxError(start, 'a text is opened with " and never closed', 'a line break inside a text is \\n');
}
