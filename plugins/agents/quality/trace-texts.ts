/** The words of a text, in lower case, with their digits. */
export const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** A value as one text that is equal for equal values, whatever the order of keys and the number of spaces. */
export function canonicalText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value.trim().replaceAll(/\s+/g, ' ');
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value) ?? '';
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${key}: ${canonicalText(one)}`).join(', ')}}`;
}

/** The shared share of two sets of words, from 0 to 1. Two empty sets are equal. */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 && b.size === 0) return 1;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared / (a.size + b.size - shared);
}

/** At most this many characters of a result are searched for an error: reports of errors are short or begin with it. */
const SEARCHED = 2200;

const STARTS_WITH_ERROR =
  /^(?:\W|\w+Error\b|\w+:\s)*(?:error|exception|traceback|failed|failure|invalid|fatal|could not|cannot|can't|unable|sorry)/i;

const REPORTS_ERROR = new RegExp(
  [
    String.raw`\bTraceback \(most recent`,
    String.raw`\b\w*(?:Error|Exception)\b\s*(?:Traceback|:)`,
    String.raw`isError\W{1,3}true`,
    String.raw`"error"\s*:\s*"[^"]`,
    String.raw`: command not found|No such file or directory|permission denied`,
    String.raw`(?:timed? out|timeout)\b|syntax error|not found\b|did not pass`,
    String.raw`\b(?:answer|result|output) is (?:wrong|incorrect)`,
    String.raw`don't understand|do not understand|does(?: not|n't) exist`,
  ].join('|'),
  'i',
);

/** Whether the text of a result begins as reports of errors do. */
export const startsWithError = (text: string): boolean => STARTS_WITH_ERROR.test(text.trim().slice(0, 300));

/** Whether the text of a result reports an error, by the words that tools and interpreters have in common. */
export function reportsError(text: string): boolean {
  const start = text.trim().slice(0, SEARCHED);
  return startsWithError(start) || REPORTS_ERROR.test(start);
}

const EMPTY =
  /^(?:\W*|none|null|nil|undefined|nan|\(?no (?:output|results?|content|data|matches|rows)(?: found)?\)?\.?|empty(?: set)?)$/i;

/** Whether a result has no content. */
export const isEmptyResult = (text: string): boolean => EMPTY.test(text.trim());

/** A text that is short enough for a reason. */
export function shortened(text: string, characters = 60): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= characters ? line : `${line.slice(0, characters - 1)}…`;
}

/** Positions for a reason: the first few, and the count of the others. */
export function listed(positions: readonly number[], most = 5): string {
  const shown = positions.slice(0, most).join(', ');
  return positions.length <= most ? shown : `${shown} and ${positions.length - most} more`;
}

/** Items by their key. Map.groupBy needs Node 21. */
export function groupBy<T>(items: Iterable<T>, keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
