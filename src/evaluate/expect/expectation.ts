/** What is expected of one candidate, or of two. Names are ids, or positions: `#3`. */
export type Expectation =
  | { readonly kind: 'above'; readonly id: string; readonly other: string }
  | { readonly kind: 'top'; readonly id: string; readonly most: number; readonly not: boolean }
  | { readonly kind: 'refused'; readonly id: string; readonly by?: string; readonly not: boolean }
  | { readonly kind: 'selected'; readonly id: string; readonly not: boolean }
  | { readonly kind: 'scores'; readonly id: string; readonly least?: number; readonly most?: number };

/** Every form that an expectation has, for messages. */
export const EXPECTATION_FORMS =
  'A above B, A below B, A in top 3, A selected, A refused, A refused by ENTRY, A scores at least 0.5, A scores at most 0.5; and not';

/** A name: a word, or anything in quotes. */
const NAME = String.raw`("(?:[^"\\]|\\.)+"|'(?:[^'\\]|\\.)+'|\S+)`;
const form = (rest: string): RegExp => new RegExp(String.raw`^${NAME}\s+${rest}$`, 'u');

const ABOVE = form(String.raw`(above|below)\s+${NAME}`);
const TOP = form(String.raw`(not\s+)?in\s+top\s+(\d+)`);
const REFUSED_BY = form(String.raw`refused\s+by\s+(\S+)`);
const REFUSED = form(String.raw`(not\s+)?refused`);
const SELECTED = form(String.raw`(not\s+)?selected`);
const SCORES = form(String.raw`scores\s+at\s+(least|most)\s+(\S+)`);

const unquoted = (name: string): string => (/^["']/.test(name) ? name.slice(1, -1).replace(/\\(.)/gu, '$1') : name);

/** Parses `compass above sextant`; undefined where a text is no expectation. */
export function parseExpectation(text: string): Expectation | undefined {
  const line = text.trim();
  const match = (pattern: RegExp): readonly string[] | undefined => pattern.exec(line)?.map((part) => part ?? '');
  const above = match(ABOVE);
  if (above) {
    const [a, b] = [unquoted(above[1]!), unquoted(above[3]!)];
    return above[2] === 'above' ? { kind: 'above', id: a, other: b } : { kind: 'above', id: b, other: a };
  }
  const top = match(TOP);
  if (top && Number(top[3]) > 0) {
    return { kind: 'top', id: unquoted(top[1]!), most: Number(top[3]), not: top[2] !== '' };
  }
  const by = match(REFUSED_BY);
  if (by) return { kind: 'refused', id: unquoted(by[1]!), by: by[2]!, not: false };
  const refused = match(REFUSED);
  if (refused) return { kind: 'refused', id: unquoted(refused[1]!), not: refused[2] !== '' };
  const selected = match(SELECTED);
  if (selected) return { kind: 'selected', id: unquoted(selected[1]!), not: selected[2] !== '' };
  const scores = match(SCORES);
  const bound = scores && scores[3]!.trim() !== '' ? Number(scores[3]) : Number.NaN;
  if (!scores || !Number.isFinite(bound)) return undefined;
  return { kind: 'scores', id: unquoted(scores[1]!), ...(scores[2] === 'least' ? { least: bound } : { most: bound }) };
}
