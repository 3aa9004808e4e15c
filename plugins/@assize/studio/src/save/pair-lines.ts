import { isMap } from '../data/studio-data.js';
import { NotSavedError } from './save-file.js';

/** A choice between two items, as `assize tune --pairs` reads it. */
export interface ChosenPair {
  readonly query?: string;
  readonly a: string;
  readonly b: string;
  readonly winner: 'a' | 'b' | 'same';
}

const TIES: readonly unknown[] = ['same', 'tie', '='];

/**
 * Reads JSON Lines with `a`, `b`, `winner` and optionally `query`.
 *
 * @param file the name of the file in messages
 * @throws NotSavedError with the place of the first invalid line
 */
export const readPairLines = (text: string, file: string): readonly ChosenPair[] =>
  text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const pair = pairIn(line);
    if (pair) return [pair];
    const expected = 'expected a pair such as { "a": "a1", "b": "a2", "winner": "a" }';
    throw new NotSavedError(`${file}:${at + 1}: ${expected}; correct or remove this line`);
  });

/** Adds a pair to the text of a file. The winner is an id if the ids of the items could be mistaken for `a` and `b`. */
export function withPairLine(text: string, pair: ChosenPair): string {
  const isUnclear = [pair.a, pair.b].some((id) => id === 'a' || id === 'b');
  const line = isUnclear && pair.winner !== 'same' ? { ...pair, winner: pair[pair.winner] } : pair;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${JSON.stringify(line)}\n`;
}

function pairIn(line: string): ChosenPair | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (!isMap(value)) return undefined;
    const [a, b, query] = [nameOf(value['a']), nameOf(value['b']), nameOf(value['query'])];
    const winner = winnerOf(value['winner'], a, b);
    if (a === undefined || b === undefined || winner === undefined) return undefined;
    return { ...(query !== undefined && { query }), a, b, winner };
  } catch {
    return undefined;
  }
}

function winnerOf(value: unknown, a: string | undefined, b: string | undefined): ChosenPair['winner'] | undefined {
  const name = nameOf(value);
  if (name !== undefined && a !== b && (name === a || name === b)) return name === a ? 'a' : 'b'; // as in assize tune
  if (value === 'a' || value === 'b') return value;
  return TIES.includes(value) ? 'same' : undefined;
}

const nameOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
