import { type CandidateSource, toAssizeError } from 'assize';
import { describeValue, RowFile } from 'assize/internal';
import type { PathReader } from 'assize/sdk';
import type { JudgedQuery } from '../judged-query.js';
import { nameOf } from './row-fields.js';
import { ownValue } from '../values.js';

/** A pairwise judgement: a line of the file that `assize ask` writes. */
export interface JudgedPair {
  /** The ids of the two candidates; `@7` is position 7 of a file without ids, from 0. */
  readonly a: string;
  readonly b: string;
  /** `same`: neither is better. */
  readonly winner: 'a' | 'b' | 'same';
  /** The query of the comparison. */
  readonly query?: string;
  /** The person who compared them. Pairs of one person are resampled together. */
  readonly person?: string;
}

const WINNERS: Readonly<Record<string, JudgedPair['winner']>> = {
  a: 'a',
  b: 'b',
  same: 'same',
  tie: 'same',
  '=': 'same',
};

/** The winner that a value names: `a`, `b`, `same`, or the id of one of the two. */
function winnerOf(value: unknown, a: string, b: string): JudgedPair['winner'] | undefined {
  const name = nameOf(value);
  if (name === undefined) return undefined;
  if (a !== b && name === a) return 'a';
  if (a !== b && name === b) return 'b';
  return Object.hasOwn(WINNERS, name.toLowerCase()) ? WINNERS[name.toLowerCase()] : undefined;
}

/** Parses a pair; returns a message if the row is invalid. */
function pairOf(row: object): JudgedPair | string {
  const [a, b] = [nameOf(ownValue(row, 'a')), nameOf(ownValue(row, 'b'))];
  if (a === undefined || b === undefined) {
    const missing = a === undefined ? 'a' : 'b';
    return `${missing} is ${describeValue(ownValue(row, missing))}; expected the id of a candidate`;
  }
  const winner = winnerOf(ownValue(row, 'winner'), a, b);
  if (winner === undefined)
    return `the winner is ${describeValue(ownValue(row, 'winner'))}; expected a, b, same, or one of the two ids`;
  const [query, person] = [nameOf(ownValue(row, 'query')), nameOf(ownValue(row, 'person'))];
  return { a, b, winner, ...(query !== undefined && { query }), ...(person !== undefined && { person }) };
}

/** Reads pairs from a file, with the rows that they are in. */
async function readPairRows(file: string, source: CandidateSource) {
  const rows = await RowFile.readBeside(file, source);
  const hint = 'the fields of a pair are a, b, winner and optionally query and person';
  const pairs = rows.rows.flatMap((row, k) => {
    const pair = pairOf(row);
    if (typeof pair !== 'string') return [{ pair, row: k }];
    rows.refuse(k, pair, hint);
    return [];
  });
  await rows.throwIfAny();
  return { rows, pairs };
}

/**
 * Pairwise judgements: rows of JSON, JSON Lines or CSV with `a`, `b` and `winner`, and optionally `query` and `person`.
 *
 * @throws AssizeError (ASZ103) with the place of each invalid row
 */
export const readPairs = async (file: string, source: CandidateSource = {}): Promise<readonly JudgedPair[]> =>
  (await readPairRows(file, source)).pairs.map(({ pair }) => pair);

/** How to find the candidates of pairs. */
export interface PairedCandidates {
  readonly candidates: readonly object[];
  readonly id: PathReader;
  /** The path to the query of a candidate; undefined if all belong to one query. */
  readonly group: PathReader | undefined;
}

/**
 * Queries of two candidates each, with grade 1 for the winner and 0 for the other. Skips pairs without a winner, because
 * neither order of them is better.
 *
 * @throws AssizeError (ASZ103) with the place of each pair with an unknown candidate; (ASZ541) if no pair has a winner
 */
export async function queriesOfPairs(
  file: string,
  source: CandidateSource,
  { candidates, id, group }: PairedCandidates,
): Promise<readonly JudgedQuery<object>[]> {
  const { rows, pairs } = await readPairRows(file, source);
  const keyOf = (query: string | undefined, name: string): string => JSON.stringify([query ?? null, name]);
  const byKey = new Map<string, object>();
  for (const [k, one] of candidates.entries()) {
    const name = nameOf(id(one)) ?? `@${k}`;
    byKey.set(keyOf(undefined, name), one);
    if (group) byKey.set(keyOf(nameOf(group(one)), name), one);
  }
  const queries = pairs.flatMap(({ pair: { a, b, winner, query, person }, row }) => {
    const found = [a, b].map((name) => byKey.get(keyOf(group && query, name)));
    const missing = [a, b].filter((_, k) => found[k] === undefined);
    for (const name of missing)
      rows.refuse(row, `no candidate${group && query !== undefined ? ` of query ${query}` : ''} has the id ${name}`);
    if (missing.length > 0 || winner === 'same') return [];
    return [
      {
        id: `${row + 1}: ${query === undefined ? '' : `${query}: `}${a} or ${b}`,
        candidates: found.flatMap((one) => (one ? [one] : [])),
        grades: winner === 'a' ? [1, 0] : [0, 1],
        ...(person !== undefined && { group: person }),
      },
    ];
  });
  await rows.throwIfAny();
  if (queries.length > 0) return queries;
  throw toAssizeError([{ code: 'ASZ541', message: `no pair of ${file} has a winner` }]);
}

/** Formats pairs as JSON Lines. */
export const pairLines = (pairs: readonly JudgedPair[]): string =>
  pairs.map((pair) => `${JSON.stringify(pair)}\n`).join('');
