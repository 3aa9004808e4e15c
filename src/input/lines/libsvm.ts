import { lineReader } from './read-lines.js';

/** A row of LIBSVM's format, as RankLib, LETOR and LightGBM write it. */
export interface LibsvmRow {
  /** The label. */
  readonly grade: number;
  /** The query that it belongs to; absent where the file has none. */
  readonly qid?: string;
  /** What the comment names: LETOR's `docid = X`, else its first word. Absent without a comment. */
  readonly id?: string;
  /** By the number of a feature as text; those that are not written are 0. */
  readonly features: Readonly<Record<string, number>>;
}

const PAIR = /^(\d+):(\S+)$/;
const DOCID = /\bdocid\s*=\s*(\S+)/;

/** Reads a line: `grade qid:ID index:value … # comment`. */
export function readLibsvmLine(line: string): LibsvmRow | string {
  const hash = line.indexOf('#');
  const [first = '', ...parts] = (hash < 0 ? line : line.slice(0, hash)).trim().split(/\s+/);
  const grade = Number(first);
  if (first === '' || !Number.isFinite(grade)) return `the grade is ${JSON.stringify(first)}; expected a number`;
  const qid = parts[0]?.startsWith('qid:') ? parts.shift()?.slice(4) : undefined;
  const features: Record<string, number> = {};
  for (const part of parts) {
    const [, index = '', value = ''] = PAIR.exec(part) ?? [];
    const number = Number(value);
    if (value === '' || !Number.isFinite(number)) {
      return `a feature is ${JSON.stringify(part)}; expected its number, a colon and its value, as in 3:0.5`;
    }
    if (Object.hasOwn(features, index)) return `the feature ${index} is written twice`;
    features[index] = number;
  }
  const comment = hash < 0 ? '' : line.slice(hash + 1).trim();
  const id = DOCID.exec(comment)?.[1] ?? comment.split(/\s+/)[0];
  return { grade, ...(qid !== undefined && { qid }), ...(id && { id }), features };
}

export const readLibsvm = lineReader(readLibsvmLine);
