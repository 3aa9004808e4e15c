import { SourceFile } from '../base/index.js';
import { type CandidateReader, lineBlocks, splitLines, utf8Problem } from './candidate-reader.js';

/** Whether a line is blank or a comment. */
export const isEmptyLine = (line: string): boolean => /^\s*(?:#|$)/.test(line);

/**
 * Makes a reader of a format with one candidate per line and comments after `#`.
 *
 * @param read returns the candidate of a line, or an error message
 */
const lineReader = (read: (line: string) => object | string): CandidateReader =>
  async function* readLines(input, name, problems) {
    let line = 0;
    for await (const block of lineBlocks(input)) {
      const rows: object[] = [];
      for (const raw of splitLines(block)) {
        line += 1;
        const text = raw.toString();
        if (isEmptyLine(text)) continue;
        const row = typeof raw === 'string' ? read(text) : '';
        if (typeof row === 'object') rows.push(row);
        else {
          const source = new SourceFile(name, text, line);
          problems.add(source, 0, () => (typeof raw === 'string' ? { message: row } : utf8Problem(raw, source)));
        }
      }
      yield rows;
    }
  };

/** A row of LIBSVM's format, as RankLib, LETOR and LightGBM write it. */
interface LibsvmRow {
  /** The label. */
  readonly grade: number;
  /** The row's query, if the line names one. */
  readonly qid?: string;
  /** From the comment: X of LETOR's `docid = X`, else the first word. */
  readonly id?: string;
  /** Values by feature number. An omitted feature is 0. */
  readonly features: Readonly<Record<string, number>>;
}

const PAIR = /^(\d+):(\S+)$/;
const DOCID = /\bdocid\s*=\s*(\S+)/;

/** Reads a line: `grade qid:ID index:value … # comment`. */
function readLibsvmLine(line: string): LibsvmRow | string {
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
      return `a feature is ${JSON.stringify(part)}; expected a number, a colon and a value, as in 3:0.5`;
    }
    if (Object.hasOwn(features, index)) return `feature ${index} occurs twice`;
    features[index] = number;
  }
  const comment = hash < 0 ? '' : line.slice(hash + 1).trim();
  const id = DOCID.exec(comment)?.[1] ?? comment.split(/\s+/)[0];
  return { grade, ...(qid !== undefined && { qid }), ...(id && { id }), features };
}

export const readLibsvm = lineReader(readLibsvmLine);

/** A row of a TREC run. */
interface TrecRunRow {
  readonly query: string;
  readonly id: string;
  readonly rank: number;
  readonly score: number;
  readonly tag: string;
}

/** Reads a line: `query Q0 id rank score tag`. The rest of the line is ignored. */
function readTrecRunLine(line: string): TrecRunRow | string {
  const [query = '', , id = '', rank, score, tag] = line.trim().split(/\s+/);
  if (tag === undefined) return 'expected six columns: query, Q0, id, rank, score, tag';
  if (!Number.isFinite(Number(rank))) return `the rank is ${rank}; expected a number`;
  if (!Number.isFinite(Number(score))) return `the score is ${score}; expected a number`;
  return { query, id, rank: Number(rank), score: Number(score), tag };
}

export const readTrecRun = lineReader(readTrecRunLine);
