import { AssizeError, toAssizeError } from '../../base/index.js';
import type { Ranking } from '../../ranking/index.js';

/** A row by its number in the table: `#3`. */
const ROW = /^#(\d+)$/;

/**
 * Resolves the name of a candidate on the command line: an id, `@3` or `widget (@3)` as in code, or `#3`, the row with
 * this number in the table that `assize rank` and `assize pack` print with the same options. An id such as `#3` comes
 * first.
 *
 * @throws AssizeError (ASZ504) if the table has no such row
 */
export function namedCandidate(ranking: Ranking<object>, name: string): string | { readonly index: number } {
  const [, digits] = ROW.exec(name) ?? [];
  if (digits === undefined || isId(ranking, name)) return name;
  const rank = Number(digits);
  const row = ranking.selected.find((one) => one.rank === rank);
  if (row) return { index: row.index };
  throw toAssizeError([{ code: 'ASZ504', message: `the table has no row ${name}`, hint: rowHint(ranking, rank) }]);
}

function isId(ranking: Ranking<object>, name: string): boolean {
  try {
    ranking.terms(name);
    return true;
  } catch (error) {
    if (error instanceof AssizeError && error.code === 'ASZ504') return false;
    throw error;
  }
}

function rowHint(ranking: Ranking<object>, rank: number): string {
  const other = ranking.rankedAt(rank);
  if (other) return `the candidate with this rank is not selected; its name is '${ranking.nameOf(other)}'`;
  const ranks = ranking.selected.flatMap((row) => row.rank ?? []);
  if (ranks.length === 0)
    return `no row has a number; name a candidate by its id, or by its position in the input: '@0'`;
  return `its rows are numbered from #${Math.min(...ranks)} to #${Math.max(...ranks)}; a position in the input, counted from 0, is '@${rank}'`;
}
