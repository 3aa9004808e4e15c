import { formatProblem } from '../../document/format.js';
import type { RowFormat } from '../../document/index.js';
import * as files from '../../files/read-candidates.js';
import { usage } from '../terminal/exit.js';
import type { Io } from '../terminal/io.js';

/** Where candidates are read, who hears how far that is, and where it is said that there are none. */
type At = Pick<Io, 'stdin' | 'progress' | 'err'>;

const from = ({ stdin, progress, err }: At): files.From => ({
  stdin,
  progress,
  warn: (warning) => err.write(`${formatProblem(warning, { colour: err.colour })}\n`),
});

/** Reads the candidates of a file, or of standard input, which is `-`. */
export async function readCandidates(file: string, at: At, format?: RowFormat): Promise<readonly object[]> {
  checkFile(file, format);
  return files.readCandidates(file, from(at), format);
}

/** The same one after another. */
export async function* streamCandidates(file: string, at: At, format?: RowFormat): AsyncGenerator<object, void> {
  checkFile(file, format);
  yield* files.streamCandidates(file, from(at), format);
}

/** A profile, most probably, where its candidates go. */
export function checkFile(file: string, format: RowFormat | undefined): void {
  if (format !== undefined || !/\.ya?ml$/i.test(file)) return;
  throw usage(`${file} is YAML, and candidates are JSON, JSON Lines, CSV or TSV`, 'a profile goes behind --profile');
}
