import { escapeInvisibleInJson } from '../text/index.js';
import type { Refused, Scored } from './rows.js';

/** A row of `assize score`: of a scored, a refused, a pinned or a fallback candidate. */
export type ScoreRow =
  | (Omit<Scored<object>, 'because'> & { readonly because?: 'pinned' | 'fallback' })
  | Refused<object>;

/**
 * A row as JSON. Its keys are stable; new ones may come.
 *
 * - scored: `{ id, index, score, partial?, scores, states?, case?, weights?, contributions?, combined?, rules? }`; `partial` is
 *   `{ present, of }`, and what follows it is as in `ScoreTerms`
 * - refused: `{ id, index, score: null, kind, by, reason, all? }`; `all` where more than one entry refused it
 * - not scored: `{ id, index, score: null, because }`
 *
 * @param candidates whether it includes the candidate
 */
export const rowJson = (row: ScoreRow, candidates: boolean): string =>
  rowJsonAt(row, idJson(row.id), String(row.index), candidates);

/** The id of a row as JSON. */
export const idJson = (id: string): string => escapeInvisibleInJson(JSON.stringify(id));

/** A row as JSON with another id and position, each given as JSON. */
export function rowJsonAt(row: ScoreRow, id: string, index: string, candidates: boolean): string {
  const { candidate } = row;
  const score = 'score' in row ? (row.score ?? null) : null;
  const rest = escapeInvisibleInJson(JSON.stringify({ score, ...rowFields(row), ...(candidates && { candidate }) }));
  return `{"id":${id},"index":${index},${rest.slice(1)}`;
}

/** The refusal of a candidate as an object; `all` where more than one entry refused it. */
export const refusalJson = ({ kind, by, reason, all }: Refused<unknown>): object => ({
  kind,
  by,
  reason,
  ...(all.length > 1 && { all }),
});

function rowFields(row: ScoreRow): object {
  if ('kind' in row) return refusalJson(row);
  const { partial, because, scores, states, case: weightCase, weights, contributions, combined, rules } = row;
  return { partial, because, scores, states, case: weightCase, weights, contributions, combined, rules };
}
