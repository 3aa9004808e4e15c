/** `few_votes` → `Few votes`, for people who do not know ids. */
export function inWords(id: string): string {
  const words = id.replace(/[_-]+/g, ' ').trim();
  return words === '' ? id : words.charAt(0).toUpperCase() + words.slice(1);
}

/** The label of an entry, or its id in words. */
export function plainName(model: { nameOf(id: string): string }, id: string): string {
  const name = model.nameOf(id);
  return name === id ? inWords(id) : name;
}

/** The name of an entry in labels for screen readers and voice control, which contains the visible words of its id. */
export function spokenName(model: { nameOf(id: string): string }, id: string): string {
  const name = model.nameOf(id);
  return name === id ? id.replace(/[_-]+/g, ' ') : name;
}

const RULES = new Intl.PluralRules('en', { type: 'ordinal' });
const ENDINGS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };

/** `1st`, `12th`, `1,203rd`. */
export const ordinal = (n: number): string => `${formatCount(n)}${ENDINGS[RULES.select(n)] ?? 'th'}`;

const COUNTS = new Intl.NumberFormat('en');

/** `1,766`. */
export const formatCount = (n: number): string => COUNTS.format(n);

/** `1 change`, `2 changes`. */
export const counted = (n: number, one: string, several = `${one}s`): string =>
  `${formatCount(n)} ${n === 1 ? one : several}`;

const LISTS = new Intl.ListFormat('en', { type: 'conjunction' });

/** `A`, `A and B`, `A, B, and C`. */
export const listed = (names: readonly string[]): string => LISTS.format(names);

/** A share of 1 in percent, in at most three digits: `33`, `7.7`, `0.04`. */
export const percent = (share: number): number =>
  Number((100 * share).toFixed(Math.abs(share) >= 0.1 ? 0 : Math.abs(share) >= 0.01 ? 1 : 2));
