import { formatProblem } from '../../diagnostics/format.js';
import type { InputFormat } from '../../input/index.js';
import * as files from '../../input/read-candidates.js';
import type { Io } from '../terminal/io.js';
import { usageError } from '../terminal/report-failure.js';

/** Where candidates are read, who hears how far that is, and where it is said that there are none. */
type CandidateFileIo = Pick<Io, 'stdin' | 'progress' | 'err'>;

const candidateSource = ({ stdin, progress, err }: CandidateFileIo): files.CandidateSource => ({
  stdin,
  progress,
  warn: (warning) => err.write(`${formatProblem(warning, { colour: err.colour })}\n`),
});

/** Reads the candidates of a file, or of standard input, which is `-`. */
export async function readCandidateFile(
  file: string,
  at: CandidateFileIo,
  format?: InputFormat,
): Promise<readonly object[]> {
  checkCandidateFile(file, format);
  return files.readCandidates(file, candidateSource(at), format);
}

/** The same one after another. */
export async function* streamCandidateFile(
  file: string,
  at: CandidateFileIo,
  format?: InputFormat,
): AsyncGenerator<object, void> {
  checkCandidateFile(file, format);
  yield* files.streamCandidates(file, candidateSource(at), format);
}

/** A profile, most probably, where its candidates go. */
export function checkCandidateFile(file: string, format: InputFormat | undefined): void {
  if (format !== undefined || !/\.ya?ml$/i.test(file)) return;
  throw usageError(
    `${file} is YAML, and candidates are JSON, JSON Lines, CSV or TSV`,
    'a profile goes behind --profile',
  );
}
