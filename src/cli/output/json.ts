import {
  type Ranking,
  type RankingJsonOptions,
  type RankingResult,
  rankingJsonText,
  termsOf,
} from '../../ranking/index.js';
import { escapeInvisibleInJson, snakeCaseKeys } from '../../base/index.js';
import { BufferedWriter, type Output } from '../terminal/io.js';

/** A value as indented JSON, with keys in snake_case. */
export const jsonText = (value: object): string =>
  `${escapeInvisibleInJson(JSON.stringify(snakeCaseKeys(value), undefined, 2))}\n`;

/** Rows as JSON Lines. */
const jsonLines = <R>(rows: readonly R[], valueOf: (row: R) => object): string =>
  rows.map((row) => `${escapeInvisibleInJson(JSON.stringify(valueOf(row)))}\n`).join('');

/** Writes a ranking as indented JSON, row by row, with back-pressure: see `rankingJson`. */
export async function writeRankingJson(
  ranking: RankingResult<unknown>,
  options: RankingJsonOptions,
  out: Output,
): Promise<void> {
  const writer = new BufferedWriter(out);
  for (const part of rankingJsonText(ranking, options)) {
    const full = writer.add(part);
    if (full) await full; // oxlint-disable-line no-await-in-loop -- back-pressure
  }
  await writer.flush();
}

/** A ranking with the terms of its scores. */
type RankingWithTerms<K extends 'selected' | 'notSelected'> = Pick<Ranking<unknown>, K | 'terms'>;

/**
 * The selected as JSON Lines: `{ rank, id, index, score, candidate }`, with the terms of the score before the candidate.
 * Rank and score are null for pinned rows and fallbacks.
 *
 * @param first fields before these, such as the group
 */
export const rankingJsonLines = (ranking: RankingWithTerms<'selected'>, first: object = {}): string =>
  jsonLines(ranking.selected, ({ rank = null, id, index, score = null, candidate }) => {
    return { ...first, rank, id, index, score, ...termsOf(ranking, { index }), candidate };
  });

/**
 * The packed candidates in their order, then the others, as JSON Lines: `{ in, id, index, cost, score, candidate }`, with
 * `because` in place of a score, or with `reason`, `text` and `replaced_by`, and with the terms of the score before the
 * candidate. Unknown values are omitted.
 */
export function packJsonLines(ranking: RankingWithTerms<'selected' | 'notSelected'>): string {
  const inside = jsonLines(ranking.selected, ({ id, index, cost, score, because, variant, candidate }) => {
    return { in: true, id, index, cost, score, because, variant, ...termsOf(ranking, { index }), candidate };
  });
  const outside = jsonLines(ranking.notSelected, ({ id, index, cost, score, reason, text, replacedBy, candidate }) => {
    return {
      in: false,
      id,
      index,
      cost,
      score,
      reason,
      text,
      replaced_by: replacedBy,
      ...termsOf(ranking, { index }),
      candidate,
    };
  });
  return inside + outside;
}
