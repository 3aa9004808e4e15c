import type { RowFormat } from '../../document/index.js';
import { formatProblem } from '../../document/format.js';
import * as files from '../../files/read-candidates.js';
import type { Io } from '../terminal/io.js';

/** Where candidates are read, who hears how far that is, and where it is said that there are none. */
type At = Pick<Io, 'stdin' | 'progress' | 'err'>;

const from = ({ stdin, progress, err }: At): files.From => ({
  stdin,
  progress,
  warn: (warning) => err.write(`${formatProblem(warning, { colour: err.colour })}\n`),
});

/** Reads the candidates of a file, or of standard input, which is `-`. */
export const readCandidates = (file: string, at: At, format?: RowFormat): Promise<readonly object[]> =>
  files.readCandidates(file, from(at), format);

/** The same one after another. */
export const streamCandidates = (file: string, at: At, format?: RowFormat): AsyncGenerator<object, void> =>
  files.streamCandidates(file, from(at), format);
