import { AssizeError, SourceFile } from '../../diagnostics/index.js';
import { type InputFormat, RowProblems } from '../../input/index.js';
import { placesOfRows } from '../../input/places-of-rows.js';
import { type CandidateSource, detectFileFormat, readCandidates } from '../../input/read-candidates.js';

/** What is wrong with one row. */
interface RowMistake {
  readonly row: number;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The rows of a file, and what is found wrong with them: collected, and thrown together with their places. */
export class RowFile {
  readonly #mistakes: RowMistake[] = [];

  private constructor(
    readonly file: string,
    readonly rows: readonly object[],
    readonly format: InputFormat | undefined,
  ) {}

  /** @throws AssizeError with everything that is wrong with the file */
  static async read(file: string, source: CandidateSource, input?: InputFormat): Promise<RowFile> {
    const rows = await readCandidates(file, source, input);
    return new RowFile(file, rows, input ?? (file === '-' ? undefined : await detectFileFormat(file)));
  }

  /** Adds what is wrong with a row. */
  refuse(row: number, message: string, hint?: string): void {
    this.#mistakes.push({ row, message, hint });
  }

  /** @throws AssizeError (ASZ103) with the mistakes, the first of them described and the rest counted */
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
