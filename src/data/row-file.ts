import { AssizeError, SourceFile } from '../base/index.js';
import { RowProblems } from './candidate-reader.js';
import { codecOf, type InputFormat, placesOfRows } from './codecs.js';
import { type CandidateSource, detectFileFormat, readCandidates } from './read-candidates.js';

/** A problem of one row. */
interface RowMistake {
  readonly row: number;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The rows of a file. Collects their problems and throws them together, with places. */
export class RowFile {
  readonly #mistakes: RowMistake[] = [];

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
    this.#mistakes.push({ row, message, hint });
  }

  /** @throws AssizeError (ASZ103) with the problems: the first ones in full, the rest as a count */
  async throwIfAny(): Promise<void> {
    if (this.#mistakes.length === 0) return;
    const { file, format } = this;
    const rows = this.#mistakes.map(({ row }) => row);
    const places = await placesOfRows(file, format, rows).catch((error: unknown): undefined[] => {
      if (error instanceof AssizeError) return [];
      throw error;
    });
    const problems = new RowProblems();
    const name = file === '-' ? 'stdin' : file;
    for (const [k, { row, message, hint }] of this.#mistakes.entries()) {
      const place = places[k];
      const line = new SourceFile(name, place?.text ?? '', place?.line);
      const where = place ? { message, place } : { message: `row ${row + 1} of ${name}: ${message}`, place };
      problems.add(line, 0, () => ({ ...where, hint }));
    }
    problems.throwIfAny();
  }
}
