import { RowProblems } from 'assize/internal';
import type { Judgements } from './judged-query.js';

/** A ranked list of one query: ids, best first. */
export type Run = ReadonlyMap<string, readonly string[]>;

/** Reads the columns of a line; returns a message if they are invalid. */
type ReadColumns = (columns: readonly string[]) => string | undefined;

/** Reads a file of columns between blanks, line by line. Skips empty lines and lines that start with #. */
function readColumns(text: string, file: string, read: ReadColumns): void {
  const problems = new RowProblems();
  for (const [k, line] of text.split('\n').entries()) {
    const columns = line.trim().split(/\s+/);
    const wrong = columns[0] === '' || columns[0]!.startsWith('#') ? undefined : read(columns);
    if (wrong !== undefined) problems.addLine(file, k + 1, line.trimEnd(), wrong);
  }
  problems.throwIfAny();
}

/**
 * Judgements in TREC's format: `query iteration id grade` a line.
 *
 * @param file its name in problems
 * @throws AssizeError (ASZ103) with the place of each line that is invalid or repeats a judgement
 */
export function readQrels(text: string, file: string): Judgements {
  const judgements = new Map<string, Map<string, number>>();
  readColumns(text, file, ([query, , id, grade, ...rest]) => {
    if (grade === undefined || rest.length > 0) return 'expected four columns: query, iteration, id, grade';
    if (!/^-?\d+$/.test(grade)) return `the grade is ${grade}; expected a whole number`;
    const ofQuery = judgements.get(query!) ?? new Map<string, number>();
    judgements.set(query!, ofQuery);
    if (ofQuery.has(id!)) return `${id} is judged twice for query ${query}`;
    ofQuery.set(id!, Number(grade));
    return undefined;
  });
  return judgements;
}

/**
 * A run in TREC's format: `query Q0 id rank score tag` a line; further columns are comments. Ids are ordered as trec_eval
 * orders them: by score in single precision, then by id, both descending. The rank column is ignored.
 *
 * @param file its name in problems
 * @throws AssizeError (ASZ103) with the place of each line that is invalid or repeats an id
 */
export function readRun(text: string, file: string): Run {
  const scores = new Map<string, Map<string, number>>();
  readColumns(text, file, ([query, , id, , score, tag]) => {
    if (score === undefined || tag === undefined) return 'expected six columns: query, Q0, id, rank, score, tag';
    if (!Number.isFinite(Number(score))) return `the score is ${score}; expected a number`;
    const ofQuery = scores.get(query!) ?? new Map<string, number>();
    scores.set(query!, ofQuery);
    if (ofQuery.has(id!)) return `${id} is ranked twice for query ${query}`;
    ofQuery.set(id!, Math.fround(Number(score)));
    return undefined;
  });
  return new Map(Array.from(scores, ([query, ofQuery]) => [query, orderLikeTrecEval(ofQuery)]));
}

/** The ids of a query, best first, equal scores in descending order of their bytes. */
function orderLikeTrecEval(scores: ReadonlyMap<string, number>): readonly string[] {
  return [...scores]
    .sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || Buffer.compare(Buffer.from(b), Buffer.from(a)))
    .map(([id]) => id);
}

/**
 * A run as lines of TREC's format. trec_eval reads scores in single precision and orders equal ones by id, whatever the
 * order of the lines. A row whose score is not below that of the row before it is written with the next smaller number, so
 * that trec_eval keeps the order of the rows.
 */
export function* writeRun(
  run: Iterable<readonly [query: string, rows: readonly ScoredId[]]>,
  tag: string,
): Generator<string> {
  for (const [query, rows] of run) {
    const scores = descendingScores(rows);
    for (const [k, { id }] of rows.entries()) yield `${query} Q0 ${id} ${k + 1} ${scores[k]!} ${tag}`;
  }
}

const LARGEST_SINGLE = (2 - 2 ** -23) * 2 ** 127;

/** Scores that strictly descend in single precision. Scores of rows that already do are unchanged. */
function descendingScores(rows: readonly ScoredId[]): readonly number[] {
  let before = Number.POSITIVE_INFINITY;
  const scores = rows.map(({ score }) => {
    const single = Math.fround(Math.max(-LARGEST_SINGLE, Math.min(LARGEST_SINGLE, score)));
    const isBelow = single < before;
    before = isBelow ? single : singleBelow(before);
    return isBelow && Number.isFinite(score) ? score : before;
  });
  return Number.isFinite(before) || rows.length === 0 ? scores : rows.map((_, k) => rows.length - k);
}

/** The largest single-precision number below x. */
function singleBelow(x: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, x);
  const bits = view.getUint32(0);
  if (x === 0) view.setUint32(0, 0x80000001);
  else view.setUint32(0, x > 0 ? bits - 1 : bits + 1);
  return view.getFloat32(0);
}

/** A row of a run. */
export interface ScoredId {
  readonly id: string;
  readonly score: number;
}
