import { SourceFile } from '../../diagnostics/index.js';
import type { CandidateReader } from '../candidate-reader.js';
import { lineBlocks, splitLines } from '../line-blocks.js';
import { utf8Problem } from '../utf8.js';

/** Makes of a line a candidate, or says what is wrong with it: a text, in one sentence. */
export type ReadLine = (line: string) => object | string;

/** Whether a line of such a format holds nothing: blank, or a comment. */
export const isEmptyLine = (line: string): boolean => /^\s*(?:#|$)/.test(line);

/** Makes a reader of a format that has a candidate a line, and comments behind `#`. */
export const lineReader = (read: ReadLine): CandidateReader =>
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
