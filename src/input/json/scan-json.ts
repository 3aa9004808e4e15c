const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
// Both brackets differ from both braces by the same bit.
const OPEN = 123;
const CLOSE = 125;
const BIT = 32;

/** The shape of a JSON text that is known to be valid. */
export interface JsonShape {
  readonly depth: number;
  /** Where each item of the outermost list or map starts. */
  readonly items: readonly number[];
}

/** One pass over a valid JSON text that makes no values: how deep it is, and where its items are. */
export function scanJson(text: string): JsonShape {
  const items: number[] = [];
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = closingQuote(text, at);
    else if ((code | BIT) === OPEN) {
      depth += 1;
      deepest = Math.max(deepest, depth);
      if (depth === 1) items.push(skipWhitespace(text, at + 1));
    } else if ((code | BIT) === CLOSE) depth -= 1;
    else if (code === COMMA && depth === 1) items.push(skipWhitespace(text, at + 1));
  }
  return { depth: deepest, items };
}

/** The offset of the quote that ends a text. */
function closingQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return text.length;
}

/** The first offset from here on that is not JSON's white space. */
export function skipWhitespace(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return at;
}
