import { AssizeError, SourceFile } from '../base/index.js';
import { RowProblems } from './candidate-reader.js';
import { codecOf, type InputFormat, placesOfRows } from './codecs.js';
import { type CandidateSource, detectFileFormat, readCandidates } from './read-candidates.js';

/** A problem of rows. */
interface RowMistake {
  readonly message: string;
  readonly hint: string | undefined;
  /** The rows that have it, in the order in which they were refused. */
  readonly rows: number[];
}

/** If more rows have the same problem, they are one problem that names the first few. */
const MOST_REPEATED = 3;
const MOST_NAMED = 3;

/** The rows of a file. Collects their problems and throws them together, with places. */
export class RowFile {
  /** By message. */
  readonly #mistakes = new Map<string, RowMistake>();

  private constructor(
    readonly file: string,
    readonly rows: readonly object[],
    readonly format: InputFormat | undefined,
  ) {}

  /** @throws AssizeError with all problems of the file */
  static async read(file: string, source: CandidateSource, input?: InputFormat): Promise<RowFile> {
    const rows = await readCandidates(file, source, input);
    return new RowFile(file, rows, input ?? (file === '-' ? undefined : await detectFileFormat(file)));
  }

  /** Reads a file that goes with the candidates. It need not be CSV or TSV if they are. */
  static async readBeside(file: string, { absent, ...source }: CandidateSource): Promise<RowFile> {
    const format = file === '-' ? undefined : await detectFileFormat(file);
    return RowFile.read(file, format && codecOf(format).hasCells ? { ...source, absent } : source);
  }

  /** Adds a problem of a row. */
  refuse(row: number, message: string, hint?: string): void {
    const same = this.#mistakes.get(message);
    if (same) same.rows.push(row);
    else this.#mistakes.set(message, { message, hint, rows: [row] });
  }

  /**
   * Rows with the same message are one problem, because their cause is probably the file and not each row.
   *
   * @throws AssizeError (ASZ103) with the problems: the first ones in full, the rest as a count
   */
  async throwIfAny(): Promise<void> {
    if (this.#mistakes.size === 0) return;
    const { file, format } = this;
    const mistakes = [...this.#mistakes.values()]
      .flatMap((one) => (one.rows.length > MOST_REPEATED ? [one] : one.rows.map((row) => ({ ...one, rows: [row] }))))
      .toSorted((a, b) => a.rows[0]! - b.rows[0]!);
    const rows = mistakes.flatMap((one) => one.rows.slice(0, MOST_NAMED));
    const places = await placesOfRows(file, format, rows).catch((error: unknown): undefined[] => {
      if (error instanceof AssizeError) return [];
      throw error;
    });
    const problems = new RowProblems();
    const name = file === '-' ? 'stdin' : file;
    let from = 0;
    for (const { message: text, hint, rows: all } of mistakes) {
      const [row = 0, ...more] = all.slice(0, MOST_NAMED);
      const [place, ...others] = places.slice(from, from + 1 + more.length);
      from += 1 + more.length;
      const also = more.map((other, k) => (others[k] ? `line ${others[k].line}` : `row ${other + 1}`)).join(', ');
      const message = also === '' ? text : `${text}; ${all.length} rows have this problem, also ${also}, …`;
      const line = new SourceFile(name, place?.text ?? '', place?.line);
      const where = place ? { message, place } : { message: `row ${row + 1} of ${name}: ${message}`, place };
      problems.add(line, 0, () => ({ ...where, hint }));
    }
    problems.throwIfAny();
  }
}
