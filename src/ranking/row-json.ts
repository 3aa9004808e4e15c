import type { Refused, Scored } from './rows.js';

/** A row of `assize score`: what was scored, refused, or is selected whatever it would score. */
export type ScoreRow =
  | (Omit<Scored<object>, 'because'> & { readonly because?: 'pinned' | 'fallback' })
  | Refused<object>;

/**
 * A row as JSON. Its keys are stable; new ones may come.
 *
 * - scored: `{ id, index, score, partial? }`; `partial` is `{ present, of }`
 * - refused: `{ id, index, score: null, kind, by, reason, all? }`; `all` where more than one entry refused it
 * - not scored: `{ id, index, score: null, because }`
 *
 * @param candidates whether it has its candidate
 */
export const rowJson = (row: ScoreRow, candidates: boolean): string =>
  rowJsonAt(row, JSON.stringify(row.id), String(row.index), candidates);

/** The same with another id and position, each as JSON. */
export function rowJsonAt(row: ScoreRow, id: string, index: string, candidates: boolean): string {
  const { candidate } = row;
  const score = 'score' in row ? (row.score ?? null) : null;
  const rest = JSON.stringify({ score, ...rowFields(row), ...(candidates && { candidate }) });
  return `{"id":${id},"index":${index},${rest.slice(1)}`;
}

/** Who refused a candidate, and why; `all` where more than one entry did. */
export const refusalJson = ({ kind, by, reason, all }: Refused<unknown>): object => ({
  kind,
  by,
  reason,
  ...(all.length > 1 && { all }),
});

function rowFields(row: ScoreRow): object {
  if ('kind' in row) return refusalJson(row);
  return { ...(row.partial && { partial: row.partial }), ...(row.because && { because: row.because }) };
}
