/** Matches one character in the notation of each YAML style: an escape, a doubled quote, or the character itself. */
const STYLES = {
  double: /\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|\r?\n[ \t]*|[^])|[^]/gy,
  single: /''|[^]/gy,
  plain: /[^]/gy,
} as const;

const BLANK_ESCAPE = /^\\(?:[ntrvf_LP \t]|\r?\n[ \t]*)$/;
const BLANK = /^\s$/;

/**
 * The offset in a file of a character of a YAML or JSON scalar.
 *
 * Folding, indentation and escapes only add, change or remove white space: the n-th character of the value that is not
 * white space is also the n-th one of its notation in the file.
 *
 * @param start  where the scalar begins in the file: its quote, its `|` or `>`, or its first character
 * @param value  the parsed text
 * @param offset of the character in the value, in UTF-16 units
 */
export function offsetInScalar(file: string, start: number, value: string, offset: number): number {
  const first = file[start];
  if (first === '*') return start;
  const quoted = first === '"' || first === "'";
  const block = first === '|' || first === '>';
  const style = STYLES[first === '"' ? 'double' : first === "'" ? 'single' : 'plain'];
  let at = block ? file.indexOf('\n', start) + 1 || file.length : quoted ? start + 1 : start;

  const before = value.slice(0, offset);
  const visible = before.trimEnd();
  const wanted = countNonSpace(visible);
  const isVisible = offset < value.length && !BLANK.test(value[offset]!);
  let seen = 0;
  let end = at;
  for (style.lastIndex = at; ; at = style.lastIndex) {
    const piece = style.exec(file)?.[0];
    if (piece === undefined) break;
    const count = nonSpaceUnits(piece);
    if (count === 0) continue;
    // A visible character is the next one; white space follows the last visible one.
    if (isVisible && seen + count > wanted) return at;
    if (seen >= wanted) break;
    seen += count;
    end = style.lastIndex;
  }
  const gap = before.length - visible.length;
  const room = /^[ \t]*/.exec(file.slice(end, end + gap))![0].length;
  return end + room;
}

const countNonSpace = (text: string): number => text.replace(/\s+/g, '').length;

/** How many UTF-16 units other than white space one match of a style stands for. */
function nonSpaceUnits(piece: string): number {
  if (piece.length === 1) return BLANK.test(piece) ? 0 : 1;
  if (piece === "''") return 1;
  if (BLANK_ESCAPE.test(piece)) return 0;
  const hexadecimal = /^\\[xuU](?<code>[\dA-Fa-f]+)$/.exec(piece)?.groups?.['code'];
  if (hexadecimal === undefined) return 1;
  const code = Number.parseInt(hexadecimal, 16);
  if (code > 0xffff) return 2;
  return BLANK.test(String.fromCharCode(code)) ? 0 : 1;
}
