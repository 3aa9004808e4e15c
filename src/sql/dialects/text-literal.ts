import { Untranslatable } from '../untranslatable.js';

/**
 * A text between quotes, each quote inside doubled: the one place where a text of a profile or of a table comes to
 * stand inside a statement.
 *
 * @throws Untranslatable for what no database holds: NUL, and half of a surrogate pair
 */
export function quote(value: string, mark: "'" | '"' | '`'): string {
  if (value.includes('\0') || /\p{Surrogate}/u.test(value)) {
    throw new Untranslatable(`${JSON.stringify(value)} is no text that a database can hold`);
  }
  return mark + value.replaceAll(mark, mark + mark) + mark;
}
